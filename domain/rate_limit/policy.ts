import {
  GRANT_BUCKET_CAPACITY,
  GRANT_BUCKET_REFILL_PER_S,
  PUBLIC_BUCKET_CAPACITY,
  PUBLIC_BUCKET_REFILL_PER_S,
} from "../limits.ts";

/** How much a bucket holds and how fast it fills. */
export interface BucketPolicy {
  /** Whole tokens a full bucket holds. */
  readonly capacity: number;
  /** Tokens that come back every second. */
  readonly refillPerS: number;
}

/** Which buckets exist; each kind has its own capacity and refill. */
export type BucketKind =
  | "public"
  | "grant"
  /** What changes something, by address, or by the account of who is signed in. */
  | "address"
  /** What is only shown, by the same. */
  | "page"
  /** What a person is shown of an account. */
  | "own_list"
  /** Bids of a person in the browser, by account. */
  | "own_bid"
  /** Requests to the token endpoint, by address or, where that is used up, grant. */
  | "exchange"
  /** Clicks, by address. */
  | "click"
  /** Bids by the agents of an account together. */
  | "bid"
  /** What else they change together. */
  | "change"
  /** Parts of lists that they read together. */
  | "list"
  /** What they ask of the checkout together, but for looking at it. */
  | "checkout"
  /** Changes and checkouts in a day: of each something is kept for days. */
  | "kept_change"
  /** What a grant may change where the others have used up the account's. */
  | "share"
  /** What is kept for accounts that nobody knows, by network. */
  | "newcomer_kept"
  /** What is kept for accounts that a card alone tells of, by the card's number. */
  | "card_kept"
  /** Codes that browsers we do not know have mailed, everybody's together. */
  | "new_browser_mails"
  /** Those of them that are not among the first of their network. */
  | "repeated_new_browser_mails"
  /** Payments over HTTP 402, the processor asked for each: everybody's together. */
  | "all_payments"
  /** Those of them that are not among the first of their network. */
  | "repeated_payments";

/** A policy for every kind of bucket. */
export type BucketPolicies = Readonly<Record<BucketKind, BucketPolicy>>;

/** Sign-in, `/oauth/*` and `/go`: a human's pace with room for an office. */
export const ADDRESS_BUCKET_CAPACITY = 60;
/** Sign-in, `/oauth/*` and `/go`: a human's pace with room for an office. */
const ADDRESS_BUCKET_REFILL_PER_S = 1;

const ADDRESS: BucketPolicy = {
  capacity: ADDRESS_BUCKET_CAPACITY,
  refillPerS: ADDRESS_BUCKET_REFILL_PER_S,
};

/**
 * A page has fifty items at most, and is read in the account's turn: what five
 * agents may have.
 */
const LIST: BucketPolicy = {
  capacity: 5 * GRANT_BUCKET_CAPACITY,
  refillPerS: 5 * GRANT_BUCKET_REFILL_PER_S,
};

/** So many tokens an hour, and no more than that at once unless said. */
function perHour(tokens: number, capacity = tokens): BucketPolicy {
  return { capacity, refillPerS: tokens / 3_600 };
}

/** So many tokens a day, and as many at once. */
function perDay(tokens: number): BucketPolicy {
  return { capacity: tokens, refillPerS: tokens / 86_400 };
}

/**
 * What an IPv4 address or an IPv6 /64 may do that is costly for others; the
 * wider networks around it may do `factor` times as much. Docs: the table in
 * docs/operations.md.
 */
export const NETWORK_POLICIES = {
  /** Registrations of clients: 10 an hour. */
  registration: perHour(10),
  /** Reports of advertisements, refused ones included: 10 an hour. */
  report: perHour(10),
  /** Authorization requests that are kept, before any sign-in: 30 a minute. */
  authorization: { capacity: 30, refillPerS: 30 / 60 },
  /** Documents of clients, fetched because it asked: 10 a minute. */
  client_fetch: { capacity: 10, refillPerS: 10 / 60 },
  /** Look-ups of VAT ids for accounts nobody knows yet: 20 an hour. */
  vat_look_up: perHour(20),
  /** Checks of identity, each of them paid for: 10 a day. */
  identity_check: perDay(10),
  /** The processor's pages for cards, on which cards can be tried: 20 an hour. */
  card_page: perHour(20),
  /** What else pages of accounts without a checked identity ask the processor. */
  processor_call: ADDRESS,
  /** Payments over HTTP 402, the processor asked for each: as the public one. */
  payment: {
    capacity: PUBLIC_BUCKET_CAPACITY,
    refillPerS: PUBLIC_BUCKET_REFILL_PER_S,
  },
  /** Questions, to tool servers too: as the public one, which a /64 has. */
  question: {
    capacity: PUBLIC_BUCKET_CAPACITY,
    refillPerS: PUBLIC_BUCKET_REFILL_PER_S,
  },
  /** Searches on pages: as the pages that take long of who is signed in. */
  page_search: ADDRESS,
  /** Pictures of days that have to be drawn: 30 a minute. */
  picture: { capacity: 10, refillPerS: 30 / 60 },
  /** Copies of one's data that are read, of whatever accounts: 60 a minute. */
  copy: { capacity: 60, refillPerS: 1 },
  /** Jobs of the sandbox, which are kept for a day: as the public bucket. */
  sandbox_job: {
    capacity: PUBLIC_BUCKET_CAPACITY,
    refillPerS: PUBLIC_BUCKET_REFILL_PER_S,
  },
  /** Challenges for signing in by passkey, each a session: 30 a minute. */
  passkey: { capacity: 60, refillPerS: 30 / 60 },
  /** Codes for signing in, to whatever address: 20 an hour. */
  sign_in_mail: perHour(20),
  /** Codes for browsers that are known, of whatever address: 60 an hour. */
  known_browser_mail: perHour(60),
  /** Codes for signing in, to one address: 5 at once, then one an hour. */
  sign_in_email: perHour(1, 5),
} as const satisfies Record<string, BucketPolicy>;

/**
 * Public pages and feeds, by network as these, but counted by each process for
 * itself: a person opens one in some seconds, a crawler a few in one, and an
 * office hundreds at once.
 */
export const VISITS: BucketPolicy = { capacity: 600, refillPerS: 30 };

/**
 * Codes to one address, asked for from all networks: 120 a day, 5 an hour. No
 * single network can use it up, since a /48 gets 20 at once and 4 an hour.
 */
export const SIGN_IN_EMAIL: BucketPolicy = perHour(5, 120);
/** Codes asked for by one browser in which the address has signed in. */
export const SIGN_IN_DEVICE: BucketPolicy = perHour(1, 5);
/**
 * The same of all such browsers of an address, so that signing in again and
 * again does not multiply its mails. No single browser can use it up.
 */
export const SIGN_IN_DEVICES: BucketPolicy = perHour(4, 100);

/** Copies of its data that are read of one account, or parts of one on a page. */
export const COPIES: BucketPolicy = { capacity: 20, refillPerS: 1 / 6 };

/** Changes of an account's e-mail address that are begun: each mails two codes. */
export const EMAIL_CHANGES: BucketPolicy = perHour(1, 5);

/** Documents of clients that are fetched in all: 10 a second. */
export const ALL_CLIENT_FETCHES: BucketPolicy = {
  capacity: 10,
  refillPerS: 10,
};
/** Those of them that are not among the first of their network. */
export const REPEATED_CLIENT_FETCHES: BucketPolicy = {
  capacity: 5,
  refillPerS: 5,
};

/** Look-ups of VAT ids for one account: never more than 10 in an hour. */
export const ACCOUNT_VAT_LOOK_UPS: BucketPolicy = perHour(5);
/** The same for all accounts: never more than 600 in an hour. */
export const ALL_VAT_LOOK_UPS: BucketPolicy = perHour(300);
/**
 * Those of them for accounts without a checked identity or a card, which cost
 * nothing to make: the rest is kept for all others.
 */
export const NEWCOMER_VAT_LOOK_UPS: BucketPolicy = perHour(150);
/** Those of these that are not among the first of their network. */
export const REPEATED_VAT_LOOK_UPS: BucketPolicy = perHour(75);
/** Look-ups for accounts that a card alone tells of, by the card's number. */
export const CARD_VAT_LOOK_UPS: BucketPolicy = perHour(10);
/** The same where the job asks, which knows of no network to count by. */
export const LATER_VAT_LOOK_UPS: BucketPolicy = perHour(50);

/** Checks of identity, each of them paid for, of everybody: 300 a day. */
export const ALL_IDENTITY_CHECKS: BucketPolicy = perDay(300);
/** Those of them that are a second or later one: the rest is for firsts. */
export const REPEATED_IDENTITY_CHECKS: BucketPolicy = perDay(150);
/** Those with one card, whoever's: as many as an account begins in a day. */
export const CARD_IDENTITY_CHECKS: BucketPolicy = perDay(5);

/**
 * How often one asker counts as a first where everybody draws on one bucket, of
 * which about half is for firsts: accounts cost nothing, and a /48 next to nothing.
 */
export const FIRSTS = {
  /** By VAT id and by card. */
  identity_check: perDay(1),
  /** By the widest network, as all that follow. */
  vat_look_up: perHour(2),
  new_browser_mail: perHour(2),
  client_fetch: { capacity: 5, refillPerS: 5 / 60 },
  payment: { capacity: 10, refillPerS: 10 / 60 },
  /** Of one Spotlight. */
  report: perDay(1),
} as const satisfies Record<string, BucketPolicy>;

/** The policies of the public contract. */
export const BUCKET_POLICIES: BucketPolicies = {
  public: {
    capacity: PUBLIC_BUCKET_CAPACITY,
    refillPerS: PUBLIC_BUCKET_REFILL_PER_S,
  },
  grant: {
    capacity: GRANT_BUCKET_CAPACITY,
    refillPerS: GRANT_BUCKET_REFILL_PER_S,
  },
  address: ADDRESS,
  // Of its own, so that nobody is kept from a change by pages that others have
  // a browser open.
  page: ADDRESS,
  // Of their own, so that an account's agents never keep its owner from what
  // agents do, and no other page a bid.
  own_list: LIST,
  own_bid: ADDRESS,
  // Of its own, so that agents behind an address never cost it its sign-in.
  exchange: ADDRESS,
  // Of its own, so that clicks never cost an office its sign-in.
  click: ADDRESS,
  // Of its own, so that nothing else that agents do keeps one from bidding:
  // one alone bids as fast as its grant's bucket lets it.
  bid: {
    capacity: 20 * GRANT_BUCKET_CAPACITY,
    refillPerS: GRANT_BUCKET_REFILL_PER_S,
  },
  // What twenty agents may do at once and ten go on with: each is promised a
  // bucket of its own, and an account has a hundred at most.
  change: {
    capacity: 20 * GRANT_BUCKET_CAPACITY,
    refillPerS: 10 * GRANT_BUCKET_REFILL_PER_S,
  },
  list: LIST,
  // Answers are kept for 30 days, and the processor may be asked for each.
  checkout: { capacity: 10 * GRANT_BUCKET_CAPACITY, refillPerS: 1 },
  // A hundred for each of a hundred agents: about 40 MB of kept answers.
  kept_change: { capacity: 10_000, refillPerS: 10_000 / 86_400 },
  share: perHour(5, 60),
  // Accounts cost nothing to make, and what is kept is up to 9 KB each.
  newcomer_kept: perHour(60, 300),
  // What one account may have kept: a card can be given to any number of them.
  card_kept: { capacity: 10_000, refillPerS: 10_000 / 86_400 },
  new_browser_mails: perHour(600),
  repeated_new_browser_mails: perHour(300),
  // The processor takes about a hundred calls a second, settlements' too.
  all_payments: { capacity: 500, refillPerS: 20 },
  repeated_payments: { capacity: 250, refillPerS: 10 },
};
