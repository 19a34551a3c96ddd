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
}

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
}

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

/** Delivers events one after the other. */
export class WebhookSender {
  #setting: WebhookSetting;
  #target: WebhookTarget | null;
  #ready: Delivery[] = [];
  #waiting = new Map<Delivery, () => void>();
  #faults: WebhookFaults = {};
  #isHeld = false;
  #isStopped = false;
  #pumping: Promise<void> | null = null;
  #underWay: AbortController | null = null;

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

  /** Whether events go anywhere. */
  get hasTarget(): boolean {
    return this.#target !== null;
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

  /** How many deliveries are kept back, in line or waiting. */
  get backlog(): { ready: number; waiting: number; held: boolean } {
    return {
      ready: this.#ready.length,
      waiting: this.#waiting.size,
      held: this.#isHeld,
    };
  }

  /** Resolves once nothing is being sent and nothing may be sent now. */
  async idle(): Promise<void> {
    while (this.#pumping !== null) await this.#pumping;
  }

  /** Gives up what is under way; the books remember what is undelivered. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    for (const cancel of this.#waiting.values()) cancel();
    this.#waiting.clear();
    this.#underWay?.abort();
    await this.idle();
  }

  #pump(): void {
    if (this.#pumping !== null || !this.#maySend) return;
    this.#pumping = this.#sendAll().finally(() => {
      this.#pumping = null;
      this.#pump();
    });
  }

  get #maySend(): boolean {
    const isOpen = !this.#isHeld && !this.#isStopped && this.#target !== null;
    return isOpen && this.#ready.length > 0;
  }

  async #sendAll(): Promise<void> {
    while (this.#maySend) {
      const any = this.#strikes(this.#faults.shuffle);
      const at = any
        ? Math.floor(this.#setting.random() * this.#ready.length)
        : 0;
      const [delivery] = this.#ready.splice(at, 1);
      if (delivery !== undefined) await this.#attempt(delivery);
    }
  }

  async #attempt(delivery: Delivery): Promise<void> {
    const { books, log } = this.#setting;
    const event = books.tables.event.get(delivery.eventId);
    if (event === undefined || this.#target === null) return;
    const answer = await this.#send(this.#target, JSON.stringify(event));
    delivery.attempts += 1;
    if (answer === "ok") return this.#delivered(delivery.eventId);
    if (this.#isStopped) return;
    log(`webhook ${event.type} ${event.id} not delivered: ${answer}`);
    if (delivery.attempts < MAX_ATTEMPTS) {
      this.#wait(delivery, retryAfterMs(delivery.attempts));
    }
  }

  async #send(target: WebhookTarget, payload: string): Promise<string> {
    const seconds = Math.floor(this.#setting.now() / 1_000);
    const abort = this.#underWay = new AbortController();
    const timer = setTimeout(() => abort.abort(), ANSWER_WITHIN_MS);
    try {
      const response = await fetch(target.url, {
        method: "POST",
        headers: {
          "content-type": "application/json; charset=utf-8",
          "stripe-signature": signPayload(payload, target.secret, seconds),
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
      this.#underWay = null;
    }
  }

  #delivered(eventId: string): void {
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
