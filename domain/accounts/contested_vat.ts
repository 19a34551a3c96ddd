/**
 * Which VAT ids an operator alone gives to anybody. Their rows outlive accounts,
 * and a sole trader's id names a person, so they have it as a keyed hash alone.
 *
 * @module
 */
import { dayOf, startOfDayMs } from "../day.ts";
import { invariant } from "../invariant.ts";
import type { Keys, Store, Transaction } from "../ports.ts";
import { sha256Hex } from "../sha256.ts";

/** From this commit on the id is given to an account by an operator alone. */
export function contestVatId(
  keys: Keys,
  tx: Transaction,
  vatId: string,
  nowMs: number,
): void {
  const hidden = keyedVatId(keys, vatId, keys.currentId);
  // To the day: by the moment of an erasure it would be known whose the id was.
  const sinceMs = startOfDayMs(dayOf(nowMs));
  tx.contestedVatIds.save({ vatId: hidden, sinceMs });
}

/**
 * Rows of ids are as many as there are secrets, so they are no checks of the
 * commit. They need not be, as they only come: whoever holds the id and gives it
 * up, or has it taken back, changes the holder's row as well, which was read
 * before; and what another claimant does meanwhile is as if it were done after.
 * The row that has the id itself is looked at first: where it is hidden
 * meanwhile, the other is found.
 */
export async function isContested(
  keys: Keys,
  tx: Transaction,
  vatId: string,
): Promise<boolean> {
  if (await tx.contestedVatIds.find(vatId) !== null) return true;
  const keyed = keys.ids.map((keyId) => keyedVatId(keys, vatId, keyId));
  const rows = await Promise.all(
    [unkeyed(vatId), ...keyed].map((id) => tx.peek(tx.contestedVatIds.ref(id))),
  );
  return rows.some((row) => row !== null);
}

/**
 * Hides the id of a row of earlier versions, which had it in clear where an
 * operator took it back or two accounts claimed it.
 */
export async function hideContestedVatId(
  { store, keys }: { store: Pick<Store, "transact">; keys: Keys },
  { vatId }: { vatId: string },
): Promise<void> {
  if (isHidden(vatId)) return;
  await store.transact(async (tx) => {
    const row = await tx.contestedVatIds.find(vatId);
    if (row === null) return;
    tx.contestedVatIds.remove(row);
    contestVatId(keys, tx, vatId, row.sinceMs);
  });
}

/** Of ids there are so few that without a key all could be tried. */
function keyedVatId(keys: Keys, vatId: string, keyId: string): string {
  // Named by what it was first for: another name is another hash.
  const mac = keys.mac("vat-given-up", vatId, keyId);
  invariant(mac !== null, "a key that is named is known");
  return `hmac:${mac}`;
}

/** The same, as rows of earlier versions have it. */
function unkeyed(vatId: string): string {
  return `sha256:${sha256Hex(`vat_id_given_up|${vatId}`)}`;
}

/** No VAT id has a colon. */
function isHidden(vatId: string): boolean {
  return vatId.includes(":");
}
