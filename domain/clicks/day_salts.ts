import { type Day, DAY_MS, startOfDayMs } from "../day.ts";
import type { Services } from "../ports.ts";
import type { StartTimer } from "../webhooks/event_rows.ts";
import { readClickSalt } from "./click_salt.ts";

/** What salts are kept with. */
export interface DaySaltsOptions {
  services: Pick<Services, "store" | "ids" | "clock" | "log">;
  startTimer: StartTimer;
}

/**
 * The salt of today in this isolate. It is read from the store once a day and
 * forgotten at its end. While the store does not answer, this isolate uses one
 * of its own, so that it still knows repeats.
 */
export class DaySalts {
  readonly #options: DaySaltsOptions;
  #shared: { day: Day; salt: string } | null = null;
  #own: { day: Day; salt: string } | null = null;
  #reading: { day: Day; salt: Promise<string> } | null = null;
  #callOff: () => void = () => {};

  constructor(options: DaySaltsOptions) {
    this.#options = options;
  }

  /** The salt of a day; a promise, which never rejects, until it is known. */
  of(day: Day): string | Promise<string> {
    if (this.#shared?.day === day) return this.#shared.salt;
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
    try {
      const salt = await readClickSalt(services, day);
      this.close();
      this.#shared = { day, salt };
      const leftMs = startOfDayMs(day) + DAY_MS - services.clock.now();
      this.#callOff = startTimer(() => this.close(), Math.max(1, leftMs));
      return salt;
    } catch (error) {
      services.log.error("clicks.salt_unread", { error: String(error) });
      if (this.#own?.day !== day) {
        this.#own = { day, salt: services.ids.secret() };
      }
      return this.#own.salt;
    }
  }
}
