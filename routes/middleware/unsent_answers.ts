import { TemporaryFailure } from "../../domain/failure.ts";
import { NetworkBytes } from "../http/network_bytes.ts";
import { clientNetwork, type RequestOrigin } from "./client_address.ts";

/** Bytes that wait for the clients of one IPv4 address or IPv6 /48, at most. */
export const NETWORK_UNSENT_MAX = 4 * 1_048_576;
/** Bytes that wait for all clients of a process, at most. */
export const PROCESS_UNSENT_MAX = 128 * 1_048_576;
/** What a large answer takes besides bytes of its own, as measured. */
export const ANSWER_COST = 49_152;

/** Copies of accounts' data that are read at the same time in a process. */
export const COPIES_READ_MAX = 32;
/** The same of those that one IPv4 address or IPv6 /48 reads. */
export const COPIES_NETWORK_MAX = 8;

/** Where a request came from, as its socket and its headers say. */
export type Origin = Omit<RequestOrigin, "trustedProxyHops">;

/** So much is kept for a client's network, or for all, that no more is. */
export class TooMuchUnsent extends TemporaryFailure {
  override readonly name = "TooMuchUnsent";
  override readonly retryAfterS = 10;
  override readonly isOrdinary = true;
  override readonly detail: string =
    "too many long answers wait to be read, in your network or in all";
}

/** Another copy of the account is read, or too many of all. */
class CopyBeingRead extends TooMuchUnsent {
  override readonly detail =
    "another copy of your data is being read, or too many in your network or in all";
}

/**
 * What large answers keep in memory until their clients have taken them. A
 * client over HTTP/2 may ask for hundreds and read nothing, and nothing of ours
 * ends them but its connection: so what all of a network keep is bounded.
 */
export class UnsentAnswers {
  readonly #trustedProxyHops: number;
  /** The accounts of which a copy is read, and the network that reads it. */
  readonly #copies = new Map<string, string>();
  readonly #bytes = new NetworkBytes({
    network: NETWORK_UNSENT_MAX,
    process: PROCESS_UNSENT_MAX,
  });

  constructor(trustedProxyHops = 0) {
    this.#trustedProxyHops = trustedProxyHops;
  }

  /**
   * Counts a large answer; answers how to count it no more.
   *
   * @param ownBytes bytes that no other answer has
   * @throws {TooMuchUnsent} when it would be too much
   */
  hold(origin: Origin, ownBytes: number): () => void {
    const network = this.networkOf(origin);
    const bytes = ownBytes + ANSWER_COST;
    if (!this.#bytes.hasRoom(network, bytes)) {
      throw new TooMuchUnsent("Too many long answers wait to be read");
    }
    this.#bytes.add(network, bytes);
    return () => this.#bytes.add(network, -bytes);
  }

  /**
   * Counts a copy of an account's data that is read; answers how to count it no
   * more. Doing that again does nothing, whoever reads one by then.
   *
   * @throws {CopyBeingRead} while another of the account is read, or so many
   */
  holdCopy(origin: Origin, accountId: string): () => void {
    const network = this.networkOf(origin);
    if (this.#copies.has(accountId) || !this.#hasPlaceFor(network)) {
      throw new CopyBeingRead("A copy is being read");
    }
    this.#copies.set(accountId, network);
    let isHeld = true;
    return () => {
      if (isHeld) this.#copies.delete(accountId);
      isHeld = false;
    };
  }

  #hasPlaceFor(network: string): boolean {
    const ofNetwork = [...this.#copies.values()]
      .filter((each) => each === network);
    return this.#copies.size < COPIES_READ_MAX &&
      ofNetwork.length < COPIES_NETWORK_MAX;
  }

  /** The IPv4 address or IPv6 /48 that memory is counted for. */
  networkOf(origin: Origin): string {
    const trustedProxyHops = this.#trustedProxyHops;
    return clientNetwork({ ...origin, trustedProxyHops });
  }

  /** Bytes that wait now, of all networks. */
  get total(): number {
    return this.#bytes.total;
  }
}
