/**
 * Accounts of others, and how far their owners have set them up.
 *
 * @module
 */

import type { Call } from "./call.ts";
import { endHostedPages, newHostedPage } from "./hosted_page.ts";
import type {
  AccountLink,
  ConnectedAccount,
  Metadata,
  Requirements,
} from "./objects.ts";

/** How long the way to the page is open, for one use. */
const LINK_KEPT_S = 5 * 60;

/** What a new account is asked for. */
const ASKED_FOR = [
  "external_account",
  "individual.first_name",
  "individual.verification.document",
  "tos_acceptance.date",
];

/** What its owner does, or the processor decides, about an account. */
export const ACCOUNT_TURNS = {
  /** Everything is given and found good. */
  complete: standing("active", {}),
  /** Everything is given and being looked at. */
  in_review: standing("pending", {
    pending_verification: ["individual.verification.document"],
    disabled_reason: "requirements.pending_verification",
  }),
  /** The bank sent a payout back: the account's owner has to name another. */
  bank_refused: standing("inactive", {
    currently_due: ["external_account"],
    eventually_due: ["external_account"],
    past_due: ["external_account"],
    disabled_reason: "requirements.past_due",
  }),
  /** The processor wants nothing to do with its owner. */
  rejected: standing("inactive", { disabled_reason: "rejected.other" }),
} as const;

/** The name of such a turn. */
export type AccountTurn = keyof typeof ACCOUNT_TURNS;

type Standing = Pick<
  ConnectedAccount,
  "capabilities" | "payouts_enabled" | "requirements"
>;

function standing(
  transfers: ConnectedAccount["capabilities"]["transfers"],
  wanted: Partial<Requirements>,
): Standing {
  return {
    capabilities: { transfers },
    payouts_enabled: transfers === "active",
    requirements: {
      alternatives: [],
      current_deadline: null,
      currently_due: [],
      disabled_reason: null,
      errors: [],
      eventually_due: [],
      past_due: [],
      pending_verification: [],
      ...wanted,
    },
  };
}

/** Makes an account whose owner has given nothing yet. */
export function newAccount(
  call: Call,
  given: { country: string; email: string | null; metadata: Metadata },
): ConnectedAccount {
  return call.put("account", {
    id: call.newId("acct"),
    object: "account",
    business_type: null,
    charges_enabled: false,
    created: call.now,
    default_currency: "eur",
    details_submitted: false,
    type: "express",
    ...given,
    ...standing("inactive", {
      currently_due: ASKED_FOR,
      eventually_due: ASKED_FOR,
      past_due: ASKED_FOR,
      disabled_reason: "requirements.past_due",
    }),
  });
}

/** Makes the way to the page of an account; one made before is of no more use. */
export function newAccountLink(
  call: Call,
  { id }: ConnectedAccount,
  back: { return_url: string; refresh_url: string },
): AccountLink {
  endHostedPages(call, id);
  const expires_at = call.now + LINK_KEPT_S;
  const page = { kind: "onboarding" as const, subject: id, expires_at };
  return {
    object: "account_link",
    created: call.now,
    expires_at,
    url: newHostedPage(call, { ...page, ...back }),
  };
}

/** Something was done or decided about an account; its owner's page is left. */
export function turnAccount(
  call: Call,
  account: ConnectedAccount,
  turn: AccountTurn,
): ConnectedAccount {
  endHostedPages(call, account.id);
  const turned = call.put("account", {
    ...account,
    ...ACCOUNT_TURNS[turn],
    details_submitted: true,
  });
  call.emit("account.updated", turned, account, account.id);
  return turned;
}
