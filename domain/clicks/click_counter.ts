import type { Day } from "../day.ts";
import { TemporaryFailure } from "../failure.ts";
import type { Services, StartTimer } from "../ports.ts";
import { bookingsOf, type WaitingClick } from "./booking.ts";
import { BookingQueue } from "./booking_queue.ts";
import type { NotHumanReason } from "./click.ts";
import { DaySalts } from "./day_salts.ts";
import { FinalTimeReader } from "./final_times.ts";
import { NetworkBounds } from "./network_bounds.ts";
import {
  type ClickJudge,
  type ClickRequest,
  type JudgedRequest,
  judgedRequest,
} from "./request_outcome.ts";
import { visitorHash } from "./visitor.ts";
import { VisitorMemory } from "./visitor_memory.ts";

/**
 * From the first click to the commit that books it: half of what a crash may
 * lose, since the commit takes its time too.
 */
export const BOOK_AFTER_MS = 250;
/** Between two retries while the store does not answer. */
export const BOOK_AGAIN_AFTER_MS = 1_000;
/** Clicks that may wait for the store: about 20 MB; further ones are dropped. */
const WAITING_MAX = 100_000;
/** Attempts to book when the service stops, of a few seconds each at most. */
const LAST_ATTEMPTS = 2;

/** What clicks are counted with. */
export interface ClickCounterOptions {
  services: Pick<Services, "store" | "clock" | "ids" | "log">;
  judge: ClickJudge;
  startTimer: StartTimer;
  waitingMax?: number;
  /** Visitors that are known without asking the store. */
  rememberedMax?: number;
}

/** Counts the clicks of an isolate. */
export interface ClickCounter {
  /**
   * Counts a request for a day once the rate limiter has admitted it; never
   * waits and never throws.
   */
  note(day: Day, request: ClickRequest, admitted: Promise<boolean>): void;
  /** Waits for what is under way. */
  idle(): Promise<void>;
  /** Books what is left, in bounded time. */
  close(): Promise<void>;
}

/** Makes the counter of one isolate. */
export function createClickCounter(options: ClickCounterOptions): ClickCounter {
  return new BufferedCounter(options);
}

/**
 * Collects clicks and books them together a little later. A request is judged
 * at once, so that no address is kept while its click waits to be booked.
 */
class BufferedCounter implements ClickCounter {
  readonly #options: ClickCounterOptions;
  readonly #visitors: VisitorMemory;
  readonly #bounds = new NetworkBounds();
  readonly #salts: DaySalts;
  readonly #finalTimes: FinalTimeReader;
  readonly #queue: BookingQueue;
  #fresh: WaitingClick[] = [];
  #dropped = 0;
  /** Clicks that wait for the rate limiter, or for the salt of the day. */
  readonly #unjudged = new Set<Promise<void>>();
  #callOff: (() => void) | null = null;
  #running: Promise<void> | null = null;
  #isDue = false;
  #isClosed = false;
  /** Whether the log says that the store does not answer. */
  #isHeldUp = false;

  constructor(options: ClickCounterOptions) {
    const { services } = options;
    this.#options = options;
    this.#visitors = new VisitorMemory(options.rememberedMax);
    this.#salts = new DaySalts(options);
    this.#finalTimes = new FinalTimeReader(services);
    this.#queue = new BookingQueue(services, this.#visitors);
  }

  note(day: Day, request: ClickRequest, admitted: Promise<boolean>): void {
    if (this.#unjudged.size >= this.#waitingMax) {
      this.#dropped += 1;
      return;
    }
    this.#track(this.#noted(day, request, admitted));
  }

  /**
   * Its headers are read at once: it may be answered before it is admitted, and
   * over HTTP/2 nobody can read a request then.
   */
  async #noted(
    day: Day,
    request: ClickRequest,
    admitted: Promise<boolean>,
  ): Promise<void> {
    const judged = judgedRequest(request, this.#options.judge);
    if (await admitted) this.#judge(day, judged);
  }

  #track(step: Promise<void>): void {
    const tracked = step.catch((error) => this.#lose(1, error))
      .finally(() => this.#unjudged.delete(tracked));
    this.#unjudged.add(tracked);
  }

  /** Logs clicks lost by a bug, which must not cost anyone their redirect. */
  #lose(clicks: number, error: unknown): void {
    const { log } = this.#options.services;
    log.error("clicks.lost", { clicks, why: String(error) });
  }

  #judge(day: Day, request: JudgedRequest): void {
    const { atMs, reason } = request;
    if (reason !== null) return this.#add(notHuman(day, atMs, reason));
    const salt = this.#salts.at(atMs);
    if (typeof salt === "string") return this.#addVisit(day, request, salt);
    this.#track(salt.then((text) => this.#addVisit(day, request, text)));
  }

  async idle(): Promise<void> {
    while (this.#unjudged.size > 0) await Promise.all(this.#unjudged);
    await this.#running;
  }

  async close(): Promise<void> {
    await this.idle();
    this.#isClosed = true;
    this.#callOff?.();
    await this.#running;
    for (let left = LAST_ATTEMPTS; left > 0 && this.#waiting > 0; left--) {
      await this.#book();
    }
    this.#salts.close();
    this.#dropped += this.#fresh.splice(0).length;
    this.#logDropped();
    this.#queue.giveUp("the service stops");
  }

  get #waitingMax(): number {
    return this.#options.waitingMax ?? WAITING_MAX;
  }

  get #waiting(): number {
    return this.#fresh.length + this.#queue.clicks;
  }

  #addVisit(day: Day, request: JudgedRequest, salt: string): void {
    const { atMs, address, userAgent } = request;
    const visitor = visitorHash(salt, day, address, userAgent);
    const isRepeat = this.#visitors.isRepeat(visitor, atMs) ||
      !this.#bounds.take(address, atMs);
    if (isRepeat) {
      return this.#add(notHuman(day, atMs, "repeat"));
    }
    const country = this.#options.judge.countryOf(address);
    this.#add({ day, atMs, reason: null, visitor, country });
  }

  #add(click: WaitingClick): void {
    if (this.#waiting >= this.#waitingMax) {
      this.#dropped += 1;
      return;
    }
    this.#fresh.push(click);
    this.#plan(BOOK_AFTER_MS);
  }

  #plan(afterMs: number): void {
    if (this.#isClosed) return;
    this.#callOff ??= this.#options.startTimer(() => {
      this.#callOff = null;
      this.#isDue = true;
      this.#running ??= this.#run();
    }, afterMs);
  }

  /** Books until nothing is due; never rejects. */
  async #run(): Promise<void> {
    while (this.#isDue) {
      this.#isDue = false;
      await this.#book();
    }
    this.#running = null;
  }

  async #book(): Promise<void> {
    this.#visitors.forget(this.#options.services.clock.now());
    this.#logDropped();
    const put = await this.#putFreshIntoQueue();
    const left = await this.#queue.run();
    const isHeldUp = left || !put;
    if (isHeldUp) this.#plan(BOOK_AGAIN_AFTER_MS);
    if (isHeldUp === this.#isHeldUp) return;
    this.#isHeldUp = isHeldUp;
    const { log } = this.#options.services;
    if (isHeldUp) log.error("clicks.held_up", { clicks: this.#waiting });
    else log.info("clicks.booked_again");
  }

  /** False when the store did not answer: the clicks wait for the next run. */
  async #putFreshIntoQueue(): Promise<boolean> {
    const clicks = this.#fresh;
    if (clicks.length === 0) return true;
    const { ids } = this.#options.services;
    try {
      const days = clicks.map(({ day }) => day);
      const finalTimes = await this.#finalTimes.read(days);
      // Clicks that came meanwhile stay: their days may not have been read.
      this.#fresh = clicks.splice(days.length);
      this.#queue.add(bookingsOf(clicks, finalTimes, () => ids.next("clb")));
      return true;
    } catch (error) {
      if (error instanceof TemporaryFailure) return false;
      this.#lose(this.#fresh.splice(0).length, error);
      return true;
    }
  }

  #logDropped(): void {
    if (this.#dropped === 0) return;
    const { log } = this.#options.services;
    log.error("clicks.dropped", { clicks: this.#dropped });
    this.#dropped = 0;
  }
}

function notHuman(
  day: Day,
  atMs: number,
  reason: NotHumanReason,
): WaitingClick {
  return { day, atMs, reason, visitor: "", country: null };
}
