/** Which buckets exist; each kind has its own capacity and refill. */
export type BucketKind =
  | "public"
  | "grant"
  | "address"
  /** Clicks, by address. */
  | "click"
  /** Reports of advertisements, by address. */
  | "report"
  /** Registrations of clients, by address. */
  | "registration"
  /** Documents of clients that are fetched, by address of who asks. */
  | "client_fetch"
  /** All of those together. */
  | "client_fetches";

/** The answer of a bucket to one request. */
export type Verdict =
  | { admitted: true; remaining: number }
  | { admitted: false; retryAfterS: number };

/**
 * Token buckets, exact over all isolates: a bucket never grants more than
 * `capacity + refill × elapsed` over all of them together.
 */
export interface RateLimiter {
  /**
   * Takes one token. Answers without waiting when the bucket is known to be
   * empty.
   *
   * @throws {StoreUnavailable} when the store does not answer
   */
  take(kind: BucketKind, id: string): Promise<Verdict> | Verdict;
  /** Waits for the commits under way; for a graceful stop. */
  close(): Promise<void>;
}
