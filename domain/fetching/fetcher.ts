import { TemporaryFailure } from "../failure.ts";

/** What one request to another server may cost. */
export interface FetchPolicy {
  /** The longest body, in bytes as they arrive. */
  maxBytes: number;
  /** Everything together: lookup, connection, headers and body, ms. */
  timeoutMs: number;
  /** The `Accept` header. */
  accept: string;
  /** At whose wish: askers take turns. Those who are not named are one. */
  asker?: string;
}

/** A complete answer of another server. */
export interface Fetched {
  status: number;
  /** In lower case, with its parameters; empty when there was none. */
  contentType: string;
  /** Well-formed UTF-8, not yet parsed. */
  body: string;
  /** For how long the answer says it is fresh, seconds; null: it does not. */
  maxAgeS: number | null;
}

/** Asks servers that strangers name, without reaching our own network. */
export interface Fetcher {
  /**
   * Gets a JSON document from an address on the public internet. A status other
   * than 200, another type than JSON and a redirect are refused.
   *
   * @throws {FetchRefused} for whatever reason, always the same
   * @throws {FetchBusy} when nothing was sent, since too much is under way
   */
  getJson(url: string, policy: FetchPolicy): Promise<Fetched>;
  /**
   * Posts JSON, and answers JSON of any status but a redirect's.
   *
   * @throws as {@linkcode Fetcher.getJson} does
   */
  postJson(
    url: string,
    body: unknown,
    policy: FetchPolicy,
  ): Promise<Fetched>;
  /**
   * Posts a message to an address and answers the status, a redirect's too,
   * which is not followed. What else the receiver says is never read.
   *
   * @throws as {@linkcode Fetcher.getJson} does
   */
  notify(url: string, message: Message): Promise<number>;
}

/** A message to a receiver that a stranger named. */
export interface Message {
  /** JSON. */
  body: string;
  headers: Readonly<Record<string, string>>;
  /** Lookup, connection and the answer's head together, ms. */
  timeoutMs: number;
  /** Whose message it is, as of {@linkcode FetchPolicy}. */
  asker?: string;
}

/**
 * There is no answer. It does not say why: whoever names the address must not
 * learn which hosts and ports exist.
 */
export class FetchRefused extends Error {
  override readonly name = "FetchRefused";

  constructor() {
    super("Cannot fetch the document");
  }
}

/**
 * So much is fetched already that nothing was sent. It says nothing of the
 * address that was named.
 */
export class FetchBusy extends TemporaryFailure {
  override readonly name = "FetchBusy";
  override readonly isOrdinary = true;
  override readonly retryAfterS: number;

  constructor(retryAfterS: number) {
    super("Cannot fetch the document now: too much is being fetched");
    this.retryAfterS = retryAfterS;
  }
}
