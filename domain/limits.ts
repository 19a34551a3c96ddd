/**
 * Every limit of the public contract, once, with the section that sets it.
 *
 * @module
 */

/** The least bid (contract §7.7). */
export const MIN_BID_CENTS = 100;
/** The greatest bid (contract §7.7). */
export const MAX_BID_CENTS = 100_000_000;

/** The greatest amount that the processor takes (contract §2.4). */
export const CHARGE_MAX_CENTS = 99_999_999;

/** How far ahead a mandate may end (contract §9.4). */
export const MAX_MANDATE_DAYS = 90;

/** How long an access token lasts at most (contract §9.5). */
export const ACCESS_TOKEN_MS = 3_600_000;
/** How long a refresh token lasts at most (contract §9.5). */
export const REFRESH_TOKEN_MS = 30 * 86_400_000;

/** Tokens that the public bucket of an address holds (contract §13.1). */
export const PUBLIC_BUCKET_CAPACITY = 120;
/** Tokens that it gets back each second (contract §13.1). */
export const PUBLIC_BUCKET_REFILL_PER_S = 2;
/** Tokens that the bucket of a grant holds (contract §13.1). */
export const GRANT_BUCKET_CAPACITY = 120;
/** Tokens that it gets back each second (contract §13.1). */
export const GRANT_BUCKET_REFILL_PER_S = 2;

/** Longest page of Spotlights (contract §3.5). */
export const LIST_LIMIT_MAX = 50;
/** Length of a page when none is asked for (contract §3.5). */
export const LIST_LIMIT_DEFAULT = 20;
/** Greatest offset into the list (contract §3.5). */
export const LIST_OFFSET_MAX = 10_000;

/** Days in one batch (contract §3.6). */
export const BATCH_DAYS_MAX = 10;
/** Longest parameter `days`, characters (contract §3.6). */
export const BATCH_PARAMETER_MAX = 109;

/** Longest idempotency key, characters (contract §11.1). */
export const IDEMPOTENCY_KEY_MAX = 255;

/** What may be asked about as an `ad_id` (contract §7.3). */
export const AD_ID_SHAPE = /^[A-Za-z0-9_-]{1,64}$/;

/** A bid body over 16 KiB is `agent.bad-request`. */
export const AGENT_BODY_MAX_BYTES = 16 * 1024;

/** How many candidates a settlement tries (contract §2.4). */
export const SETTLEMENT_CANDIDATES_MAX = 5;
/** An uncertain payment is cancelled and confirmed after 60 minutes. */
export const SETTLEMENT_UNCERTAIN_MS = 60 * 60_000;

/** Longest question to `/ask`, code points (contract §5.1). */
export const ASK_QUERY_MAX = 500;
/** Longest body of `POST /ask` (contract §5.1). */
export const ASK_BODY_MAX_BYTES = 4_096;
