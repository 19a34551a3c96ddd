import { type Day, DAY_MS, dayOf, startOfDayMs } from "../day.ts";
import type { Services, StartTimer } from "../ports.ts";
import { readClickSalt } from "./click_salt.ts";

/** What salts are kept with. */
export interface DaySaltsOptions {
  services: Pick<Services, "store" | "ids" | "clock" | "log">;
  startTimer: StartTimer;
}

/** A salt and the day it is for. */
interface DaySalt {
  fromMs: number;
  untilMs: number;
  salt: string;
}

/**
 * The salt of today in this isolate. It is read from the store once a day and
 * forgotten at its end. While the store does not answer, this isolate uses one
 * of its own, so that it still knows repeats.
 */
export class DaySalts {
  readonly #options: DaySaltsOptions;
  #shared: DaySalt | null = null;
  #own: DaySalt | null = null;
  #reading: { day: Day; salt: Promise<string> } | null = null;
  #callOff: () => void = () => {};

  constructor(options: DaySaltsOptions) {
    this.#options = options;
  }

  /** The salt at a moment; a promise, which never rejects, until it is known. */
  at(atMs: number): string | Promise<string> {
    if (isAt(this.#shared, atMs)) return this.#shared.salt;
    const day = dayOf(atMs);
    if (this.#reading?.day === day) return this.#reading.salt;
    const salt = this.#read(day).finally(() => {
      if (this.#reading?.day === day) this.#reading = null;
    });
    this.#reading = { day, salt };
    return salt;
  }

  /** Forgets everything. */
  close(): void {
    this.#callOff();
    this.#shared = null;
    this.#own = null;
  }

  async #read(day: Day): Promise<string> {
    const { services, startTimer } = this.#options;
    const fromMs = startOfDayMs(day);
    const untilMs = fromMs + DAY_MS;
    try {
      const salt = await readClickSalt(services, day);
      this.close();
      this.#shared = { fromMs, untilMs, salt };
      const leftMs = Math.max(1, untilMs - services.clock.now());
      this.#callOff = startTimer(() => this.close(), leftMs);
      return salt;
    } catch (error) {
      services.log.error("clicks.salt_unread", { error: String(error) });
      if (!isAt(this.#own, fromMs)) {
        this.#own = { fromMs, untilMs, salt: services.ids.secret() };
      }
      return this.#own.salt;
    }
  }
}

function isAt(salt: DaySalt | null, atMs: number): salt is DaySalt {
  return salt !== null && atMs >= salt.fromMs && atMs < salt.untilMs;
}
