import { createHash } from "node:crypto";
import type { BackupTarget } from "../domain/operations/backup_target.ts";
import type { Keys } from "../domain/ports.ts";
import { type ReadChanges, readChanges } from "../kv/change_file.ts";
import { CHANGES, foundSeries, lineOf } from "./found_series.ts";
import { incompleteBackup } from "../kv/incomplete_backup.ts";
import {
  OfADrill,
  restore,
  type RestoreOptions,
  type RestoreSummary,
} from "./restore_backup.ts";

/** What series are verified by. */
interface SeriesProof {
  keys: Keys | null;
  takesUnverified: boolean;
}

type Source = Pick<BackupTarget, "get">;

/** What is restored of a place that has several series. */
export interface SeriesChoice {
  /** This one alone; absent for the newest. */
  series?: string | undefined;
  /** Told of each series that may be restored, before one is. */
  tell?: (line: string) => Promise<void>;
}

/**
 * Restores the newest series that is one: its full backup is of a moment once
 * its first file of changes is there. Of a store's series that is the one with
 * the highest number, of several stores the one that was written to last. One of
 * a store to practise with is none, but to practise with: earlier versions wrote
 * such.
 *
 * @throws {Refused} `invalid_input` when there is none
 */
export async function restoreNewest(
  target: BackupTarget,
  options: Omit<RestoreOptions, "changes" | "open">,
  { series: wanted, tell }: SeriesChoice = {},
): Promise<RestoreSummary> {
  const { keys, takesUnverified = false, isDrill = false } = options;
  const names = await target.list();
  const found = await foundSeries(target, names);
  for (const each of found) await tell?.(lineOf(each));
  const chosen = found.filter(({ id }) => id === (wanted ?? id));
  for (const { id } of chosen) {
    const series = seriesOf(target, names, id, { keys, takesUnverified });
    try {
      return await restore({ ...options, ...series, refusesDrill: !isDrill });
    } catch (error) {
      if (!(error instanceof OfADrill)) throw error;
    }
  }
  return incompleteBackup(
    wanted === undefined ? "there is none" : `there is no series ${wanted}`,
  );
}

function seriesOf(
  target: BackupTarget,
  names: readonly string[],
  id: string,
  proof: SeriesProof,
): Required<Pick<RestoreOptions, "changes" | "open">> {
  const pieces = names.filter((name) => name.startsWith(`${id}/full-`));
  const files = names.filter((name) => name.startsWith(`${id}/changes-`));
  const read = unchanging(target);
  return {
    open: () => ReadableStream.from(piecesOf(read, pieces)),
    changes: (sha256) => chainOf(read, lastOfEach(files), sha256, proof),
  };
}

/**
 * Refuses what is another file than at its first reading. A restore proves all
 * of a backup and then reads it again to write it: who can write to the place
 * could put rows of their own in between, which would stay.
 */
function unchanging({ get }: BackupTarget): Source {
  const seen = new Map<string, string>();
  return {
    async get(name) {
      const bytes = await get(name);
      const sha256 = createHash("sha256").update(bytes).digest("hex");
      if ((seen.get(name) ?? sha256) !== sha256) {
        incompleteBackup(`${name} was changed while it was read`);
      }
      seen.set(name, sha256);
      return bytes;
    },
  };
}

async function* piecesOf(
  target: Source,
  pieces: readonly string[],
): AsyncGenerator<Uint8Array, void> {
  for (const name of pieces) yield await target.get(name);
}

/** Of turns that have written the same number, the last one counts. */
function lastOfEach(files: readonly string[]): Map<number, string> {
  return new Map(
    files.toSorted().map((name) => [Number(CHANGES.exec(name)?.[2]), name]),
  );
}

async function* chainOf(
  target: Source,
  files: ReadonlyMap<number, string>,
  sha256: string,
  { keys, takesUnverified }: SeriesProof,
): AsyncGenerator<ReadChanges, void> {
  let previous = sha256;
  let through = "";
  for (let number = 1; number <= Math.max(...files.keys()); number++) {
    const name = files.get(number);
    if (name === undefined) return incompleteBackup(missing(number));
    const bytes = await target.get(name);
    const file = readChanges(name, bytes, keys, takesUnverified);
    const follows = file.number === number && file.previous === previous &&
      file.through > through;
    if (!follows) incompleteBackup(`${name} does not follow what is before it`);
    yield file;
    ({ sha256: previous, through } = file);
  }
}

function missing(number: number): string {
  return `the file of changes ${number} is missing`;
}
