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

/** When a mail is sent, and what switches it off. */
export interface MailRule {
  /** The end of a sentence that begins with "You get a mail when". */
  when: string;
  /** Null: it always comes, since it is about access, money or a bid. */
  choice: MutableMail | null;
}

/** Every kind of mail. A kind once stored keeps its name. */
export const MAILS = {
  sign_in: { when: "you ask for a code to sign in", choice: null },
  email_change: {
    when: "you ask for another e-mail address, at the old and the new one",
    choice: null,
  },
  email_changed: {
    when: "your e-mail address was changed, at the old and the new one",
    choice: null,
  },
  passkey_added: {
    when: "a passkey was added to your account",
    choice: null,
  },
  passkey_removed: {
    when: "a passkey was removed from your account",
    choice: null,
  },
  token_reused: {
    when: "an agent was disconnected because its key may have been copied",
    choice: null,
  },
  webhook_off: {
    when: "we stopped sending events to an agent's webhook",
    choice: null,
  },
  creative_approved: { when: "your ad was approved", choice: "review" },
  creative_rejected: { when: "your ad was not approved", choice: "review" },
  approval_withdrawn: {
    when: "the approval of your ad was withdrawn",
    choice: null,
  },
  bid_stands: { when: "your first bid for a day was placed", choice: null },
  bid_won: { when: "your bid won and was charged", choice: null },
  bid_lost: { when: "your bid did not win", choice: "bid_lost" },
  bid_payment_failed: {
    when: "your bid could have won, but was not paid",
    choice: null,
  },
  bid_void: { when: "your bid became void", choice: null },
  money_refunded: { when: "money was given back to you", choice: null },
  agent_connected: {
    when: "you connected an agent, or changed what one may do",
    choice: null,
  },
  dispute_opened: {
    when: "your bank took back a payment that is disputed",
    choice: null,
  },
  dispute_lost: {
    when: "your bank decided a dispute and keeps the money",
    choice: null,
  },
  dispute_over: {
    when: "a dispute is over and your payment stands",
    choice: null,
  },
  suspended: { when: "your account was suspended", choice: null },
  suspension_lifted: { when: "a suspension was lifted", choice: null },
  block_lifted: {
    when: "the block that a lost dispute left was lifted",
    choice: null,
  },
  refusal_lifted: {
    when: "the block that a refused card left was lifted",
    choice: null,
  },
  rename_approved: {
    when: "your company's new name was approved",
    choice: null,
  },
  rename_refused: {
    when: "your company's new name was not approved",
    choice: null,
  },
  erasure_asked: {
    when:
      "the erasure of your account was asked for, with a link that confirms it",
    choice: null,
  },
  erasure_confirmed: {
    when: "the erasure of your account was confirmed, with the way back",
    choice: null,
  },
  export_ready: { when: "a copy of your data is ready", choice: null },
  operator_alert: {
    when: "you are an operator and something needs you, or no longer does",
    choice: null,
  },
  operator_daily: {
    when: "you are an operator: every morning, of the day before",
    choice: null,
  },
  vat_approved: { when: "an operator verified your VAT id", choice: null },
  vat_declined: {
    when: "an operator could not verify your VAT id",
    choice: null,
  },
  vat_released: {
    when: "an operator took your VAT id back from your account",
    choice: null,
  },
  partner_approved: { when: "you were approved as a partner", choice: null },
  partner_refused: {
    when: "you were not approved as a partner",
    choice: null,
  },
  partner_ended: { when: "your partnership was ended", choice: null },
  card_expiry: {
    when: "your default card expires in 30 or 7 days",
    choice: "card_expiry",
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
