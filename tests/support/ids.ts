import type { Ids } from "../../domain/ports.ts";
import { noteSecret } from "./captured_logs.ts";

/**
 * Ids that count: `next("bid")` is `bid_00000000000000000001`, then `…2`. They
 * have the lengths of real ones and sort in the order they were made. Secrets
 * are noted, so that a log that tells one is found.
 */
export class CountingIds implements Ids {
  #count = 0;

  next(prefix: string): string {
    this.#count += 1;
    return `${prefix}_${String(this.#count).padStart(20, "0")}`;
  }

  secret(): string {
    this.#count += 1;
    // 43 characters of base64url, as 256 bits take; the last has only 4 bits.
    return noteSecret(`s${String(this.#count).padStart(41, "0")}0`);
  }
}
