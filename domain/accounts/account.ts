import type { Day } from "../day.ts";
import type { AcceptedTerms } from "./terms.ts";
import type { MutableMail } from "../mail/mail_kinds.ts";
import type { PartnerState } from "../partners/partner.ts";
import type { Referral } from "../partners/referral.ts";

/** A company, once onboarded. */
export interface Company {
  name: string;
  /** ISO 3166-1 alpha-2. */
  country: string;
  vatId: string | null;
  address: {
    line1: string;
    city: string;
    postalCode: string;
  };
}

/** A name that the owner wants and the company does not have yet. */
export interface Rename {
  name: string;
  askedAtMs: number;
  /**
   * What the VAT registry calls the company, asked since; null where it does not
   * say, absent until it was asked.
   */
  registered?: string | null;
  /** Why an operator said no; absent while the wish waits. */
  refusal?: string;
}

/** What is known of the check of an account's VAT id: our evidence. */
export interface VatCheck {
  /** What was asked; an id that has changed since counts as never checked. */
  vatId: string;
  /** The registry's last definite answer; null while it has given none. */
  outcome: "valid" | "invalid" | null;
  /** When that was given, epoch ms. */
  atMs: number | null;
  /** The registry's own number of that answer, where it gave one. */
  consultation: string | null;
  /** Whose id the registry says it is; null or absent where it does not. */
  name?: string | null;
  /** Checks since then that came to nothing. */
  failures: number;
  /** Not tried again by itself before this moment. */
  dueAtMs: number;
}

/** Why a claim is an operator's to decide; its owner is never told which. */
export type VatCaseReason =
  /** The registry has another name for the id. */
  | "name"
  /** Another account holds the id. */
  | "held"
  /** Nobody holds it, and only an operator gives it; see `ContestedVatId`. */
  | "contested";

/** A claim that waits for an operator. */
export interface VatCase {
  vatId: string;
  why: VatCaseReason;
  /** The company's name then: another one is another claim. */
  name: string;
  sinceMs: number;
}

/** An operator's no to an id, or one that was taken back. */
export interface VatRefusal {
  vatId: string;
  /** The company's name that it was about; null: whatever it is called. */
  name: string | null;
  reason: string;
}

/** The registry's no to an id that the account holds. */
export interface VatDoubt {
  vatId: string;
  /** When the registry said so first, epoch ms. */
  sinceMs: number;
}

/** A person's sign-in and, once onboarded, a company. */
export interface Account {
  id: string;
  email: string;
  createdAtMs: number;
  /** Absent for accounts that were made before it was asked. */
  terms?: AcceptedTerms;
  company: Company | null;
  /** Another name that its owner wants; absent for none. */
  rename?: Rename;
  /**
   * Set while a change of VAT id or country checks whether bids stand; a bid that
   * is placed meanwhile removes it. Absent otherwise.
   */
  vatMove?: string;
  /** How often an operator approved another name; absent for never. */
  nameVersion?: number;
  /** Creatives that it submitted for review, counted; absent for none so far. */
  submissions?: number;
  /** Mails about its security on the last day with one; absent for none so far. */
  securityMails?: { day: Day; count: number };
  /** Agents that its owner connected, counted; absent for none so far. */
  consents?: number;
  /**
   * `valid`: the registry knows its VAT id, and the account holds that. One that
   * is only claimed stays `unverified`; an outage changes nothing.
   */
  vatStatus: "unverified" | "valid" | "invalid";
  /** The evidence for that; absent until the registry was asked. */
  vatCheck?: VatCheck;
  /**
   * Since when it holds its id against others; absent while it does not, and
   * for ids that were verified before claims waited.
   */
  vatHeldAtMs?: number;
  /** Its claim of the id waits for an operator; absent while none does. */
  vatCase?: VatCase;
  /**
   * The registry said since that the id it holds is not valid, about which an
   * operator decides; absent otherwise.
   */
  vatDoubt?: VatDoubt;
  /** What operators said no to; absent for nothing. */
  vatRefusals?: readonly VatRefusal[];
  identityStatus: "unverified" | "verified";
  suspendedAtMs: number | null;
  /** Why it is suspended, as its owner is told; absent while it is not. */
  suspensionReason?: string;
  /** Whether disputes block it. */
  disputeOpen: boolean;
  /**
   * The disputes that block it: those that are open, and those that were lost
   * until an operator lifts the block.
   */
  blockingDisputes?: readonly string[];
  /** Those of them that were lost, which only an operator lifts. */
  lostDisputes?: readonly string[];
  /** When the first of those was lost; absent for none. */
  disputeLostAtMs?: number;
  /** Set when a winning bid's card was refused, until another is saved or chosen. */
  cardRefused: boolean;
  /**
   * Fingerprints of the cards that were refused, the latest hundred: saved again,
   * such a card is refused as before. Absent for none.
   */
  refusedFingerprints?: readonly string[];
  /** Whether it is a verified partner; see `isVerifiedPartner()`. */
  partner: boolean;
  /** How it stands in the partner programme; absent where it never asked. */
  partnership?: { state: PartnerState; sinceMs: number };
  /** Which partner brought it; absent for none. */
  referral?: Referral;
  paidWins: number;
  processorCustomerId: string | null;
  defaultPaymentMethodId: string | null;
  /** The mails its owner wants none of; absent for none. */
  mutedMails?: readonly MutableMail[];
  /** Lines of its history, which operators write; absent for none. */
  notes?: number;
}

/** The account without the mark of a change of its VAT id or country. */
export function withoutVatMove(account: Account): Account {
  const { vatMove: _vatMove, ...rest } = account;
  return rest;
}

/**
 * Whether an erasure has begun and taken all that is its owner's: it stays as long
 * as the processor keeps something of it, and nothing is written of it any more.
 */
export function isEmptied({ email }: Pick<Account, "email">): boolean {
  return email === "";
}

/** Finds an account by its verified address. */
export interface AccountEmail {
  email: string;
  accountId: string;
}

/** A saved card, as little of it as is needed. */
export interface PaymentMethod {
  id: string;
  accountId: string;
  brand: string;
  last4: string;
  expMonth: number;
  expYear: number;
  createdAtMs: number;
  /** The same for the same card number, whoever saved it; null if untold. */
  fingerprint?: string | null;
  /** When a winning bid could not be charged to it; absent while none failed. */
  refusedAtMs?: number;
  /**
   * The last warning of its expiry, in days before it, that was due: mailed, or
   * not wanted.
   */
  warnedDays?: 30 | 7;
  /**
   * Since when it is being taken away. No new bid may name it; its row stays
   * for bids that stand on it.
   */
  endingSinceMs?: number;
}

/** Who holds a VAT id: one company has one account. */
export interface VatHolder {
  vatId: string;
  accountId: string;
}

/**
 * A VAT id that an operator took back from an account, that a second complete
 * account claimed, or that `giveUpVatId()` marked. From then on only an operator gives it to anybody.
 */
export interface ContestedVatId {
  /** A keyed hash that stands for the id: the row outlives accounts. */
  vatId: string;
  /** To the day. */
  sinceMs: number;
}
