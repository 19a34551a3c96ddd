import type { Account } from "../../../domain/accounts/account.ts";
import { PAGES } from "../../../domain/pages.ts";
import type { EligibilityReason } from "../../../domain/refusal.ts";
import { vatStatusOf } from "./vat_status.ts";
import type { Step } from "../ui/steps.tsx";
import type { AdsProgress } from "./ads_progress.ts";

/**
 * The five steps to a first bid; null once only the bid is left. Each can be taken
 * once those before it are: an identity is checked after the card is saved.
 */
export function firstStepsOf(
  { account, reasons, ads }: {
    account: Account;
    reasons: readonly EligibilityReason[];
    ads: AdsProgress;
  },
): Step[] | null {
  const isMissing = (...some: EligibilityReason[]) =>
    some.some((reason) => reasons.includes(reason));
  const steps: Step[] = [
    {
      label: "Enter your company and its VAT id",
      isDone: !isMissing("onboarding_incomplete", "vat_unverified"),
      ...companyStep(account),
    },
    {
      label: "Save a card",
      isDone: !isMissing("no_payment_method"),
      says: "Nothing is charged or held unless a bid wins.",
      button: [PAGES.billing, "Save a card"],
    },
    {
      label: "Prove your identity",
      isDone: !isMissing("identity_unverified"),
      says:
        "With a passport, an identity card or a driving licence, in a few " +
        "minutes.",
      button: [PAGES.identity, "Prove your identity"],
    },
    {
      label: "Write your ad and have it approved",
      isDone: ads === "approved",
      ...adStep(ads),
    },
  ];
  if (steps.every(({ isDone }) => isDone)) return null;
  const bid = { label: "Bid", isDone: false };
  return [...steps, { ...bid, button: [PAGES.bids, "Place a bid"] }];
}

function companyStep(account: Account): Pick<Step, "says" | "button"> {
  const button = (name: string) => [PAGES.onboarding, name] as const;
  const status = vatStatusOf(account);
  switch (status?.kind) {
    case undefined:
      return {
        says: "A company in the European Union with a valid VAT id.",
        button: button("Enter your company"),
      };
    case "none":
      return {
        says: status.inUnion
          ? "Your company is saved. Its VAT id is missing."
          : "Companies outside the European Union can’t advertise yet. " +
            "Connecting agents and writing ads works already.",
        button: button("See your company"),
      };
    case "unasked":
    case "unknown":
      return {
        says: "The VAT id is not verified yet: the register of the European " +
          "Union has not answered.",
        button: button("See your VAT id"),
      };
    case "compared":
      return {
        says:
          "We are comparing your VAT id with your company and write to you.",
        button: button("See your VAT id"),
      };
    default:
      return {
        says: "The VAT id could not be verified.",
        button: button("See why"),
      };
  }
}

function adStep(ads: AdsProgress): Pick<Step, "says" | "button"> {
  switch (ads) {
    case "submitted":
      return {
        says: "A person is reviewing your ad, usually within a day. We write " +
          "to you, and you can bid in the auction that is open then.",
        button: [PAGES.creatives, "See your ads"],
      };
    case "rejected":
      return {
        says: "Your ad was rejected. Its page says why, and what to change.",
        button: [PAGES.creatives, "See your ads"],
      };
    case "draft":
      return {
        says: "Your draft has not been submitted yet.",
        button: [PAGES.creatives, "Go on with your ad"],
      };
    default:
      return {
        says: "A headline, a few sentences and an address.",
        button: [`${PAGES.creatives}/new`, "Write your ad"],
      };
  }
}
