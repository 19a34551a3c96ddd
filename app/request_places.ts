import { NetworkBytes } from "../routes/http/network_bytes.ts";
import { REQUEST_COST } from "../routes/http/body_pieces.ts";

/** So many requests in flight are nobody's: few services ever have as many. */
export const FREE_PLACES = 1_000;
/** How many more an IPv4 address or IPv6 /48 may have, and all together. */
const NETWORK_PLACES = 320;
const PROCESS_PLACES = 8_192;

/**
 * The requests that a process has in flight. Each takes memory until it has its
 * answer, and over HTTP/2 one client has thousands for the asking. Beyond
 * those that are nobody's they are counted by network, and the more there are
 * the fewer each network may have, so that one which has none is let in.
 */
export class RequestPlaces {
  readonly #counted = new NetworkBytes({
    network: NETWORK_PLACES * REQUEST_COST,
    process: PROCESS_PLACES * REQUEST_COST,
  });
  #free = FREE_PLACES;

  /**
   * Takes a place; answers how to leave it, to be called once, or null when
   * there is none.
   *
   * @param networkOf who asks, which is looked at where it matters only
   */
  take(networkOf: () => string): (() => void) | null {
    if (this.#free > 0) {
      this.#free--;
      return () => this.#free++;
    }
    const network = networkOf();
    if (!this.#counted.hasRoom(network, REQUEST_COST)) return null;
    this.#counted.add(network, REQUEST_COST);
    return () => this.#counted.add(network, -REQUEST_COST);
  }
}
