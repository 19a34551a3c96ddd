/** The answer a repeat of the same request gets again. */
export interface StoredAnswer {
  status: number;
  /** The JSON text of the body, byte for byte. */
  body: string;
}

/**
 * Binds (owner, operation, key) to one request and its answer. Committed
 * atomically with the effect it protects: a crash leaves both or neither.
 */
export interface IdempotencyRecord {
  owner: string;
  /** Method plus path with its ids. */
  operation: string;
  key: string;
  /** SHA-256 of the canonical request, hex. */
  requestHash: string;
  state: "in_flight" | "done";
  answer: StoredAnswer | null;
  /** Names the key that seals the answer's body; absent where nothing does. */
  sealKeyId?: string;
  expiresAtMs: number;
}
