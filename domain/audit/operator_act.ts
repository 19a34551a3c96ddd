/** Everything that an operator can do, as the audit shows it. */
export const ACTS = {
  "account.suspend": "Suspended the account",
  "account.lift_suspension": "Lifted the suspension",
  "account.lift_block": "Lifted the block of a lost dispute",
  "account.lift_refusal": "Lifted the refusal of a card",
  "account.erase_again": "Named the account as erased after the backup",
  "account.approve_name": "Approved the new name",
  "account.refuse_name": "Refused the new name",
  "account.approve_vat": "Approved the VAT id",
  "account.decline_vat": "Declined the VAT id",
  "account.release_vat": "Released the VAT id",
  "account.approve_partner": "Approved the partner",
  "account.refuse_partner": "Refused the partner",
  "account.end_partner": "Ended the partnership",
  "auction.open": "Opened the auction",
  "auction.close": "Closed the auction",
  "auction.settle": "Had the day settled",
  "books.compare": "Had the books of a day compared",
  "creative.approve": "Approved the ad",
  "creative.reject": "Rejected the ad",
  "creative.withdraw": "Withdrew the approval of the ad",
  "dispute.look": "Had the processor asked about a dispute",
  "document.retry": "Had a document archived again",
  "event.retry": "Had an event of the processor processed again",
  "key.end": "Ended a key of the operator API",
  "key.make": "Made a key of the operator API",
  "house_ad.make": "Added a house ad",
  "house_ad.move": "Changed the order of house ads",
  "house_ad.remove": "Removed a house ad",
  "house_ad.rest": "Let a house ad rest",
  "house_ad.wake": "Let a house ad take turns again",
  "job.run": "Ran a job",
  "report.close": "Closed a reader’s report",
  "spotlight.refund": "Refunded the Spotlight",
  "spotlight.remove": "Removed the Spotlight",
  "store.back_up": "Took a backup of the store",
  "store.reindex": "Had the indexes rebuilt",
  "store.release": "Released the restored store",
} as const satisfies Readonly<Record<string, string>>;

/** Names an act. */
export type ActName = keyof typeof ACTS;

/** Who acted: an operator who is signed in, or whoever holds a key of the API. */
export type ActBy =
  | { kind: "account"; accountId: string; email: string }
  | {
    kind: "key";
    name: string;
    /** The account of the operator who made it; absent for the configured one. */
    madeBy?: string;
  };

/** A few members of what an act changed; never a secret, a card or a bid. */
export type Facts = Readonly<Record<string, string | number | boolean | null>>;

/** What an act changed, as it was and as it is. */
export interface Change {
  before: Facts;
  after: Facts;
}

/** One line of the audit: append only, kept as long as the books. */
export interface OperatorAct {
  id: string;
  atMs: number;
  by: ActBy;
  act: ActName;
  /** The id, day or number of what it was about; null for the whole store. */
  subject: string | null;
  /** Why, in the operator's words; null where none is asked for. */
  reason: string | null;
  /** Null where nothing changed, or where the act says nothing of it. */
  change: Change | null;
}

/** The e-mail address or the key's name that an act is found by. */
export function nameOf(by: ActBy): string {
  return by.kind === "account" ? by.email : by.name;
}

/**
 * The same where it stands by itself: a key says so and whose it is, since its
 * maker calls it as they like, by somebody else's address too.
 */
export function actorOf(by: ActBy): string {
  if (by.kind === "account") return by.email;
  return `the key of ${by.madeBy ?? "the configuration"} called ${by.name}`;
}

/**
 * Whether one person may be behind both acts. A person is an address of
 * `OPERATOR_EMAILS`, whatever account it has; an operator's key is its maker, and
 * the keys of the configuration together are one: they change hands by turns.
 */
export function isSamePerson(one: ActBy, other: ActBy): boolean {
  const names = namesOf(other);
  return namesOf(one).some((name) => names.includes(name));
}

function namesOf(by: ActBy): string[] {
  if (by.kind === "account") return [by.accountId, by.email];
  return [by.madeBy ?? "a key of the configuration"];
}
