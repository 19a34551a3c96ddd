import { CALLBACKS_MAX } from "../../domain/callbacks/callback.ts";
import { CONNECTIONS_MAX } from "../../domain/oauth/connection_quota.ts";
import type { RefusalCode } from "../../domain/refusal.ts";

/** What a page says when it can't be what was asked for. */
export interface PageProblem {
  status: number;
  title: string;
  text: string;
  headers?: Readonly<Record<string, string>>;
}

/** What people read while the store is on hold after a restore. */
export const ON_HOLD_TEXT: string =
  "The service was restored from a backup and is being checked. You can read " +
  "everything; nothing is charged or changed until the check is done. " +
  "Please try again later.";

const NOT_FOUND: PageProblem = {
  status: 404,
  title: "There is no such page",
  text: "The address may have been mistyped, or the page is gone.",
};

const SIGN_IN_AGAIN: PageProblem = {
  status: 403,
  title: "Please sign in again",
  text: "This needs a sign-in of the last few minutes. Sign in and try again.",
};

/** The refusals that always mean the same to a person. */
export const PROBLEMS = {
  not_found: NOT_FOUND,
  account_not_found: NOT_FOUND,
  cookie_repeated: {
    status: 400,
    title: "Your browser sent two sign-ins",
    text:
      "Another site may have interfered with this one. Delete the cookies " +
      "of this site in your browser and sign in again.",
  },
  origin_not_own: {
    status: 403,
    title: "That did not come from our page",
    text: "Nothing was changed. Open the page here and try again; a browser " +
      "extension that hides where requests come from has to allow it.",
  },
  session_missing: SIGN_IN_AGAIN,
  sign_in_stale: SIGN_IN_AGAIN,
  form_of_another: {
    status: 409,
    title: "Another account is signed in",
    text: "Nothing was done: this page was shown to another account than the " +
      "one that this browser is signed in to by now. Your dashboard shows " +
      "which one that is; sign out to sign in with the other.",
  },
  sign_in_code_gone: {
    status: 400,
    title: "This code is no longer valid",
    text: "Ask for a new one on the sign-in page.",
  },
  sign_in_code_wrong: {
    status: 400,
    title: "That is not the code",
    text: "Compare it with the mail and try again.",
  },
  passkey_not_found: {
    status: 404,
    title: "There is no such passkey",
    text: "It may have been removed already.",
  },
  passkey_rejected: {
    status: 400,
    title: "The passkey was not accepted",
    text: "Try again, or sign in with a code by e-mail.",
  },
  passkeys_full: {
    status: 409,
    title: "There are too many passkeys",
    text: "Remove one that you do not use any more.",
  },
  last_sign_in_method: {
    status: 409,
    title: "This is the last way to sign in",
    text: "Add another passkey before you remove this one.",
  },
  authorization_not_found: {
    status: 404,
    title: "This request is no longer open",
    text: "It was answered already, or ten minutes have passed. Begin again " +
      "in the application that sent you here.",
  },
  authorization_of_another_browser: {
    status: 403,
    title: "This request belongs to another browser",
    text: "Begin again in the application that sent you here.",
  },
  creative_not_found: {
    status: 404,
    title: "There is no such advertisement",
    text: "The address may have been mistyped.",
  },
  payment_method_not_found: {
    status: 404,
    title: "There is no such card",
    text: "It may have been removed already.",
  },
  card_of_live_bid: {
    status: 409,
    title: "A bid of yours stands on this card",
    text: "It can be removed once the auction of that day has settled.",
  },
  company_of_live_bid: {
    status: 409,
    title: "A bid of yours stands on this VAT id",
    text:
      "VAT id and country can be changed once the auction of that day has " +
      "settled.",
  },
  cards_full: {
    status: 409,
    title: "There are too many cards",
    text: "Remove one that you do not use any more.",
  },
  connections_full: {
    status: 409,
    title: "There are too many agents",
    text:
      `An account has ${CONNECTIONS_MAX} agents connected at most. Revoke ` +
      "one that you do not use any more on your agents page, then allow this " +
      "one again.",
  },
  callbacks_full: {
    status: 409,
    title: "There are too many webhooks",
    text:
      `An account has ${CALLBACKS_MAX} agents with a webhook at most. Take ` +
      "one away that is not used any more.",
  },
  partner_required: {
    status: 403,
    title: "This needs a partner account",
    text: "The application asks for what only verified partners have.",
  },
} as const satisfies Partial<Record<RefusalCode, PageProblem>>;
