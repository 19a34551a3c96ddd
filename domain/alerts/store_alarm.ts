import { renderMail } from "../mail/render_mail.ts";
import type { Mailer } from "../mail/mailer.ts";
import type { Ids, Log, Settings, StartTimer } from "../ports.ts";
import type { Trouble } from "./alert.ts";
import { alertMail, type AlertNews } from "./alert_mails.ts";
import { receiversOf } from "./send_alerts.ts";

/** An outage that is over sooner is told to nobody. */
const PATIENCE_MS = 60_000;
/**
 * The same of a disk that is full or read-only: it does not mend itself, and the
 * runtime ends the process within a minute or two, when it can't delete a row
 * that has expired.
 */
const DISK_PATIENCE_MS = 10_000;
const OF_DISK = /\bdisk\b|read-?only/i;
/** Between the tries to tell somebody, and how many there are. */
const PAUSE_MS = 60_000;
const TRIES_MAX = 10;

const TROUBLE: Trouble = { kind: "store_unwritable", subject: "" };

/** What the alarm is made of. */
export interface StoreAlarmParts {
  mailer: Mailer;
  ids: Ids;
  log: Log;
  settings: Settings;
  startTimer: StartTimer;
}

/**
 * Tells operators that the store takes no writes, past the outbox, which is in
 * it: once an outage, after a minute of it, of a disk's after ten seconds, and once
 * when it is over. It is this process that tells, so several tell it each.
 */
export class StoreAlarm {
  readonly #parts: StoreAlarmParts;
  readonly #timers = new Set<() => void>();
  #isDown = false;
  #isTold = false;
  /** Ends the wait for the minute of an outage. */
  #callOff = (): void => {};

  constructor(parts: StoreAlarmParts) {
    this.#parts = parts;
  }

  /** Hears that the store is down, or, with null, that it is back. */
  changed(why: string | null): void {
    const isDown = why !== null;
    if (isDown === this.#isDown) return;
    this.#isDown = isDown;
    // The minute is of this outage, not of one before it.
    this.#callOff();
    if (isDown) {
      this.#callOff = this.#later(() => {
        this.#isTold = true;
        this.#tell({ begun: [TROUBLE], over: [] });
      }, OF_DISK.test(why) ? DISK_PATIENCE_MS : PATIENCE_MS);
    } else if (this.#isTold) {
      this.#isTold = false;
      this.#tell({ begun: [], over: [TROUBLE] });
    }
  }

  /** Tells nothing more. */
  close(): void {
    this.#timers.forEach((callOff) => callOff());
    this.#timers.clear();
  }

  #tell(news: AlertNews): void {
    const { settings, ids } = this.#parts;
    for (const to of receiversOf(settings)) {
      const mail = renderMail(alertMail(settings, to, news));
      void this.#send({ ...mail, id: ids.next("mail") }, 1);
    }
  }

  async #send(
    mail: Parameters<Mailer["send"]>[0],
    nth: number,
  ): Promise<void> {
    try {
      await this.#parts.mailer.send(mail);
    } catch {
      if (nth < TRIES_MAX) {
        this.#later(() => void this.#send(mail, nth + 1), PAUSE_MS);
      } else this.#parts.log.error("alert.untold", { mail: mail.id });
    }
  }

  #later(run: () => void, ms: number): () => void {
    const callOff = this.#parts.startTimer(() => {
      this.#timers.delete(callOff);
      run();
    }, ms);
    this.#timers.add(callOff);
    return () => {
      this.#timers.delete(callOff);
      callOff();
    };
  }
}
