import { pageOf } from "../../../domain/pages.ts";
import type { HumanStep } from "../../../domain/refusal.ts";
import type { Html } from "../../pages/html.ts";

/**
 * What is missing, as a person reads it, and what they do about it. Agents are
 * told the same in words of their own, which speak of creatives and ids.
 */
const WORDS: Readonly<Record<HumanStep, { says: string; way: string }>> = {
  operator_account: {
    says: "This is an operator’s account, which can never bid.",
    way: "See what to do",
  },
  suspended: {
    says: "Your account is suspended.",
    way: "See why, and whom to write to",
  },
  onboarding_incomplete: {
    says: "Your company and its address are missing.",
    way: "Enter your company",
  },
  vat_unverified: {
    says: "Your company’s VAT id is not verified.",
    way: "See how it stands",
  },
  identity_unverified: {
    says: "Your identity is not verified.",
    way: "Prove your identity",
  },
  no_payment_method: {
    says: "No card is saved that could be charged.",
    way: "Save a card",
  },
  card_refused: {
    says: "Your card was refused when a bid of yours won.",
    way: "Replace your card",
  },
  dispute_open: {
    says: "A payment of yours is disputed at the bank.",
    way: "See what to do",
  },
  dispute_lost: {
    says: "A disputed payment of yours was taken back.",
    way: "See whom to write to",
  },
  creative_not_approved: {
    says: "The ad that you chose is not approved.",
    way: "See your ads",
  },
};

/**
 * Says what a person has to do first, and leads there.
 *
 * @param page where it is done, where that is not the step's own page
 */
export function WayOut(
  { step, page = pageOf(step) }: { step: HumanStep; page?: string },
): Html {
  const { says, way } = WORDS[step];
  return (
    <>
      {says} <a href={page}>{way}</a>
    </>
  );
}
