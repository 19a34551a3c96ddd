/**
 * What brings the rows of a store to later versions, in their order. One that
 * was landed is never changed or left out: a backup may be of any version.
 *
 * @module
 */
import type { Account, ContestedVatId } from "../domain/accounts/account.ts";
import { hideContestedVatId } from "../domain/accounts/contested_vat.ts";
import type { Invoice } from "../domain/invoices/invoice.ts";
import { invariant } from "../domain/invariant.ts";
import { mergeConnections } from "../domain/oauth/merge_connections.ts";
import type { Clock, Keys, Store } from "../domain/ports.ts";
import { eraseLeftName } from "../domain/privacy/erase_left_name.ts";
import { eraseLeftBids } from "../domain/privacy/settled_bids.ts";
import type { Settlement } from "../domain/settlement/settlement.ts";
import type { Spotlight } from "../domain/spotlights/spotlight.ts";
import type { Patience } from "./guard.ts";
import { keys, prefixes } from "./keys.ts";
import type { KvLike } from "./kv_like.ts";
import { readPage } from "./pages.ts";
import { reindexPage, type ReindexPlace } from "./reindex.ts";

/** Rows that one step looks at. */
const STEP_ROWS = 100;
/** Accounts, each with all it has of something, that one step looks at. */
const STEP_ACCOUNTS = 20;
/** Families that one step looks at: most of them have few rows, or none. */
const STEP_FAMILIES = 10;

/** What a step is made with. */
export interface MigrationParts {
  kv: KvLike;
  store: Pick<
    Store,
    "transact" | "listGrants" | "listBidEvents" | "connections"
  >;
  clock: Clock;
  patience: Patience;
  /** Of the service's secrets, which a store without a service has not. */
  keys?: Keys | undefined;
}

/** Brings every row from one version to the next, forward only. */
export interface Migration {
  to: number;
  /** The oldest version of the service that reads what it writes. */
  readableFrom: number;
  /**
   * Does a bounded part, from the cursor on. It may be done twice, and beside
   * processes of the version before.
   *
   * @returns where to go on; null at the end
   */
  step(parts: MigrationParts, cursor: string | null): Promise<string | null>;
}

/** All migrations, by the version they lead to. */
export const MIGRATIONS: readonly Migration[] = [
  { to: 2, readableFrom: 1, step: completeInvoices },
  { to: 3, readableFrom: 1, step: rebuildIndexes },
  // Grants by time.
  { to: 4, readableFrom: 1, step: rebuildIndexes },
  { to: 5, readableFrom: 1, step: mergeGrants },
  // Accounts by word.
  { to: 6, readableFrom: 1, step: rebuildIndexes },
  // Checkout sessions by grant.
  { to: 7, readableFrom: 1, step: rebuildIndexes },
  // Partners by whether they wait, and since when.
  { to: 8, readableFrom: 1, step: rebuildIndexes },
  // Mails by whose they are.
  { to: 9, readableFrom: 1, step: rebuildIndexes },
  // Reports by day; due VAT ids by whether their account is known.
  { to: 10, readableFrom: 1, step: rebuildIndexes },
  // Accounts about which something waits, without those who ask to be partners,
  // and disputes by account.
  { to: 11, readableFrom: 1, step: rebuildIndexes },
  { to: 12, readableFrom: 1, step: eraseLeftNames },
  { to: 13, readableFrom: 1, step: hideVatIds },
  { to: 14, readableFrom: 1, step: eraseLeftOfBids },
];

/** Invoices of before parts of a payment were followed get what they lack. */
async function completeInvoices(
  { kv, store, patience }: MigrationParts,
  cursor: string | null,
): Promise<string | null> {
  const range = { prefix: keys.invoice("").slice(0, 1) };
  const limit = STEP_ROWS;
  const page = await readPage({ kv, patience }, range, { limit, cursor });
  for (const { value } of page.entries) {
    const { id, refunds } = value as Partial<Invoice> & { id: string };
    if (refunds !== undefined) continue;
    await store.transact(async (tx) => {
      const invoice = await tx.invoices.find(id);
      if (invoice !== null) tx.invoices.save(invoice);
    });
  }
  return page.cursor;
}

/** Clients of which an account had several connections get one. */
async function mergeGrants(
  { kv, store, clock, patience }: MigrationParts,
  cursor: string | null,
): Promise<string | null> {
  const limit = STEP_ACCOUNTS;
  const range = { prefix: keys.account("").slice(0, 1) };
  const page = await readPage({ kv, patience }, range, { limit, cursor });
  for (const { value } of page.entries) {
    const { id: accountId } = value as Pick<Account, "id">;
    await mergeConnections({ store, clock }, { accountId });
  }
  return page.cursor;
}

/** Spotlights of erased accounts lose the names of persons that they kept. */
async function eraseLeftNames(
  { kv, store, patience }: MigrationParts,
  cursor: string | null,
): Promise<string | null> {
  const range = { prefix: prefixes.spotlights };
  const limit = STEP_ROWS;
  const page = await readPage({ kv, patience }, range, { limit, cursor });
  for (const { value } of page.entries) {
    const { day, accountId } = value as Pick<Spotlight, "day" | "accountId">;
    if (accountId !== null) await eraseLeftName({ store }, { day });
  }
  return page.cursor;
}

/** VAT ids that operators alone give are known by keyed hashes. */
async function hideVatIds(
  { kv, store, patience, keys: secret }: MigrationParts,
  cursor: string | null,
): Promise<string | null> {
  const range = { prefix: keys.contestedVatId("").slice(0, 1) };
  const limit = STEP_ROWS;
  const page = await readPage({ kv, patience }, range, { limit, cursor });
  for (const { value } of page.entries) {
    invariant(secret !== undefined, "what migrates a store has its secrets");
    const { vatId } = value as Pick<ContestedVatId, "vatId">;
    await hideContestedVatId({ store, keys: secret }, { vatId });
  }
  return page.cursor;
}

/** Settled days lose what erasures left of bids: amounts, cards, customers. */
async function eraseLeftOfBids(
  { kv, store, patience }: MigrationParts,
  cursor: string | null,
): Promise<string | null> {
  const range = { prefix: prefixes.settlements };
  const limit = STEP_ACCOUNTS;
  const page = await readPage({ kv, patience }, range, { limit, cursor });
  for (const { value } of page.entries) {
    await eraseLeftBids({ store }, value as Settlement);
  }
  return page.cursor;
}

/** Records of before an index was thought of get their rows in it. */
async function rebuildIndexes(
  { kv, clock, patience }: MigrationParts,
  cursor: string | null,
): Promise<string | null> {
  let place = cursor === null ? null : JSON.parse(cursor) as ReindexPlace;
  let left = STEP_ROWS;
  for (let nth = 0; nth < STEP_FAMILIES && left > 0; nth++) {
    const options = { kv, clock, patience, pageRows: left };
    const { next, rows } = await reindexPage(options, place);
    if (next === null) return null;
    place = next;
    left -= rows;
  }
  return JSON.stringify(place);
}
