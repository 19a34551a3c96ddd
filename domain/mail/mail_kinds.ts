/**
 * Every mail that leaves, once: the settings, the list in the privacy notice and
 * the tests are made of this table or compared with it.
 *
 * @module
 */

/** The mails that can be done without, in the order they are shown, and their labels. */
export const MAIL_CHOICES = {
  review: "What was decided about an ad of mine",
  bid_lost: "A bid of mine did not win",
  card_expiry: "My card soon expires",
} as const;

/** A choice of the owner's: such mails come, or they don't. */
export type MutableMail = keyof typeof MAIL_CHOICES;

/** The choices, in the order they are shown. */
export const MUTABLE_MAILS = Object.keys(MAIL_CHOICES) as MutableMail[];

/** What keeps mails of a kind from being many, whoever wants them. */
export type MailBound =
  /** Who knows an address: by address, networks and browser, strangers' together. */
  | "code"
  /** Who is signed in, again and again: ten a day of an account. */
  | "security"
  /** Asked for about one's data: so many a day of an account. */
  | "request"
  /** One of each bid, of which an account that was checked has one a day. */
  | "bid"
  /** The processor moved money, once for each movement. */
  | "payment"
  /** An operator decided, once for each act. */
  | "decision"
  /** Once for each callback, which is off then; five of an account are on. */
  | "callback"
  /** Twice for each card, of which an account has ten. */
  | "card"
  /** To operators alone: once for each trouble and morning. */
  | "operators";

/** When a mail is sent, what switches it off, and what bounds it. */
export interface MailRule {
  /** The end of a sentence that begins with "You get a mail when". */
  when: string;
  /** Null: it always comes, since it is about access, money or a bid. */
  choice: MutableMail | null;
  bound: MailBound;
}

/** Every kind of mail. A kind once stored keeps its name. */
export const MAILS = {
  sign_in: {
    when: "you ask for a code to sign in",
    choice: null,
    bound: "code",
  },
  email_change: {
    when: "you ask for another e-mail address, at the old and the new one",
    choice: null,
    bound: "code",
  },
  email_changed: {
    when: "your e-mail address was changed, at the old and the new one",
    choice: null,
    bound: "code",
  },
  passkey_added: {
    when: "a passkey was added to your account",
    choice: null,
    bound: "security",
  },
  passkey_removed: {
    when: "a passkey was removed from your account",
    choice: null,
    bound: "security",
  },
  token_reused: {
    when: "an agent was disconnected because its key may have been copied",
    choice: null,
    bound: "security",
  },
  webhook_off: {
    when: "we stopped sending events to an agent's webhook",
    choice: null,
    bound: "callback",
  },
  creative_approved: {
    when: "your ad was approved",
    choice: "review",
    bound: "decision",
  },
  creative_rejected: {
    when: "your ad was not approved",
    choice: "review",
    bound: "decision",
  },
  approval_withdrawn: {
    when: "the approval of your ad was withdrawn",
    choice: null,
    bound: "decision",
  },
  bid_stands: {
    when: "your first bid for a day was placed",
    choice: null,
    bound: "bid",
  },
  bid_won: { when: "your bid won and was charged", choice: null, bound: "bid" },
  bid_lost: { when: "your bid did not win", choice: "bid_lost", bound: "bid" },
  bid_payment_failed: {
    when: "your bid could have won, but was not paid",
    choice: null,
    bound: "bid",
  },
  bid_void: { when: "your bid became void", choice: null, bound: "bid" },
  money_refunded: {
    when: "money of an invoice came back",
    choice: null,
    bound: "payment",
  },
  agent_connected: {
    when: "you connected an agent, also once more, or changed what one may do",
    choice: null,
    bound: "security",
  },
  dispute_opened: {
    when: "your bank took back a payment that is disputed",
    choice: null,
    bound: "payment",
  },
  dispute_lost: {
    when: "your bank decided a dispute and keeps the money",
    choice: null,
    bound: "payment",
  },
  dispute_over: {
    when: "a dispute is over and your payment stands",
    choice: null,
    bound: "payment",
  },
  spotlight_removed: {
    when: "we removed your Spotlight",
    choice: null,
    bound: "decision",
  },
  suspended: {
    when: "your account was suspended",
    choice: null,
    bound: "decision",
  },
  suspension_lifted: {
    when: "a suspension was lifted",
    choice: null,
    bound: "decision",
  },
  block_lifted: {
    when: "the block that a lost dispute left was lifted",
    choice: null,
    bound: "decision",
  },
  refusal_lifted: {
    when: "the block that a refused card left was lifted",
    choice: null,
    bound: "decision",
  },
  rename_approved: {
    when: "your company's new name was approved",
    choice: null,
    bound: "decision",
  },
  rename_refused: {
    when: "your company's new name was not approved",
    choice: null,
    bound: "decision",
  },
  erasure_asked: {
    when:
      "the erasure of your account was asked for, with a link that confirms it",
    choice: null,
    bound: "request",
  },
  erasure_confirmed: {
    when: "the erasure of your account was confirmed, with the way back",
    choice: null,
    bound: "request",
  },
  export_ready: {
    when: "a copy of your data is ready",
    choice: null,
    bound: "request",
  },
  operator_alert: {
    when: "you are an operator and something needs you, or no longer does",
    choice: null,
    bound: "operators",
  },
  operator_daily: {
    when: "you are an operator: every morning, of the day before",
    choice: null,
    bound: "operators",
  },
  vat_approved: {
    when: "an operator verified your VAT id",
    choice: null,
    bound: "decision",
  },
  vat_declined: {
    when: "an operator could not verify your VAT id",
    choice: null,
    bound: "decision",
  },
  vat_released: {
    when: "an operator took your VAT id back from your account",
    choice: null,
    bound: "decision",
  },
  partner_approved: {
    when: "you were approved as a partner",
    choice: null,
    bound: "decision",
  },
  partner_refused: {
    when: "you were not approved as a partner",
    choice: null,
    bound: "decision",
  },
  partner_ended: {
    when: "your partnership was ended",
    choice: null,
    bound: "decision",
  },
  card_expiry: {
    when: "your default card expires in 30 or 7 days",
    choice: "card_expiry",
    bound: "card",
  },
} as const satisfies Readonly<Record<string, MailRule>>;

/** The name of a kind of mail. */
export type MailKind = keyof typeof MAILS;

/** Kinds that their receiver can switch off. */
export type ChosenMail = {
  [K in MailKind]: typeof MAILS[K]["choice"] extends null ? never : K;
}[MailKind];

/** Kinds that always come. */
export type CertainMail = Exclude<MailKind, ChosenMail>;
