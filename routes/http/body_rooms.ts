import { type Bounds, NetworkBytes } from "./network_bytes.ts";

const MIB = 1_048_576;

/** What is kept of bodies until they have come whole. */
export const KEPT_BOUNDS: Bounds = { network: 4 * MIB, process: 64 * MIB };
/** What the server reads ahead of us of bodies in chunks. */
export const AHEAD_BOUNDS: Bounds = { network: 8 * MIB, process: 224 * MIB };

/** Room for the bytes of one body. */
export interface Room {
  /** Takes room for so many more; false when there is none. */
  grow(bytes: number): boolean;
  /** Gives all of it back. */
  end(): void;
}

/** Room for one request's body. */
export interface Rooms {
  /** What is kept of it, until it is told to give way. */
  kept(giveWay: () => void): Room;
  /** What the server reads ahead of us, which nothing takes back from it. */
  ahead(): Room;
}

/** A body that is waited for. */
interface Kept {
  network: string;
  bytes: number;
  giveWay: () => void;
}

/**
 * The memory that unfinished bodies may have. Where there is too much of it, the
 * body that has been waited for longest gives way: of its network, or of all. So
 * who sends a body whole has it read, however many others send halves.
 */
export class BodyRooms {
  readonly #kept = new NetworkBytes(KEPT_BOUNDS);
  readonly #ahead = new NetworkBytes(AHEAD_BOUNDS);
  /** Each the one that has waited longest first. */
  readonly #waiting = new Set<Kept>();
  readonly #byNetwork = new Map<string, Set<Kept>>();

  /** Bytes that are kept now, of all networks. */
  get total(): number {
    return this.#kept.total;
  }

  /** Room for a body from an IPv4 address or IPv6 /48. */
  of(network: string): Rooms {
    return {
      kept: (giveWay) => this.#keptOf(network, giveWay),
      ahead: () => this.#aheadOf(network),
    };
  }

  #keptOf(network: string, giveWay: () => void): Room {
    const kept = { network, bytes: 0, giveWay };
    return {
      grow: (bytes) => this.#grow(kept, bytes),
      end: () => this.#end(kept),
    };
  }

  #grow(kept: Kept, bytes: number): boolean {
    const { network } = kept;
    this.#line(network).add(kept);
    this.#waiting.add(kept);
    for (;;) {
      const exceeded = this.#kept.exceeded(network, bytes);
      if (exceeded === null) break;
      const line = exceeded === "network" ? this.#line(network) : this.#waiting;
      const [longest = kept] = line;
      this.#end(longest);
      longest.giveWay();
      if (longest === kept) return false;
    }
    kept.bytes += bytes;
    this.#kept.add(network, bytes);
    return true;
  }

  #line(network: string): Set<Kept> {
    const line = this.#byNetwork.get(network) ?? new Set();
    this.#byNetwork.set(network, line);
    return line;
  }

  #end(kept: Kept): void {
    const { network, bytes } = kept;
    kept.bytes = 0;
    this.#kept.add(network, -bytes);
    this.#waiting.delete(kept);
    const line = this.#byNetwork.get(network);
    if (line?.delete(kept) && line.size === 0) this.#byNetwork.delete(network);
  }

  #aheadOf(network: string): Room {
    let held = 0;
    return {
      grow: (bytes) => {
        if (!this.#ahead.hasRoom(network, bytes)) return false;
        held += bytes;
        this.#ahead.add(network, bytes);
        return true;
      },
      end: () => {
        this.#ahead.add(network, -held);
        held = 0;
      },
    };
  }
}
