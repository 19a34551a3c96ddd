/**
 * The series of continuous backups that a place holds, the one first that a
 * restore brings back.
 *
 * @module
 */
import type { BackupTarget } from "../domain/operations/backup_target.ts";
import { readChanges } from "../kv/change_file.ts";
import { storeOf } from "../kv/series_name.ts";
import { Refused } from "../domain/refusal.ts";

/** Names a file of changes by its series and number. */
export const CHANGES = /^(.*)\/changes-(\d{6,})-[0-9a-f]+$/;
const BEGUN = /(\d{4}-\d\d-\d\dT\d\d)-(\d\d)-(\d\d\.\d{3}Z)/;

/** A series that may be restored. */
export interface FoundSeries {
  id: string;
  /** Null where its name does not say, as those of earlier versions. */
  store: string | null;
  /** Of the last file, as it says itself; empty where it can't be read. */
  until: string;
  /** Of the full backup; null where that can't be told. */
  rows: number | null;
}

/**
 * The series, in the order in which they would be restored: of each store the
 * highest number first, and first of all the store that was written last. Those
 * that do not say whose they are come behind all others.
 */
export async function foundSeries(
  target: BackupTarget,
  names: readonly string[],
): Promise<FoundSeries[]> {
  const ids = names.map((name) => CHANGES.exec(name))
    .filter((found) => Number(found?.[2]) === 1)
    .map((found) => found?.[1] ?? "");
  const found: FoundSeries[] = [];
  for (const id of new Set(ids.toReversed())) {
    found.push({
      id,
      store: storeOf(id),
      until: await lastMomentOf(target, names, id),
      rows: await rowsOf(target, names, id),
    });
  }
  // Of each store the first is the one with the highest number.
  const writtenLast = (store: string | null) =>
    store === null
      ? ""
      : found.find((each) => each.store === store)?.until ?? "";
  return found.toSorted((a, b) => {
    const [first, second] = [writtenLast(a.store), writtenLast(b.store)];
    return first === second ? 0 : first < second ? 1 : -1;
  });
}

/** A line for who chooses one. */
export function lineOf({ id, store, until, rows }: FoundSeries): string {
  const begun = BEGUN.exec(id)?.slice(1).join(":") ?? "unknown";
  return [
    id,
    `store ${store ?? "unknown"}`,
    `${rows ?? "unknown"} rows in its full backup`,
    `from ${begun}`,
    `until ${until === "" ? "unknown" : until}`,
  ].join(", ");
}

/** Nothing is proved here: a restore reads the chosen one again, and does. */
async function lastMomentOf(
  target: BackupTarget,
  names: readonly string[],
  id: string,
): Promise<string> {
  const name = names.filter((each) => each.startsWith(`${id}/changes-`)).at(-1);
  if (name === undefined) return "";
  try {
    return readChanges(name, await target.get(name), null, true).at;
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return "";
  }
}

async function rowsOf(
  target: BackupTarget,
  names: readonly string[],
  id: string,
): Promise<number | null> {
  const name = names.filter((each) => each.startsWith(`${id}/full-`)).at(-1);
  if (name === undefined) return null;
  const bytes = await target.get(name);
  const text = new TextDecoder().decode(bytes.slice(-1_024));
  const rows = /"rows":(\d+)[^\n]*\n?$/.exec(text)?.[1];
  return rows === undefined ? null : Number(rows);
}
