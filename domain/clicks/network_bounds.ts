import { DAY_MS } from "../day.ts";
import { evictOldest } from "../evict_oldest.ts";
import { networksOf } from "../rate_limit/network.ts";

/**
 * Human clicks of an IPv4 address or an IPv6 /64 in a UTC day: an office's. The
 * wider networks around it have as many times more as anywhere else.
 */
export const HUMAN_CLICKS_A_DAY = 400;
/** Networks an isolate remembers: about 10 MB. */
const REMEMBERED_MAX = 100_000;

/**
 * How many of the human clicks of a day each network has had in this isolate.
 * Whoever has a network has all its addresses, and may name any browser with
 * each click: without a bound the figures were theirs to make. It is kept in
 * memory alone, so that no address is written down. Decision 0120 says why.
 */
export class NetworkBounds {
  readonly #clicks = new Map<string, number>();
  readonly #max: number;
  #day = 0;

  constructor(max: number = REMEMBERED_MAX) {
    this.#max = max;
  }

  /** Counts a click; false where a network of the client has had its day's. */
  take(address: string, atMs: number): boolean {
    const day = Math.floor(atMs / DAY_MS);
    if (day !== this.#day) this.#clicks.clear();
    this.#day = day;
    const networks = networksOf(address);
    const isOver = networks.some(({ id, factor }) =>
      this.#had(id) >= HUMAN_CLICKS_A_DAY * factor
    );
    if (isOver) return false;
    for (const { id } of networks) {
      const clicks = this.#had(id) + 1;
      // Put at the end: the widest, which is heard of most, is kept longest.
      this.#clicks.delete(id);
      this.#clicks.set(id, clicks);
    }
    evictOldest(this.#clicks, this.#max);
    return true;
  }

  #had(network: string): number {
    return this.#clicks.get(network) ?? 0;
  }
}
