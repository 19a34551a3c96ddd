/**
 * Sends events to the endpoint until it answers 2xx.
 *
 * @module
 */

import type { Books } from "./books.ts";
import { signPayload } from "./signature.ts";
import type { Schedule } from "./timers.ts";

/** Where events go. */
export interface WebhookTarget {
  /** The endpoint's address. */
  url: string;
  /** The endpoint's signing secret. */
  secret: string;
  /** The secret before it, while the endpoint's secret is being changed. */
  oldSecret?: string;
  /** Most deliveries under way at once; 1, which keeps order, unless said. */
  concurrency?: number;
}

/** Most deliveries that can be under way at once. */
export const MAX_CONCURRENCY = 256;

/** How deliveries go wrong, each from 0 (never) to 1 (always). */
export interface WebhookFaults {
  /** The next event sent is any of those waiting. */
  shuffle?: number;
  /** The event is sent twice. */
  duplicate?: number;
  /** The event is sent `delay_ms` later. */
  delay?: number;
  /** Milliseconds a delayed event waits; a minute unless said. */
  delay_ms?: number;
  /** The event never arrives though it counts as delivered. */
  lose?: number;
}

/** Takes a delivery to its endpoint, and brings back the answer. */
export type Travel = (url: string, init: RequestInit) => Promise<Response>;

/** What the sender needs. */
export interface WebhookSetting {
  /** Where the events are. */
  books: Books;
  /** Epoch milliseconds. */
  now: () => number;
  /** Decides about faults. */
  random: () => number;
  /** Waits between attempts. */
  schedule: Schedule;
  /** Tells of failed deliveries. */
  log: (line: string) => void;
  /** How a delivery travels. */
  travel: Travel;
}

/** Attempts per event; then it waits for the next start. */
export const MAX_ATTEMPTS = 16;

const FIRST_RETRY_MS = 1_000;
const LAST_RETRY_MS = 60 * 60 * 1_000;
const ANSWER_WITHIN_MS = 10_000;
const DELAY_MS = 60_000;

interface Delivery {
  eventId: string;
  attempts: number;
}

/** Delivers events. */
export class WebhookSender {
  #setting: WebhookSetting;
  #target: WebhookTarget | null;
  #ready: Delivery[] = [];
  #waiting = new Map<Delivery, () => void>();
  #faults: WebhookFaults = {};
  #isHeld = false;
  #isStopped = false;
  #underWay = new Map<AbortController, Promise<void>>();

  /** @internal Takes up what earlier runs left undelivered. */
  constructor(setting: WebhookSetting, target: WebhookTarget | null) {
    this.#setting = setting;
    this.#target = target;
    const events = setting.books.tables.event.values();
    for (const { id, pending_webhooks } of events) {
      if (pending_webhooks > 0) this.#ready.push({ eventId: id, attempts: 0 });
    }
    this.#pump();
  }

  /** Where events go; null for nowhere. */
  get targetUrl(): string | null {
    return this.#target?.url ?? null;
  }

  /** Sends events elsewhere from now on, or nowhere. */
  setTarget(target: WebhookTarget | null): void {
    this.#target = target;
    this.#pump();
  }

  /** Sends these events soon. */
  enqueue(eventIds: string[]): void {
    if (this.#target === null) return;
    for (const eventId of eventIds) {
      if (this.#strikes(this.#faults.lose)) {
        this.#lose(eventId);
        continue;
      }
      const delivery = { eventId, attempts: 0 };
      if (this.#strikes(this.#faults.delay)) {
        this.#wait(delivery, this.#faults.delay_ms ?? DELAY_MS);
      } else this.#ready.push(delivery);
      if (this.#strikes(this.#faults.duplicate)) {
        this.#ready.push({ eventId, attempts: 0 });
      }
    }
    this.#pump();
  }

  /** Sends an event once more, whatever became of it before. */
  resend(eventId: string): void {
    this.#ready.push({ eventId, attempts: 0 });
    this.#pump();
  }

  /** Ids of the events that were lost and not sent again since. */
  lost(): string[] {
    return [...this.#setting.books.tables.lost_event.values()]
      .map(({ id }) => id);
  }

  /** Sends every event that was lost; tells how many. */
  resendLost(): number {
    const ids = this.lost();
    const { books, now } = this.#setting;
    books.transact(now(), (change) => {
      for (const id of ids) change.remove("lost_event", id);
    });
    for (const id of ids) this.resend(id);
    return ids.length;
  }

  /** Keeps events back from now on. */
  hold(): void {
    this.#isHeld = true;
  }

  /** Sends what was kept back, in order or shuffled. */
  release(how: { shuffle?: boolean } = {}): void {
    if (how.shuffle) this.#ready = shuffled(this.#ready, this.#setting.random);
    this.#isHeld = false;
    this.#pump();
  }

  /** Orders faults in place of those before. */
  setFaults(faults: WebhookFaults): void {
    this.#faults = { ...faults };
  }

  /** Sends now what waits for another attempt or was delayed. */
  retryNow(): void {
    for (const [delivery, cancel] of this.#waiting) {
      cancel();
      this.#ready.push(delivery);
    }
    this.#waiting.clear();
    this.#pump();
  }

  /** How many deliveries are kept back, in line, waiting, or lost. */
  get backlog(): {
    ready: number;
    waiting: number;
    lost: number;
    held: boolean;
  } {
    return {
      ready: this.#ready.length,
      waiting: this.#waiting.size,
      lost: this.#setting.books.tables.lost_event.size,
      held: this.#isHeld,
    };
  }

  /** Resolves once nothing is being sent and nothing may be sent now. */
  async idle(): Promise<void> {
    while (this.#underWay.size > 0) {
      await Promise.all(this.#underWay.values());
    }
  }

  /** Gives up what is under way; the books remember what is undelivered. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    for (const cancel of this.#waiting.values()) cancel();
    this.#waiting.clear();
    for (const abort of this.#underWay.keys()) abort.abort();
    await this.idle();
  }

  #pump(): void {
    while (this.#maySend) {
      const delivery = this.#next();
      if (delivery === undefined) return;
      const abort = new AbortController();
      const sent = this.#attempt(delivery, abort)
        .catch((error) => this.#setting.log(`webhook failed: ${error}`))
        .finally(() => {
          this.#underWay.delete(abort);
          this.#pump();
        });
      this.#underWay.set(abort, sent);
    }
  }

  get #maySend(): boolean {
    const isOpen = !this.#isHeld && !this.#isStopped;
    if (!isOpen || this.#target === null) return false;
    const most = Math.min(this.#target.concurrency ?? 1, MAX_CONCURRENCY);
    return this.#ready.length > 0 && this.#underWay.size < most;
  }

  #next(): Delivery | undefined {
    if (!this.#strikes(this.#faults.shuffle)) return this.#ready.shift();
    const at = Math.floor(this.#setting.random() * this.#ready.length);
    return this.#ready.splice(at, 1)[0];
  }

  async #attempt(delivery: Delivery, abort: AbortController): Promise<void> {
    const { books, log } = this.#setting;
    const event = books.tables.event.get(delivery.eventId);
    if (event === undefined || this.#target === null) return;
    const answer = await this.#send(this.#target, JSON.stringify(event), abort);
    delivery.attempts += 1;
    if (answer === "ok") return this.#settle(delivery.eventId);
    if (this.#isStopped) return;
    log(`webhook ${event.type} ${event.id} not delivered: ${answer}`);
    if (delivery.attempts < MAX_ATTEMPTS) {
      this.#wait(delivery, retryAfterMs(delivery.attempts));
    }
  }

  async #send(
    { url, secret, oldSecret }: WebhookTarget,
    payload: string,
    abort: AbortController,
  ): Promise<string> {
    const seconds = Math.floor(this.#setting.now() / 1_000);
    const secrets = oldSecret === undefined ? [secret] : [secret, oldSecret];
    const timer = setTimeout(() => abort.abort(), ANSWER_WITHIN_MS);
    try {
      const response = await this.#setting.travel(url, {
        method: "POST",
        headers: {
          "content-type": "application/json; charset=utf-8",
          "stripe-signature": signPayload(payload, secrets, seconds),
          "user-agent": "Stripe/1.0 (+https://stripe.com/docs/webhooks)",
        },
        body: payload,
        redirect: "manual",
        signal: abort.signal,
      });
      await response.body?.cancel();
      return response.ok ? "ok" : `status ${response.status}`;
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    } finally {
      clearTimeout(timer);
    }
  }

  /** What is lost counts as delivered: nobody tries again by himself. */
  #lose(eventId: string): void {
    const { books, now } = this.#setting;
    books.transact(now(), (change) => {
      change.put("lost_event", { id: eventId });
    });
    this.#settle(eventId);
  }

  #settle(eventId: string): void {
    const { books, now } = this.#setting;
    const event = books.tables.event.get(eventId);
    if (event === undefined || event.pending_webhooks === 0) return;
    books.transact(now(), (change) => {
      change.put("event", { ...event, pending_webhooks: 0 });
    });
  }

  #wait(delivery: Delivery, ms: number): void {
    const cancel = this.#setting.schedule(ms, () => {
      this.#waiting.delete(delivery);
      this.#ready.push(delivery);
      this.#pump();
    });
    this.#waiting.set(delivery, cancel);
  }

  #strikes(probability: number | undefined): boolean {
    return probability !== undefined && this.#setting.random() < probability;
  }
}

/** One second, then twice as long each time, up to an hour. */
export function retryAfterMs(attempts: number): number {
  return Math.min(FIRST_RETRY_MS * 2 ** (attempts - 1), LAST_RETRY_MS);
}

function shuffled<T>(values: T[], random: () => number): T[] {
  const left = [...values];
  const result: T[] = [];
  while (left.length > 0) {
    result.push(...left.splice(Math.floor(random() * left.length), 1));
  }
  return result;
}
