/**
 * Faults on demand: what can go wrong between a client and a processor.
 *
 * @module
 */

import type { ForcedOutcome } from "./call.ts";
import { decline } from "./cards.ts";

/** What a fault does to a request. */
export type FaultKind =
  /** 409 `lock_timeout` before anything is done; not saved. */
  | "lock_timeout"
  /** 429 before anything is done; not saved. */
  | "rate_limit"
  /** The connection is reset before anything is done. */
  | "reset_before_effect"
  /** 500 before anything is done; saved under the key when `saved`. */
  | "error_before_effect"
  /** Waits before doing anything, its key in flight, until it is released. */
  | "hold"
  /** Done, but the answer comes `delay_ms` later, the key in flight so long. */
  | "slow"
  /** Done and saved, but no answer ever comes. */
  | "timeout_after_effect"
  /** Done, but answered with a 500, which is saved under the key. */
  | "error_after_effect"
  /** Done and saved, but the connection is reset instead of an answer. */
  | "reset_after_effect"
  /** The next payment attempt is declined with `decline_code`. */
  | "decline"
  /** The next payment attempt waits for the payer. */
  | "requires_action"
  /** The next payment attempt is neither here nor there until resolved. */
  | "processing";

/** A fault as ordered. */
export interface FaultOrder {
  /** What happens. */
  kind: FaultKind;
  /** Only requests with this method. */
  method?: "GET" | "POST" | "DELETE";
  /** Only this path; `*` stands for one part, `**` for any number. */
  path?: string;
  /** How many requests it strikes, 1 unless said; `null` means all. */
  times?: number | null;
  /** How likely it strikes a request that fits, from 0 to 1; 1 unless said. */
  probability?: number;
  /** For `slow`: milliseconds until the answer. */
  delay_ms?: number;
  /** For `error_before_effect`: whether the 500 is saved; yes unless said. */
  saved?: boolean;
  /**
   * For resets: before the first byte of the answer instead of within it. A
   * client may then send the request again by itself, as Deno's fetch does
   * once when the connection had been used before.
   */
  before_head?: boolean;
  /** For `decline`: the issuer's code; `generic_decline` unless said. */
  decline_code?: string;
}

/** A fault lying in wait. */
export interface Fault extends FaultOrder {
  /** Its name, for removing it. */
  id: string;
  /** How often it has struck. */
  struck: number;
}

/** Most faults lying in wait at once. */
export const MAX_FAULTS = 1_000;

const FORCED = new Set<FaultKind>(["decline", "requires_action", "processing"]);

/** A replayed result was no execution, so nothing can fail within it. */
const NOT_ON_REPLAY = new Set<FaultKind>([
  "error_before_effect",
  "error_after_effect",
  "hold",
]);

/** The faults lying in wait, first come first served. */
export class Faults {
  #faults: { fault: Fault; path: RegExp | null }[] = [];
  #sequence = 0;

  /** Starts without faults; `random` decides about probabilities. */
  constructor(readonly random: () => number) {}

  /**
   * Orders a fault.
   *
   * @returns its id
   * @throws {RangeError} when too many lie in wait
   */
  add(order: FaultOrder): string {
    if (this.#faults.length >= MAX_FAULTS) {
      throw new RangeError(`Cannot add a fault: ${MAX_FAULTS} lie in wait`);
    }
    this.#sequence += 1;
    const fault = { ...order, id: `fault_${this.#sequence}`, struck: 0 };
    const path = order.path === undefined ? null : pathPattern(order.path);
    this.#faults.push({ fault, path });
    return fault.id;
  }

  /** Takes a fault back; tells whether it was there. */
  remove(id: string): boolean {
    const before = this.#faults.length;
    this.#faults = this.#faults.filter(({ fault }) => fault.id !== id);
    return this.#faults.length < before;
  }

  /** Takes all faults back. */
  clear(): void {
    this.#faults = [];
  }

  /** The faults lying in wait. */
  list(): Fault[] {
    return this.#faults.map(({ fault }) => ({ ...fault }));
  }

  /** The fault that strikes a request on its way in or out, if any. */
  take(method: string, path: string, isReplay: boolean): Fault | null {
    return this.#take(
      method,
      path,
      ({ kind }) => !FORCED.has(kind) && !(isReplay && NOT_ON_REPLAY.has(kind)),
    );
  }

  /** The outcome forced on a payment attempt of this request, if any. */
  takeOutcome(method: string, path: string): ForcedOutcome | null {
    const fault = this.#take(method, path, ({ kind }) => FORCED.has(kind));
    if (fault === null) return null;
    if (fault.kind === "decline") {
      return decline(fault.decline_code ?? "generic_decline");
    }
    return {
      kind: fault.kind === "processing" ? "processing" : "requires_action",
    };
  }

  #take(
    method: string,
    path: string,
    suits: (fault: Fault) => boolean,
  ): Fault | null {
    for (const { fault, path: pattern } of this.#faults) {
      if (fault.method !== undefined && fault.method !== method) continue;
      if (pattern !== null && !pattern.test(path)) continue;
      if (!suits(fault) || this.random() >= (fault.probability ?? 1)) continue;
      fault.struck += 1;
      const times = fault.times === undefined ? 1 : fault.times;
      if (times !== null && fault.struck >= times) this.remove(fault.id);
      return fault;
    }
    return null;
  }
}

function pathPattern(path: string): RegExp {
  const parts = path.split(/(\*\*?)/).map((part) => {
    if (part === "**") return ".*";
    return part === "*" ? "[^/]*" : part.replace(/[^\w/]/g, "\\$&");
  });
  return new RegExp(`^${parts.join("")}$`);
}
