/**
 * The processor's state. A change is made whole or not at all, and is in the
 * journal before anyone hears of it.
 *
 * @module
 */

import { IdempotencyKeys, type IdempotencyRecord } from "./idempotency.ts";
import { Journal, type JournalLine } from "./journal.ts";
import type { TableName, Tables } from "./objects.ts";
import { Table } from "./table.ts";

/** Events older than this are dropped ("going back up to 30 days"). */
export const KEEP_EVENTS_S = 30 * 24 * 60 * 60;

/** A journal this many times its compacted size is compacted again. */
const COMPACT_FACTOR = 4;

/** No journal below this size is compacted before the next start. */
const COMPACT_MIN_BYTES = 64 * 1024 * 1024;

/** Most objects in one line of a compacted journal. */
const LINE_OBJECTS = 500;

type AnyTable = Table<{ id: string }>;

/** What a change may do; every step can be taken back. */
export interface Change {
  /** Puts an object in its table. */
  put<N extends TableName>(table: N, object: Tables[N]): void;
  /** Removes an object. */
  remove(table: TableName, id: string): void;
  /** Moves a counter on by one and tells where it now stands. */
  next(counter: string): number;
  /** Saves the first result of an idempotency key. */
  save(record: IdempotencyRecord): void;
}

/** Tables, counters and saved results, in memory and on disk. */
export class Books {
  /** The objects by kind. */
  readonly tables: { readonly [N in TableName]: Table<Tables[N]> } = {
    account: new Table(),
    balance_transaction: new Table({ source: (moved) => moved.source }),
    card_behaviour: new Table(),
    charge: new Table({
      customer: (charge) => charge.customer,
      payment_intent: (charge) => charge.payment_intent,
    }),
    checkout_session: new Table({
      customer: (session) => session.customer,
      setup_intent: (session) => session.setup_intent,
      status: (session) => session.status,
    }),
    credit_note: new Table({
      customer: (note) => note.customer,
      invoice: (note) => note.invoice,
    }),
    customer: new Table({ email: (customer) => customer.email ?? null }),
    dispute: new Table({
      charge: (dispute) => dispute.charge,
      payment_intent: (dispute) => dispute.payment_intent,
    }),
    event: new Table(),
    granted_token: new Table(),
    granted_token_use: new Table(),
    hosted_page: new Table({ subject: (page) => page.subject }),
    invoice: new Table({ customer: (invoice) => invoice.customer }),
    invoice_payment: new Table({
      invoice: (payment) => payment.invoice,
      payment_intent: (payment) => payment.payment.payment_intent,
    }),
    invoiceitem: new Table({
      customer: (item) => item.customer,
      invoice: (item) => item.invoice,
    }),
    lost_event: new Table(),
    payment_intent: new Table({ customer: (intent) => intent.customer }),
    payment_method: new Table({ customer: (method) => method.customer }),
    portal_session: new Table(),
    refund: new Table({
      charge: (refund) => refund.charge,
      payment_intent: (refund) => refund.payment_intent,
    }),
    setup_intent: new Table({
      customer: (intent) => intent.customer,
      payment_method: (intent) => intent.payment_method,
    }),
    tax_id: new Table({ customer: (taxId) => taxId.customer }),
    tax_rate: new Table(),
    transfer: new Table({
      destination: (transfer) => transfer.destination,
      transfer_group: (transfer) => transfer.transfer_group,
    }),
    transfer_reversal: new Table({ transfer: (each) => each.transfer }),
    verification_session: new Table({
      client_reference_id: (session) => session.client_reference_id,
      related_customer: (session) => session.related_customer,
    }),
  };

  /** Idempotency keys. */
  readonly keys: IdempotencyKeys = new IdempotencyKeys();

  #counters = new Map<string, number>();
  #journal: Journal | null = null;
  #compactedBytes = 0;

  /**
   * Opens books.
   *
   * @param path the journal's file, or `null` to keep nothing on disk
   * @param nowMs the time, epoch milliseconds
   * @throws {Error} when the file is damaged before its last line
   */
  static open(path: string | null, nowMs: number): Books {
    const books = new Books();
    if (path === null) return books;
    for (const line of Journal.read(path)) books.#replay(line);
    books.#compact(path, nowMs);
    return books;
  }

  /** Where a counter stands. */
  count(counter: string): number {
    return this.#counters.get(counter) ?? 0;
  }

  /**
   * Runs a change. When it throws, or its line can not be written, nothing of
   * it remains.
   */
  transact<R>(nowMs: number, run: (change: Change) => R): R {
    const changed = new Changed(this.tables, this.#counters, this.keys);
    const result = this.#commit(changed, run);
    dropOldEvents(this.tables.event, nowMs);
    this.#compactIfLarge(nowMs);
    return result;
  }

  /** Closes the journal. */
  close(): void {
    this.#journal?.close();
    this.#journal = null;
  }

  #commit<R>(changed: Changed, run: (change: Change) => R): R {
    try {
      const result = run(changed);
      if (this.#journal !== null && !changed.isEmpty) {
        this.#journal.append(changed.line());
      }
      return result;
    } catch (error) {
      changed.undo();
      throw error;
    }
  }

  #replay(line: JournalLine): void {
    for (const [table, object] of line.put ?? []) {
      this.#table(table).set(object.id, object);
    }
    for (const [table, id] of line.gone ?? []) {
      this.#table(table).set(id, undefined);
    }
    for (const [counter, at] of Object.entries(line.count ?? {})) {
      this.#counters.set(counter, at);
    }
    for (const record of line.saved ?? []) this.keys.save(record);
  }

  #table(name: string): AnyTable {
    if (Object.hasOwn(this.tables, name)) {
      return this.tables[name as TableName] as unknown as AnyTable;
    }
    throw new Error(`Cannot read the books: there is no table "${name}"`);
  }

  #compactIfLarge(nowMs: number): void {
    const journal = this.#journal;
    if (journal === null || journal.bytes < COMPACT_MIN_BYTES) return;
    if (journal.bytes < COMPACT_FACTOR * this.#compactedBytes) return;
    try {
      this.#compact(journal.path, nowMs);
      journal.close();
    } catch { // a full disk: the journal stands, try again when it has grown
      this.#compactedBytes = journal.bytes;
    }
  }

  #compact(path: string, nowMs: number): void {
    dropOldEvents(this.tables.event, nowMs);
    this.#journal = Journal.rewrite(path, this.#snapshot(nowMs));
    this.#compactedBytes = this.#journal.bytes;
  }

  *#snapshot(nowMs: number): Generator<JournalLine> {
    yield { count: Object.fromEntries(this.#counters) };
    for (const [name, table] of Object.entries(this.tables)) {
      const objects: Iterable<{ id: string }> = table.values();
      for (const chunk of inChunks(objects)) {
        yield { put: chunk.map((object) => [name, object]) };
      }
    }
    for (const saved of inChunks(this.keys.records(nowMs))) yield { saved };
  }
}

/** Keeps what a change replaced, in order to take it back or write it down. */
class Changed implements Change {
  #undo: (() => void)[] = [];
  #objects = new Map<string, [table: TableName, id: string]>();
  #counts: Record<string, number> = {};
  #saved: IdempotencyRecord[] = [];

  constructor(
    readonly tables: Books["tables"],
    readonly counters: Map<string, number>,
    readonly keys: IdempotencyKeys,
  ) {}

  get isEmpty(): boolean {
    return this.#undo.length === 0;
  }

  put<N extends TableName>(name: N, object: Tables[N]): void {
    this.#set(name, object.id, object);
  }

  remove(name: TableName, id: string): void {
    this.#set(name, id, undefined);
  }

  next(counter: string): number {
    const old = this.counters.get(counter) ?? 0;
    this.#undo.push(() => this.counters.set(counter, old));
    this.counters.set(counter, old + 1);
    this.#counts[counter] = old + 1;
    return old + 1;
  }

  save(record: IdempotencyRecord): void {
    this.#undo.push(() => this.keys.forget(record.key));
    this.keys.save(record);
    this.#saved.push(record);
  }

  line(): JournalLine {
    const line: JournalLine = {};
    for (const [name, id] of this.#objects.values()) {
      const object = this.tables[name].get(id);
      if (object === undefined) (line.gone ??= []).push([name, id]);
      else (line.put ??= []).push([name, object]);
    }
    if (Object.keys(this.#counts).length > 0) line.count = this.#counts;
    if (this.#saved.length > 0) line.saved = this.#saved;
    return line;
  }

  undo(): void {
    for (const step of this.#undo.reverse()) step();
  }

  #set(name: TableName, id: string, object: { id: string } | undefined): void {
    const table = this.tables[name] as unknown as AnyTable;
    const old = table.set(id, object);
    this.#undo.push(() => table.set(id, old));
    this.#objects.set(`${name} ${id}`, [name, id]);
  }
}

function dropOldEvents(events: Table<Tables["event"]>, nowMs: number): void {
  const oldest = Math.floor(nowMs / 1_000) - KEEP_EVENTS_S;
  for (const event of events.values()) {
    if (event.created >= oldest) return;
    events.set(event.id, undefined);
  }
}

function* inChunks<T>(values: Iterable<T>): Generator<T[]> {
  let chunk: T[] = [];
  for (const value of values) {
    chunk.push(value);
    if (chunk.length < LINE_OBJECTS) continue;
    yield chunk;
    chunk = [];
  }
  if (chunk.length > 0) yield chunk;
}
