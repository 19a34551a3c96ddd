import type { HumanStep, RefusalOf } from "./refusal.ts";

/** The pages of `{base_url}` that a person is sent to. */
export const PAGES = {
  home: "/",
  onboarding: "/onboarding",
  identity: "/identity",
  billing: "/billing",
  invoices: "/invoices",
  account: "/account",
  agents: "/agents",
  creatives: "/creatives",
  bids: "/bids",
  reports: "/reports",
  desk: "/operator",
  settings: "/settings",
  privacy: "/settings/privacy",
  partner: "/partner",
} as const;

/** Every human step in the order it is listed, with its page and what to do. */
const STEPS: Readonly<Record<HumanStep, { page: string; label: string }>> = {
  operator_account: {
    page: PAGES.account,
    label: "Use an advertiser's account: operator accounts may never bid",
  },
  suspended: {
    page: PAGES.account,
    label: "Read why the account is suspended and ask the operator",
  },
  onboarding_incomplete: {
    page: PAGES.onboarding,
    label: "Complete onboarding: name the company and its address",
  },
  vat_unverified: {
    page: PAGES.onboarding,
    label: "Have the VAT id of the company verified",
  },
  identity_unverified: {
    page: PAGES.identity,
    label: "Verify your identity",
  },
  no_payment_method: {
    page: PAGES.billing,
    label: "Save a card to be charged if a bid wins",
  },
  card_refused: {
    page: PAGES.billing,
    label: "Replace the card that was refused",
  },
  dispute_open: {
    page: PAGES.billing,
    label: "Settle the open payment dispute",
  },
  dispute_lost: {
    page: PAGES.billing,
    label: "Ask the operator to lift the block after a lost payment dispute",
  },
  creative_not_approved: {
    page: PAGES.creatives,
    label: "Name a creative that is approved, or have this one approved",
  },
};

/** Every human step, in the order it is listed. */
export const HUMAN_STEPS = Object.keys(STEPS) as readonly HumanStep[];

/** The browser path of a human step. */
export function pageOf(step: HumanStep): string {
  return STEPS[step].page;
}

/** What a person does there. */
export function labelOf(step: HumanStep): string {
  return STEPS[step].label;
}

/** The refusal that lists what a person has to do, and where to begin. */
export function humanStepsRefusal(
  steps: Iterable<HumanStep>,
): RefusalOf<"human_step_required"> {
  const reasons = inOrder(steps);
  const actionUrl = firstPage(reasons) ?? PAGES.home;
  return { code: "human_step_required", reasons, actionUrl };
}

/**
 * Where the first of the listed steps is dealt with: a check of identity at the
 * cards as long as there is none, which it waits for.
 */
export function firstPage(listed: readonly HumanStep[]): string | undefined {
  const [first] = listed;
  const isTooEarly = first === "identity_unverified" &&
    listed.includes("no_payment_method");
  const step = isTooEarly ? "no_payment_method" : first;
  return step && pageOf(step);
}

/** The steps once each, in the order they are listed to the caller. */
export function inOrder(steps: Iterable<HumanStep>): HumanStep[] {
  const wanted = new Set(steps);
  return HUMAN_STEPS.filter((step) => wanted.has(step));
}
