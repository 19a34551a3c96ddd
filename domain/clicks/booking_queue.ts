import { TemporaryFailure } from "../failure.ts";
import type { Services } from "../ports.ts";
import { bookClicks } from "./book_clicks.ts";
import { type Booking, BOOKING_TRIED_MS } from "./booking.ts";
import type { VisitorMemory } from "./visitor_memory.ts";

/** Bookings under way at once; the embedded store commits them together. */
const UNDER_WAY_MAX = 16;

/** Bookings on their way into the store. */
export class BookingQueue {
  readonly #services: Pick<Services, "store" | "clock" | "log">;
  readonly #visitors: VisitorMemory;
  #waiting: Booking[] = [];
  #clicks = 0;

  constructor(
    services: Pick<Services, "store" | "clock" | "log">,
    visitors: VisitorMemory,
  ) {
    this.#services = services;
    this.#visitors = visitors;
  }

  /** Clicks that are not booked yet, those under way included. */
  get clicks(): number {
    return this.#clicks;
  }

  add(bookings: readonly Booking[]): void {
    this.#waiting.push(...bookings);
    for (const { clicks } of bookings) this.#clicks += clicks;
  }

  /**
   * Books all that waits. Once a booking fails for now, it and the rest wait
   * for the next call. Returns whether any wait.
   */
  async run(): Promise<boolean> {
    this.#giveUpOld();
    const again: Booking[] = [];
    const lane = async () => {
      while (again.length === 0) {
        const booking = this.#waiting.shift();
        if (booking === undefined) return;
        if (!await this.#book(booking)) again.push(booking);
      }
    };
    await Promise.all(Array.from({ length: UNDER_WAY_MAX }, lane));
    this.#waiting.unshift(...again);
    return this.#waiting.length > 0;
  }

  /** Drops the bookings that wait, and logs how many clicks they had. */
  giveUp(reason: string): void {
    this.#lose(this.#waiting.splice(0), reason);
  }

  /** False: it has to be retried. */
  async #book(booking: Booking): Promise<boolean> {
    try {
      const { visitors, late } = await bookClicks(this.#services, booking);
      for (const one of visitors) this.#visitors.remember(one);
      this.#clicks -= booking.clicks;
      if (late > 0) this.#services.log.info("clicks.late", { clicks: late });
      return true;
    } catch (error) {
      if (error instanceof TemporaryFailure) return false;
      // A bug would fail again for ever.
      this.#lose([booking], String(error));
      return true;
    }
  }

  #giveUpOld(): void {
    const oldestMs = this.#services.clock.now() - BOOKING_TRIED_MS;
    const isOld = ({ sinceMs }: Booking) => sinceMs < oldestMs;
    this.#lose(this.#waiting.filter(isOld), "too old");
    this.#waiting = this.#waiting.filter((each) => !isOld(each));
  }

  #lose(bookings: readonly Booking[], reason: string): void {
    const clicks = bookings.reduce((sum, each) => sum + each.clicks, 0);
    if (clicks === 0) return;
    this.#clicks -= clicks;
    this.#services.log.error("clicks.lost", { clicks, why: reason });
  }
}
