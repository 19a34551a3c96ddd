import type { Mail } from "../mail/outbox_mail.ts";
import { PAGES } from "../pages.ts";
import type { Creative, Rejection } from "./creative.ts";
import { POLICIES } from "./policies.ts";

/** Tells an advertiser that an advertisement may be bid with. */
export function approvedMail(
  to: string,
  { adId, headline }: Creative,
  baseUrl: string,
): Mail {
  return {
    to,
    subject: "Your Spotlight advertisement was approved",
    text: `Hello,

Your advertisement was approved:

  ${headline}
  ${adId}

You can bid with it now. Its text is final: if you edit it, that makes a new
version, which is reviewed separately.

${baseUrl}${PAGES.creatives}/${adId}
`,
  };
}

/** Tells an advertiser that an advertisement was turned down, and why. */
export function rejectedMail(
  to: string,
  creative: Creative,
  rejection: Rejection,
  baseUrl: string,
): Mail {
  return {
    to,
    subject: "Your Spotlight advertisement was not approved",
    text: `Hello,

Your advertisement was not approved:

${whyOf(creative, rejection, baseUrl)}
You can write a new version there and submit it.
`,
  };
}

/** Tells an advertiser that an approval no longer holds, and what follows. */
export function withdrawnMail(
  to: string,
  creative: Creative,
  rejection: Rejection,
  baseUrl: string,
): Mail {
  return {
    to,
    subject: "The approval of your Spotlight advertisement was withdrawn",
    text: `Hello,

The approval of your advertisement was withdrawn:

${whyOf(creative, rejection, baseUrl)}
Bids with it become void when their day settles, and nothing is charged for
them. Until the auction closes you can raise a bid and name another approved
advertisement.
`,
  };
}

function whyOf(
  { adId, headline }: Creative,
  { policyId, message, remedy }: Rejection,
  baseUrl: string,
): string {
  return `  ${headline}
  ${adId}

Policy: ${POLICIES[policyId].title} (${policyId})
${message}
${remedy}

${baseUrl}${PAGES.creatives}/${adId}
`;
}
