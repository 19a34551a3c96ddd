import type { Change } from "../domain/audit/operator_act.ts";
import { invariant } from "../domain/invariant.ts";
import {
  type ArchiveTask,
  isNewArchiveTask,
} from "../domain/invoices/archive_task.ts";
import type { Callback } from "../domain/callbacks/callback.ts";
import type { EventLog } from "../domain/events/event.ts";
import type { Invoice } from "../domain/invoices/invoice.ts";
import { commissionDueAtMs } from "../domain/partners/commission.ts";
import { isNewMail, type OutboxMail } from "../domain/mail/outbox_mail.ts";
import {
  type DataRequests,
  isRequestDue,
} from "../domain/privacy/data_requests.ts";
import type { Payout } from "../domain/partners/payout.ts";
import {
  type Counter,
  type Ref,
  TRACKED_READS_MAX,
  type Values,
} from "../domain/tables.ts";
import type { Spotlight } from "../domain/spotlights/spotlight.ts";
import { keyText } from "./key_text.ts";
import { keys, prefixes } from "./keys.ts";
import type { KvAtomic, KvWrite } from "./kv_like.ts";
import { isPossibleKey } from "./possible_key.ts";
import { MAX_KEYS_READ, type ReadMany } from "./read_many.ts";
import { counterRef, expiryOf, keyOfRef, type KvRef, valueOf } from "./refs.ts";

/** Mutations one commit may carry, without its mark and what logs it. */
export const MAX_MUTATIONS = 990;

/**
 * One attempt: remembers the versionstamp of all it read and buffers all it
 * writes, for one atomic commit.
 */
export class KvTransaction {
  readonly #readMany: ReadMany;
  readonly #nowMs: () => number;
  /** Keys whose read is or becomes a check, from the moment they are asked. */
  readonly #admitted = new Set<string>();
  readonly #reads = new Map<string, Deno.KvEntryMaybe<unknown>>();
  readonly #writes = new Map<string, KvWrite>();
  /** Round trips that read checks. */
  #rounds = 0;
  #ended = false;
  #touchedSpotlights = false;
  #noted: Change | null = null;
  /** A counter that `getMany` reads untracked. */
  readonly bidCounts: Counter<Parameters<typeof keys.bidCount>>;
  /** Counters that are only added to. */
  readonly clickCounts: Counter<Parameters<typeof keys.clickCount>>;
  readonly signUpCounts: Counter<Parameters<typeof keys.signUpCount>>;

  constructor(readMany: ReadMany, nowMs: () => number) {
    this.#readMany = readMany;
    this.#nowMs = nowMs;
    this.bidCounts = this.#counter(keys.bidCount);
    this.clickCounts = this.#counter(keys.clickCount);
    this.signUpCounts = this.#counter(keys.signUpCount);
  }

  #counter<Id extends readonly unknown[]>(
    keyOf: (...id: Id) => Deno.KvKey,
  ): Counter<Id> {
    return {
      ref: (...id) => counterRef(keyOf(...id)),
      add: (count, ...id) => this.sum(keyOf(...id), count),
      remove: (...id) => this.delete(keyOf(...id)),
    };
  }

  /** What it writes, each key once. */
  get buffered(): Iterable<KvWrite> {
    return this.#writes.values();
  }

  /** Whether there is anything to commit. */
  get writes(): boolean {
    return this.#writes.size > 0;
  }

  /** Reads up to 10 records in one round trip; see the port. */
  async getMany<const R extends readonly Ref<unknown>[]>(
    refs: R,
  ): Promise<Values<R>> {
    invariant(
      refs.length <= MAX_KEYS_READ,
      `one read names at most ${MAX_KEYS_READ} records`,
    );
    const wanted = refs.map(keyOfRef);
    wanted.forEach(({ key }) => this.#assertReadable(keyText(key)));
    const missing = this.#missing(wanted);
    const untracked = new Map<string, Deno.KvEntryMaybe<unknown>>();
    const entries = missing.length === 0
      ? []
      : await this.#readMany(missing.map((ref) => ref.key));
    entries.forEach((entry, at) => {
      const ref = missing[at];
      invariant(ref !== undefined, "the store answers only what it is asked");
      const text = keyText(ref.key);
      if (ref.tracked) this.#remember(text, entry);
      else untracked.set(text, entry);
    });
    return wanted.map((ref) => {
      const text = keyText(ref.key);
      const entry = this.#reads.get(text) ?? untracked.get(text);
      invariant(entry !== undefined, "a record that was read is remembered");
      return valueOf(entry, ref.tracked, this.#nowMs());
    }) as Values<R>;
  }

  /** Reads one record and makes it a check. */
  async get<T>(ref: Ref<T>): Promise<T | null> {
    const wanted = keyOfRef(ref);
    const text = keyText(wanted.key);
    this.#assertReadable(text);
    let entry = this.#reads.get(text);
    if (entry === undefined) {
      if (wanted.tracked) this.#admit([text]);
      const [read] = await this.#readMany([wanted.key]);
      invariant(read !== undefined, "the store answers every key it is asked");
      entry = wanted.tracked ? this.#remember(text, read) : read;
    }
    return valueOf<T>(entry, wanted.tracked, this.#nowMs());
  }

  /** Reads one record without making it a check. */
  async peek<T>(ref: Ref<T>): Promise<T | null> {
    const wanted = keyOfRef(ref);
    this.#assertReadable(keyText(wanted.key));
    const entry = this.#reads.get(keyText(wanted.key)) ??
      (await this.#readMany([wanted.key]))[0];
    invariant(entry !== undefined, "the store answers every key it is asked");
    return valueOf<T>(entry, wanted.tracked, this.#nowMs());
  }

  /**
   * What lies under the key as far as this attempt knows: the value it writes,
   * else the one it read, expired or not; `null` when it knows of none.
   */
  known(key: Deno.KvKey): unknown {
    const text = keyText(key);
    const write = this.#writes.get(text);
    if (write) return write.kind === "set" ? write.value : null;
    return this.#reads.get(text)?.value ?? null;
  }

  /** Buffers a write. */
  set(key: Deno.KvKey, value: unknown): void {
    this.#write({ kind: "set", key, value });
  }

  /** Buffers a removal. */
  delete(key: Deno.KvKey): void {
    this.#write({ kind: "delete", key });
  }

  /** Buffers an addition to a counter that is neither tracked nor written. */
  sum(key: Deno.KvKey, count: number): void {
    const text = keyText(key);
    invariant(!this.#admitted.has(text), "a summed key is never tracked");
    invariant(Number.isSafeInteger(count), "a counter counts whole numbers");
    const before = this.#writes.get(text) ?? { kind: "sum", count: 0n };
    invariant(before.kind === "sum", "a summed key is never written");
    // The store's counters are unsigned, and go round: less is nearly all more.
    const sum = BigInt.asUintN(64, before.count + BigInt(count));
    this.#write({ kind: "sum", key, count: sum });
  }

  /** The Spotlights written, of which every isolate is notified. */
  changedSpotlights(): Spotlight[] {
    if (!this.#touchedSpotlights) return [];
    const [family] = prefixes.spotlights;
    return this.#written<Spotlight>(family);
  }

  /** The mails this commit puts into the outbox. */
  queuedMails(): OutboxMail[] {
    const [family] = keys.outboxMail("");
    return this.#written<OutboxMail>(family).filter(isNewMail);
  }

  /** The documents that are to be archived from this commit on. */
  queuedDocuments(): ArchiveTask[] {
    const [family] = keys.archiveTask("");
    return this.#written<ArchiveTask>(family).filter(isNewArchiveTask);
  }

  /** The accounts for which something is to be done about their data. */
  queuedDataRequests(): DataRequests[] {
    const [family] = keys.dataRequests("");
    return this.#written<DataRequests>(family).filter((requests) =>
      isRequestDue(requests, this.#nowMs()) && requests.leaseOwner === null
    );
  }

  /** The payouts that are asked for. */
  requestedPayouts(): Payout[] {
    const [family] = keys.payout("");
    return this.#written<Payout>(family).filter(({ state, attempts }) =>
      state === "requested" && attempts === 0
    );
  }

  /** The accounts to which this commit adds events. */
  changedEventLogs(): EventLog[] {
    const [family] = keys.eventLog("");
    return this.#written<EventLog>(family);
  }

  /** The invoices whose commission is due from this commit on. */
  invoicesOfCommissions(): Invoice[] {
    const [family] = keys.invoice("");
    return this.#written<Invoice>(family)
      .filter((invoice) => commissionDueAtMs(invoice) !== null);
  }

  /** The callbacks that this commit writes. */
  changedCallbacks(): Callback[] {
    const [family] = keys.callback("");
    return this.#written<Callback>(family);
  }

  /** Asked for many families of every commit, which has few writes. */
  #written<T>(family: Deno.KvKeyPart | undefined): T[] {
    const values: T[] = [];
    for (const write of this.#writes.values()) {
      if (write.key[0] !== family || write.kind !== "set") continue;
      values.push(write.value as T);
    }
    return values;
  }

  /** Tells every isolate that the public Spotlights changed. */
  touchSpotlights(): void {
    this.#touchedSpotlights = true;
    this.set(keys.spotlightsVersion(), this.#nowMs());
  }

  /** Says what it changes, for the audit where an operator acts. */
  noteChange(change: Change): void {
    this.#noted = change;
  }

  /** What was said so last; null for nothing. */
  get noted(): Change | null {
    return this.#noted;
  }

  /**
   * Whether all it read stood at the same moment: what was read in one round
   * trip did, and what is still the same after the last one did then.
   */
  async isOfOneMoment(readMany: ReadMany): Promise<boolean> {
    if (this.#rounds < 2) return true;
    const reads = [...this.#reads.values()];
    const now = await readMany(reads.map(({ key }) => key));
    return reads.every(({ versionstamp }, at) =>
      now[at]?.versionstamp === versionstamp
    );
  }

  /**
   * Ends the attempt. What its function still does, having forgotten to wait
   * for something, would silently be left out of the commit: it throws.
   */
  end(): void {
    this.#ended = true;
  }

  /** Puts all checks and writes of this attempt on an atomic operation. */
  fill(atomic: KvAtomic): void {
    const checks = [...this.#reads.values()]
      .filter(({ key }) => isPossibleKey(key))
      .map(({ key, versionstamp }) => ({ key, versionstamp }));
    if (checks.length > 0) atomic.check(...checks);
    for (const write of this.#writes.values()) {
      if (write.kind === "sum") atomic.sum(write.key, write.count);
      else if (write.kind === "delete") atomic.delete(write.key);
      else {
        const expiry = expiryOf(write.value, this.#nowMs());
        atomic.set(write.key, write.value, expiry);
      }
    }
  }

  /** Of two reads at once the first stands: it may have been acted upon. */
  #remember(
    text: string,
    read: Deno.KvEntryMaybe<unknown>,
  ): Deno.KvEntryMaybe<unknown> {
    const before = this.#reads.get(text);
    if (before === undefined) this.#reads.set(text, read);
    return before ?? read;
  }

  #assertReadable(text: string): void {
    this.#assertRunning();
    invariant(
      !this.#writes.has(text),
      "a record is read before it is written",
    );
  }

  #assertRunning(): void {
    invariant(!this.#ended, "a transaction is used only while it runs");
  }

  /** The refs that have to be asked for, each once; counts them as checks. */
  #missing(wanted: readonly KvRef<unknown>[]): KvRef<unknown>[] {
    const missing = new Map<string, KvRef<unknown>>();
    for (const ref of wanted) {
      const text = keyText(ref.key);
      if (!this.#reads.has(text)) missing.set(text, ref);
    }
    const tracked = [...missing].filter(([, ref]) => ref.tracked);
    if (tracked.length > 0) this.#admit(tracked.map(([text]) => text));
    return [...missing.values()];
  }

  #admit(texts: readonly string[]): void {
    const fresh = texts.filter((text) => !this.#admitted.has(text));
    invariant(
      this.#admitted.size + fresh.length <= TRACKED_READS_MAX,
      `one transaction tracks at most ${TRACKED_READS_MAX} reads`,
    );
    this.#rounds++;
    fresh.forEach((text) => this.#admitted.add(text));
  }

  #write(write: KvWrite): void {
    this.#assertRunning();
    const text = keyText(write.key);
    invariant(
      isPossibleKey(write.key),
      "a written key is well-formed and fits the store",
    );
    invariant(
      write.kind === "sum" || this.#writes.get(text)?.kind !== "sum",
      "a summed key is never written",
    );
    this.#writes.set(text, write);
    invariant(
      this.#writes.size <= MAX_MUTATIONS,
      `one commit carries at most ${MAX_MUTATIONS} mutations`,
    );
  }
}
