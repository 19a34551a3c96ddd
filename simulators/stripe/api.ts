/**
 * Answers the requests of the API: who asks, what for, whether it was asked
 * before, what goes wrong on the way, and then the work itself.
 *
 * @module
 */

import type { Account } from "./account.ts";
import type { Books } from "./books.ts";
import { Call } from "./call.ts";
import { ApiError, serverError } from "./errors.ts";
import { expandAnswer } from "./expand.ts";
import type { Fault, Faults } from "./faults.ts";
import { parseForm } from "./form.ts";
import {
  asksForPreview,
  checkCaller,
  readKey,
  refusedEarly,
  type RequestKey,
  resetOf,
  unknownUrl,
  versionOf,
} from "./gate.ts";
import { type IdempotencyRecord, MAX_KEY_LENGTH } from "./idempotency.ts";
import { randomText } from "./ids.ts";
import type { LoggedRequest, RequestLog } from "./request_log.ts";
import type { Match, Prepared, Router } from "./route.ts";
import type { Schedule } from "./timers.ts";
import type { WebhookSender } from "./webhooks.ts";
import {
  errorAnswer,
  textAnswer,
  type WireAnswer,
  type WireOutcome,
  type WireRequest,
} from "./wire.ts";

/** What the API works with. */
export interface ApiSetting {
  /** The processor's state. */
  books: Books;
  /** Finds the route of a request. */
  router: Router;
  /** What is to go wrong. */
  faults: Faults;
  /** Remembers the requests. */
  requests: RequestLog;
  /** Sends the events. */
  webhooks: WebhookSender;
  /** The key callers must present. */
  secretKey: string;
  /** Address of the simulator. */
  baseUrl: string;
  /** Whose account it is. */
  account: Account;
  /** Epoch milliseconds. */
  now: () => number;
  /** Numbers from 0 up to but not 1. */
  random: () => number;
  /** Waits before slow answers. */
  schedule: Schedule;
  /** Told of what broke. */
  log: (line: string) => void;
}

/** A request on its way through. */
interface Transit {
  request: WireRequest;
  entry: LoggedRequest;
  match: Match;
  /** The key and what it stands for, on requests that have one. */
  key: RequestKey | null;
}

/** The simulated API. */
export class Api {
  #setting: ApiSetting;
  #held = new Set<() => void>();
  #isStopped = false;

  /** Builds the API over what it works with. */
  constructor(setting: ApiSetting) {
    this.#setting = setting;
  }

  /** Answers a request, or does what a fault demands instead. */
  async handle(request: WireRequest): Promise<WireOutcome> {
    const entry = this.#newEntry(request);
    this.#setting.requests.add(entry);
    const outcome = await this.#answer(request, entry).catch(
      (error) => this.#toAnswer(error),
    );
    if (typeof outcome === "string") return outcome;
    entry.status = outcome.status;
    const version = versionOf(request);
    outcome.headers["request-id"] = entry.request_id;
    outcome.headers["stripe-version"] = version;
    if (entry.idempotency_key !== null) {
      outcome.headers["idempotency-key"] = entry.idempotency_key;
    }
    return outcome;
  }

  /** Answers what is no call of the API, with the faults of its path. */
  async disturb(
    request: WireRequest,
    answer: () => Promise<WireAnswer>,
  ): Promise<WireOutcome> {
    const entry = this.#newEntry(request);
    this.#setting.requests.add(entry);
    const { method, path } = request;
    const fault = this.#setting.faults.take(method, path, false);
    entry.fault = fault?.kind ?? null;
    const outcome = refusedEarly(fault) ?? await this.#obey(fault, answer);
    if (typeof outcome === "object") entry.status = outcome.status;
    return outcome;
  }

  /** Lets every held request go on. */
  releaseHeld(): void {
    for (const release of this.#held) release();
    this.#held.clear();
  }

  /** How many requests are held. */
  get heldCount(): number {
    return this.#held.size;
  }

  /** Answers what is held with a 500. */
  stop(): void {
    this.#isStopped = true;
    this.releaseHeld();
  }

  async #answer(
    request: WireRequest,
    entry: LoggedRequest,
  ): Promise<WireOutcome> {
    checkCaller(request, this.#setting.secretKey);
    const { method, path } = request;
    const match = this.#setting.router.find(method, path);
    const isHidden = match?.route.isPreview && !asksForPreview(request);
    if (match === null || isHidden) throw unknownUrl(request);
    const key = readKey(request);
    const transit = { request, entry, match, key };
    const saved = key === null ? null : this.#setting.books.keys.find(
      key.key,
      key.endpoint,
      key.fingerprint,
      this.#setting.now(),
    );
    const fault = this.#setting.faults.take(method, path, saved !== null);
    entry.fault = fault?.kind ?? null;
    if (key === null) return await this.#execute(transit, fault);
    if (saved !== null) return await this.#replay(saved, entry, fault);
    this.#setting.books.keys.begin(key.key);
    try {
      return await this.#execute(transit, fault);
    } finally {
      this.#setting.books.keys.finish(key.key);
    }
  }

  async #replay(
    saved: IdempotencyRecord,
    entry: LoggedRequest,
    fault: Fault | null,
  ): Promise<WireOutcome> {
    entry.replayed = true;
    const early = refusedEarly(fault);
    if (early !== null) return early;
    return await this.#sendBack(
      fault,
      textAnswer(saved.status, saved.body, {
        "idempotent-replayed": "true",
        "original-request": saved.requestId,
      }),
    );
  }

  async #execute(
    transit: Transit,
    fault: Fault | null,
  ): Promise<WireOutcome> {
    const early = refusedEarly(fault);
    if (early !== null) return early;
    if (fault?.kind === "hold") await this.#hold();
    if (fault?.kind === "error_before_effect") {
      return this.#failBefore(transit, fault);
    }
    const { match, request } = transit;
    const form = request.method === "POST" ? request.body : request.query;
    const prepared = match.route.prepare(
      parseForm(form),
      match.ids,
      asksForPreview(request),
    );
    const fails = fault?.kind === "error_after_effect";
    const answer = this.#run(transit, prepared, fails);
    return await this.#sendBack(fault, answer);
  }

  /** The work, committed together with its saved result. */
  #run(transit: Transit, prepared: Prepared, fails: boolean): WireAnswer {
    const { books, faults, now, random, webhooks } = this.#setting;
    const { request, entry, key } = transit;
    const nowMs = now();
    const eventIds: string[] = [];
    const setting = {
      books,
      nowMs,
      random,
      baseUrl: this.#setting.baseUrl,
      account: this.#setting.account,
      request: { id: entry.request_id, idempotency_key: key?.key ?? null },
      webhookUrl: webhooks.targetUrl,
      takeOutcome: () => faults.takeOutcome(request.method, request.path),
    };
    try {
      const answer = books.transact(nowMs, (change) => {
        const call = new Call(setting, change);
        const done = fails
          ? afterwards(perform(call, prepared))
          : perform(call, prepared);
        if (key !== null) change.save(this.#record(transit, done, nowMs));
        eventIds.push(...call.eventIds);
        return done;
      });
      webhooks.enqueue(eventIds);
      return answer;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return this.#saveRefusal(transit, errorAnswer(error), nowMs);
    }
  }

  /** A refusal that undid its work is a first result all the same. */
  #saveRefusal(
    transit: Transit,
    answer: WireAnswer,
    nowMs: number,
  ): WireAnswer {
    if (transit.key === null) return answer;
    this.#setting.books.transact(nowMs, (change) => {
      change.save(this.#record(transit, answer, nowMs));
    });
    return answer;
  }

  async #obey(
    fault: Fault | null,
    answer: () => Promise<WireAnswer>,
  ): Promise<WireOutcome> {
    if (fault?.kind === "hold") await this.#hold();
    const failed = errorAnswer(serverError());
    if (fault?.kind === "error_before_effect") return failed;
    const given = await answer();
    const fails = fault?.kind === "error_after_effect";
    return await this.#sendBack(fault, fails ? failed : given);
  }

  #failBefore(transit: Transit, fault: Fault): WireAnswer {
    const answer = errorAnswer(serverError());
    if (fault.saved === false) return answer;
    return this.#saveRefusal(transit, answer, this.#setting.now());
  }

  #record(
    { key, entry }: Transit,
    { status, body }: WireAnswer,
    savedAtMs: number,
  ): IdempotencyRecord {
    if (key === null) throw new Error("Cannot save a result without a key");
    const requestId = entry.request_id;
    return { ...key, savedAtMs, status, body: String(body), requestId };
  }

  async #sendBack(
    fault: Fault | null,
    answer: WireAnswer,
  ): Promise<WireOutcome> {
    if (fault?.kind === "reset_after_effect") return resetOf(fault);
    if (fault?.kind === "timeout_after_effect") return "silence";
    if (fault?.kind === "slow") await this.#pause(fault.delay_ms ?? 1_000);
    return answer;
  }

  async #hold(): Promise<void> {
    if (this.#isStopped) return;
    await new Promise<void>((resolve) => this.#held.add(resolve));
    if (this.#isStopped) throw serverError();
  }

  async #pause(ms: number): Promise<void> {
    if (this.#isStopped) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#held.add(resolve);
    const cancel = this.#setting.schedule(ms, resolve);
    await promise;
    cancel();
    this.#held.delete(resolve);
  }

  #newEntry({ method, path, header }: WireRequest): LoggedRequest {
    return {
      request_id: `req_${randomText(this.#setting.random, 16)}`,
      at_ms: this.#setting.now(),
      method,
      path: path.slice(0, 500),
      idempotency_key: header("idempotency-key")?.slice(0, MAX_KEY_LENGTH) ??
        null,
      replayed: false,
      fault: null,
      status: null,
    };
  }

  #toAnswer(error: unknown): WireAnswer {
    if (error instanceof ApiError) return errorAnswer(error);
    const text = error instanceof Error ? error.stack : String(error);
    this.#setting.log(`request failed: ${text}`);
    return errorAnswer(serverError());
  }
}

/** Does the work; a declined card is an answer that leaves its traces. */
function perform(call: Call, prepared: Prepared): WireAnswer {
  try {
    const body = expandAnswer(call, prepared.run(call), prepared.expand);
    return textAnswer(200, JSON.stringify(body));
  } catch (error) {
    if (error instanceof ApiError && error.keepsEffect) {
      return errorAnswer(error);
    }
    throw error;
  }
}

/** What was done stays done, but the caller hears of a 500. */
function afterwards(_done: WireAnswer): WireAnswer {
  return errorAnswer(serverError());
}
