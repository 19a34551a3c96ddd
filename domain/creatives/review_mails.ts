import type { MailContent, MailPart } from "../mail/mail_content.ts";
import { PAGES } from "../pages.ts";
import type { Creative, Rejection } from "./creative.ts";
import { POLICIES } from "./policies.ts";

/** What a mail says of a creative. */
type Decided = Pick<Creative, "adId" | "headline">;

/** Whom a mail is to. */
export interface Owner {
  to: string;
  /** The page of what keeps the account from bidding; null: it may bid. */
  wayOut: string | null;
}

/** Tells an advertiser that an ad may be bid with. */
export function approvedMail(
  { to, wayOut }: Owner,
  creative: Decided,
  baseUrl: string,
): MailContent<"creative_approved"> {
  return {
    kind: "creative_approved",
    to,
    subject: "Your Spotlight ad was approved",
    parts: [
      wayOut === null
        ? "Your ad was approved, and you can bid with it now."
        : "Your ad was approved. You can bid with it as soon as nothing else " +
          "stands in your account's way.",
      adFacts(creative),
      wayOut === null
        ? { button: "Bid with it", url: `${baseUrl}${PAGES.bids}` }
        : { button: "See what to do", url: `${baseUrl}${wayOut}` },
      "Its text is final: if you edit it, that makes a new version, which is " +
      "reviewed separately.",
      { link: "See the ad", url: pageOf(creative, baseUrl) },
    ],
  };
}

/** Tells an advertiser that an ad was turned down, and why. */
export function rejectedMail(
  { to }: Owner,
  creative: Decided,
  rejection: Rejection,
  baseUrl: string,
): MailContent<"creative_rejected"> {
  return {
    kind: "creative_rejected",
    to,
    subject: "Your Spotlight ad was not approved",
    parts: [
      "Your ad was not approved.",
      ...whyOf(creative, rejection),
      "You can write a new version and submit it.",
      { button: "Write a new version", url: pageOf(creative, baseUrl) },
    ],
  };
}

/** Tells an advertiser that an approval no longer holds, and what follows. */
export function withdrawnMail(
  { to, wayOut }: Owner,
  creative: Decided,
  rejection: Rejection,
  baseUrl: string,
): MailContent<"approval_withdrawn"> {
  return {
    kind: "approval_withdrawn",
    to,
    subject: "The approval of your Spotlight ad was withdrawn",
    parts: [
      "The approval of your ad was withdrawn.",
      ...whyOf(creative, rejection),
      "Bids with it become void when their day settles, and you pay nothing " +
      "for them: what your card has been charged already goes back. Until " +
      "the auction closes you can raise a bid and " +
      `name another approved ad${
        wayOut === null ? "" : ", once your account can bid again"
      }.`,
      { button: "See the ad", url: pageOf(creative, baseUrl) },
    ],
  };
}

function adFacts({ adId, headline }: Decided): MailPart {
  return { facts: [["Ad", headline], ["Number", adId]] };
}

function whyOf(
  creative: Decided,
  { policyId, message, remedy }: Rejection,
): MailPart[] {
  const policy = `${POLICIES[policyId].title} (${policyId})`;
  return [
    adFacts(creative),
    `Policy: ${policy}`,
    { quote: message },
    { quote: remedy },
  ];
}

function pageOf({ adId }: Decided, baseUrl: string): string {
  return `${baseUrl}${PAGES.creatives}/${adId}`;
}
