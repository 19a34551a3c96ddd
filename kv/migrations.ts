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
  {
    to: 2,
    readableFrom: 1,
    step: eachRow(keys.invoice("").slice(0, 1), STEP_ROWS, completeInvoice),
  },
  { to: 3, readableFrom: 1, step: rebuildIndexes },
  // Grants by time.
  { to: 4, readableFrom: 1, step: rebuildIndexes },
  // Clients of which an account had several connections get one.
  {
    to: 5,
    readableFrom: 1,
    step: eachRow(keys.account("").slice(0, 1), STEP_ACCOUNTS, mergeGrants),
  },
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
  // Spotlights of erased accounts lose the names of persons that they kept.
  {
    to: 12,
    readableFrom: 1,
    step: eachRow(prefixes.spotlights, STEP_ROWS, eraseNameOf),
  },
  // VAT ids that operators alone give are known by keyed hashes.
  {
    to: 13,
    readableFrom: 1,
    step: eachRow(keys.contestedVatId("").slice(0, 1), STEP_ROWS, hideVatId),
  },
  // Settled days lose what erasures left of bids: amounts, cards, customers.
  {
    to: 14,
    readableFrom: 1,
    step: eachRow(prefixes.settlements, STEP_ACCOUNTS, eraseLeftBids),
  },
];

/** A step through the rows below a prefix, so many at a time. */
function eachRow<Row>(
  prefix: Deno.KvKey,
  limit: number,
  change: (parts: MigrationParts, row: Row) => Promise<void>,
): Migration["step"] {
  return async (parts, cursor) => {
    const page = await readPage(parts, { prefix }, { limit, cursor });
    for (const { value } of page.entries) await change(parts, value as Row);
    return page.cursor;
  };
}

/** Invoices of before parts of a payment were followed get what they lack. */
async function completeInvoice(
  { store }: MigrationParts,
  { id, refunds }: Partial<Invoice> & { id: string },
): Promise<void> {
  if (refunds !== undefined) return;
  await store.transact(async (tx) => {
    const invoice = await tx.invoices.find(id);
    if (invoice !== null) tx.invoices.save(invoice);
  });
}

function mergeGrants(
  parts: MigrationParts,
  { id: accountId }: Pick<Account, "id">,
): Promise<void> {
  return mergeConnections(parts, { accountId });
}

async function eraseNameOf(
  parts: MigrationParts,
  { day, accountId }: Pick<Spotlight, "day" | "accountId">,
): Promise<void> {
  if (accountId !== null) await eraseLeftName(parts, { day });
}

function hideVatId(
  { store, keys }: MigrationParts,
  row: Pick<ContestedVatId, "vatId">,
): Promise<void> {
  invariant(keys !== undefined, "what migrates a store has its secrets");
  return hideContestedVatId({ store, keys }, row);
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
