import type { Day } from "../day.ts";
import type { Services } from "../ports.ts";
import type { FinalTimes } from "./booking.ts";
import { findFinalAtMs } from "./final_at.ts";

/** How long "not final" is cached; figures take 48 hours to become final. */
const NOT_FINAL_CACHED_MS = 60_000;
/** Days remembered; then all are read again. */
const DAYS_MAX = 1_000;

/** When the figures of days are final, read once and then remembered. */
export class FinalTimeReader {
  readonly #services: Pick<Services, "store" | "clock">;
  readonly #known = new Map<Day, { atMs: number | null; untilMs: number }>();

  constructor(services: Pick<Services, "store" | "clock">) {
    this.#services = services;
  }

  /**
   * The times of the days.
   *
   * @throws {StoreUnavailable} when the store does not answer
   */
  async read(days: Iterable<Day>): Promise<FinalTimes> {
    const { store, clock } = this.#services;
    const times = new Map<Day, number | null>();
    for (const day of new Set(days)) {
      const known = this.#known.get(day);
      if (known !== undefined && known.untilMs > clock.now()) {
        times.set(day, known.atMs);
        continue;
      }
      const atMs = await findFinalAtMs(store, day);
      times.set(day, atMs);
      this.#remember(day, atMs);
    }
    return times;
  }

  #remember(day: Day, atMs: number | null): void {
    if (this.#known.size >= DAYS_MAX) this.#known.clear();
    const untilMs = atMs === null
      ? this.#services.clock.now() + NOT_FINAL_CACHED_MS
      : Infinity;
    this.#known.set(day, { atMs, untilMs });
  }
}
