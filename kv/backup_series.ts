/**
 * Continuous backups: a series is a full backup in pieces, and after it a file
 * of what has changed for every turn, a minute apart. A turn commits that it is
 * at it; every change of an earlier commit is then in the log for all to read,
 * so the version of that commit is an exact end: what is logged up to it goes
 * into the file, and nothing else.
 *
 * @module
 */
import type {
  BackupRun,
  BackupTarget,
} from "../domain/operations/backup_target.ts";
import { DAY_MS, isoTime } from "../domain/day.ts";
import { StoreUnavailable } from "../domain/failure.ts";
import type { Clock, Keys } from "../domain/ports.ts";
import { changeFile } from "./change_file.ts";
import { LOG_KEPT_MS } from "./change_log.ts";
import { guardedCommit } from "./commit.ts";
import { dump } from "./dump.ts";
import { DEFAULT_PATIENCE, type Patience } from "./guard.ts";
import { keys } from "./keys.ts";
import type { KvLike } from "./kv_like.ts";
import {
  changedSince,
  forgetChanges,
  forgetThrough,
  TooManyChanges,
} from "./logged_changes.ts";
import { piecesOf } from "./pieces.ts";
import { readManyFrom } from "./read_many.ts";

/** A new series, so that coming back never takes more than a day of files. */
const SERIES_MS = DAY_MS;
/** A turn that takes longer is somebody else's; each piece renews it. */
const LEASE_MS = 90_000;

/** Who writes, and how far the files are. */
export interface BackupSeries {
  /** Its folder; it says when it was begun. */
  id: string;
  startedAtMs: number;
  /** Of the next file of changes; 0 while there is no full backup. */
  next: number;
  /** SHA-256 of the last file. */
  previous: string;
  /** When everything up to then was in a file. */
  writtenAtMs: number;
  /** Until then one process is at it. */
  leaseUntilMs: number;
}

/** What continuous backups are written with. */
export interface SeriesOptions {
  kv: KvLike;
  clock: Clock;
  keys: Keys | null;
  target: BackupTarget;
  patience?: Patience;
}

/** A turn under way; whoever has the row's last version has it. */
interface Turn {
  readonly options: Required<SeriesOptions>;
  series: BackupSeries;
  /** Of the row; null before there is one. */
  versionstamp: string | null;
}

/** Does a turn: writes what has changed, or begins a series. */
export async function writeBackups(given: SeriesOptions): Promise<BackupRun> {
  const options = { patience: DEFAULT_PATIENCE, ...given };
  const turn = await takeTurn(options);
  if (turn === null) return "elsewhere";
  try {
    return await go(turn);
  } finally {
    // So that the next attempt need not wait for the lease to end.
    await save(turn, turn.series, 0);
  }
}

async function go(turn: Turn): Promise<BackupRun> {
  const { clock } = turn.options;
  const isYoung = clock.now() - turn.series.startedAtMs < SERIES_MS;
  if (turn.series.next > 0) {
    try {
      const run = await writeChanges(turn);
      if (isYoung) return run;
    } catch (error) {
      if (!(error instanceof TooManyChanges)) throw error;
    }
    await renew(turn, newSeries(clock));
  }
  return await begin(turn);
}

/** Null while another process is at it. */
async function takeTurn(
  options: Required<SeriesOptions>,
): Promise<Turn | null> {
  const { kv, clock, patience } = options;
  const [entry] = await readManyFrom(kv, patience)([keys.backupSeries()]);
  const nowMs = clock.now();
  const found = (entry?.value ?? null) as BackupSeries | null;
  if (found !== null && found.leaseUntilMs > nowMs) return null;
  // What is older than that may be gone from the log.
  const goesOn = found !== null && found.next > 0 &&
    nowMs - found.writtenAtMs < LOG_KEPT_MS / 2;
  const series = goesOn ? found : newSeries(clock);
  const turn = { options, series, versionstamp: entry?.versionstamp ?? null };
  return await save(turn, series) ? turn : null;
}

function newSeries(clock: Clock): BackupSeries {
  const startedAtMs = clock.now();
  return {
    id: isoTime(startedAtMs).replaceAll(":", "-"),
    startedAtMs,
    next: 0,
    previous: "",
    writtenAtMs: startedAtMs,
    leaseUntilMs: 0,
  };
}

/** The full backup, and at once what has changed while it was read. */
async function begin(turn: Turn): Promise<BackupRun> {
  const { kv, clock, keys: signing, patience, target } = turn.options;
  const { id } = turn.series;
  // Every change so far will be in the full backup.
  await forgetThrough({ kv, patience }, turn.versionstamp ?? "");
  const bytes = dump(kv, { clock, keys: signing, patience });
  let number = 0;
  let end = "";
  for await (const piece of piecesOf(bytes)) {
    number += 1;
    await target.put(`${id}/full-${padded(number)}`, piece);
    end = lastLine(end, piece);
    await renew(turn, turn.series);
  }
  const { sha256 } = JSON.parse(end);
  await renew(turn, { ...turn.series, next: 1, previous: sha256 });
  await writeChanges(turn);
  return "begun";
}

/** The tail of a text that comes in pieces, from its last line on. */
function lastLine(before: string, piece: Uint8Array): string {
  const tail = before + new TextDecoder().decode(piece.slice(-1_024));
  return tail.trimEnd().split("\n").at(-1) ?? "";
}

async function writeChanges(turn: Turn): Promise<BackupRun> {
  const { kv, clock, keys: signing, patience, target } = turn.options;
  const { id, next: number, previous } = turn.series;
  const through = turn.versionstamp ?? "";
  const writtenAtMs = clock.now();
  const reader = { kv, patience };
  const { lines, rows } = await changedSince(reader, through);
  // The first file is what makes a full backup one of a moment.
  if (rows.length === 0 && number > 1) {
    await renew(turn, { ...turn.series, writtenAtMs });
    return "unchanged";
  }
  const header = { number, previous, through, at: isoTime(writtenAtMs) };
  const { bytes, sha256 } = changeFile(header, lines, signing);
  // A process that was held up for long may still write its own: each turn's
  // file has a name of its own, and the last one of a number counts.
  await target.put(`${id}/changes-${padded(number)}-${through}`, bytes);
  const written = { previous: sha256, writtenAtMs, next: number + 1 };
  await renew(turn, { ...turn.series, ...written });
  await forgetChanges(reader, rows);
  return "written";
}

/** Goes on with a turn. @throws when another process has taken it */
async function renew(turn: Turn, series: BackupSeries): Promise<void> {
  if (await save(turn, series)) return;
  throw new StoreUnavailable("Another process has taken the turn");
}

/** Writes the row over the one of the turn; false when it is another's. */
async function save(
  turn: Turn,
  series: BackupSeries,
  leaseMs: number = LEASE_MS,
): Promise<boolean> {
  const { kv, clock, patience } = turn.options;
  const { versionstamp } = turn;
  const key = keys.backupSeries();
  const row = { ...series, leaseUntilMs: clock.now() + leaseMs };
  const saved = await guardedCommit(kv, (atomic) => {
    atomic.check({ key, versionstamp });
    atomic.set(key, row);
  }, { patience });
  if (saved === null) return false;
  turn.series = row;
  turn.versionstamp = saved;
  return true;
}

function padded(number: number): string {
  return String(number).padStart(6, "0");
}
