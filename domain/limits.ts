/**
 * Every limit of the public contract, once, with the sentence it comes from.
 *
 * @module
 */

/** "Bid amount: 100-100000000 cents, EUR." */
export const MIN_BID_CENTS = 100;
/** "Bid amount: 100-100000000 cents, EUR." */
export const MAX_BID_CENTS = 100_000_000;

/** "Mandate validity: at most 90 days." */
export const MAX_MANDATE_DAYS = 90;

/** "Access token: 1 hour." */
export const ACCESS_TOKEN_MS = 3_600_000;
/** "Refresh token: 30 days, never beyond mandate valid_until." */
export const REFRESH_TOKEN_MS = 30 * 86_400_000;

/** "Public bucket: capacity 120 tokens." */
export const PUBLIC_BUCKET_CAPACITY = 120;
/** "Public bucket: refill 2 tokens per second." */
export const PUBLIC_BUCKET_REFILL_PER_S = 2;
/** "Agent grant bucket: 120 per minute per grant." */
export const GRANT_BUCKET_CAPACITY = 120;
/** "Agent grant bucket: 120 per minute per grant." */
export const GRANT_BUCKET_REFILL_PER_S = 2;

/** "list spotlights: limit 1-50 (default 20)." */
export const LIST_LIMIT_MAX = 50;
/** "list spotlights: limit 1-50 (default 20)." */
export const LIST_LIMIT_DEFAULT = 20;
/** "list spotlights: offset 0-10000." */
export const LIST_OFFSET_MAX = 10_000;

/** "batch: 1-10 days." */
export const BATCH_DAYS_MAX = 10;
/** "batch: days parameter at most 109 characters." */
export const BATCH_PARAMETER_MAX = 109;

/** "Idempotency-Key: 1-255 characters." */
export const IDEMPOTENCY_KEY_MAX = 255;

/** "ad_id (1-64 characters of letters, digits, underscore, hyphen)." */
export const AD_ID_SHAPE = /^[A-Za-z0-9_-]{1,64}$/;

/** A bid body over 16 KiB is `agent.bad-request`. */
export const AGENT_BODY_MAX_BYTES = 16 * 1024;

/** "At most 5 candidates are tried" in a settlement. */
export const SETTLEMENT_CANDIDATES_MAX = 5;
/** An uncertain payment is cancelled and confirmed after 60 minutes. */
export const SETTLEMENT_UNCERTAIN_MS = 60 * 60_000;

/** "query: required, 1-500 characters", counted as code points. */
export const ASK_QUERY_MAX = 500;
/** "POST /ask JSON body, at most 4096 UTF-8 bytes." */
export const ASK_BODY_MAX_BYTES = 4_096;
