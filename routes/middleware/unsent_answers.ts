import { TemporaryFailure } from "../../domain/failure.ts";
import { networksOf, widestOf } from "../../domain/rate_limit/network.ts";
import { clientAddress, type RequestOrigin } from "./client_address.ts";

/** Bytes that wait for the clients of one IPv4 address or IPv6 /48, at most. */
export const NETWORK_UNSENT_MAX = 4 * 1_048_576;
/** Bytes that wait for all clients of a process, at most. */
export const PROCESS_UNSENT_MAX = 128 * 1_048_576;
/** What a large answer takes besides bytes of its own, as measured. */
export const ANSWER_COST = 49_152;
/** The more there is that waits, the less a network may have of what is left. */
const SHARES = 24;

/** So much is kept for a client's network, or for all, that no more is. */
export class TooMuchUnsent extends TemporaryFailure {
  override readonly name = "TooMuchUnsent";
  override readonly retryAfterS = 10;
  override readonly isOrdinary = true;
  override readonly detail =
    "too many long answers wait to be read, in your network or in all";
}

/**
 * What large answers keep in memory until their clients have taken them. A
 * client over HTTP/2 may ask for hundreds and read nothing, and nothing of ours
 * ends them but its connection: so what all of a network keep is bounded.
 */
export class UnsentAnswers {
  readonly #trustedProxyHops: number;
  readonly #byNetwork = new Map<string, number>();
  #total = 0;

  constructor(trustedProxyHops = 0) {
    this.#trustedProxyHops = trustedProxyHops;
  }

  /**
   * Counts a large answer; answers how to count it no more.
   *
   * @param ownBytes bytes that no other answer has
   * @throws {TooMuchUnsent} when it would be too much
   */
  hold(
    origin: Omit<RequestOrigin, "trustedProxyHops">,
    ownBytes: number,
  ): () => void {
    const trustedProxyHops = this.#trustedProxyHops;
    const address = clientAddress({ ...origin, trustedProxyHops });
    const network = widestOf(networksOf(address));
    const bytes = ownBytes + ANSWER_COST;
    if (!this.#hasRoom(network, bytes)) {
      throw new TooMuchUnsent("Too many long answers wait to be read");
    }
    this.#add(network, bytes);
    return () => this.#add(network, -bytes);
  }

  /** Bytes that wait now, of all networks. */
  get total(): number {
    return this.#total;
  }

  /** A network for which nothing waits is given one answer, however long. */
  #hasRoom(network: string, bytes: number): boolean {
    const left = PROCESS_UNSENT_MAX - this.#total;
    if (bytes > left) return false;
    const held = this.#byNetwork.get(network);
    return held === undefined ||
      held + bytes <= Math.min(NETWORK_UNSENT_MAX, left / SHARES);
  }

  #add(network: string, bytes: number): void {
    this.#total += bytes;
    const held = (this.#byNetwork.get(network) ?? 0) + bytes;
    if (held === 0) this.#byNetwork.delete(network);
    else this.#byNetwork.set(network, held);
  }
}
