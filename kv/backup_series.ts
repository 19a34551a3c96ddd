/**
 * Continuous backups: a series is a full backup in pieces, and after it a file
 * of what has changed for every turn, a minute apart. A turn commits that it is
 * at it; every change of an earlier commit is then in the log for all to read,
 * so the version of that commit is an exact end, as that of any commit which a
 * turn has read of: what is logged up to it goes into the file, and nothing else.
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
import { isAhead } from "../domain/tasks/due.ts";
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
import { newestStore, seriesName, seriesNumber } from "./series_name.ts";
import { ensureStoreId, findStoreId } from "./store_id.ts";

/** A new series, so that coming back never takes more than a day of files. */
const SERIES_MS = DAY_MS;
/** A turn that takes longer is somebody else's; each piece renews it. */
const LEASE_MS = 90_000;

/** Who writes, and how far the files are. */
export interface BackupSeries {
  /** Its folder: its number, when it was begun, and the store's id. */
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
  /** What this process has last waited for. */
  waited?: WaitedFor;
}

/** The version of the row of another process's turn; null before there was one. */
export interface WaitedFor {
  version: string | null;
}

/** A turn under way; whoever has the row's last version has it. */
interface Turn {
  readonly options: Required<SeriesOptions>;
  series: BackupSeries;
  /** Of the row; null before there is one. */
  versionstamp: string | null;
}

/**
 * Does a turn: writes what has changed, or begins a series.
 *
 * @throws {StoreUnavailable} when the place can't be reached, or another process
 * has had the turn since the last call and has not gone on
 */
export async function writeBackups(given: SeriesOptions): Promise<BackupRun> {
  const waited = { version: null };
  const options = { patience: DEFAULT_PATIENCE, waited, ...given };
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
  }
  const id = await nextId(turn);
  if (id === null) return "other_store";
  if (turn.series.next > 0) await renew(turn, newSeries(clock, turn.series));
  return await begin(turn, id);
}

/** Null while another process is at it. */
async function takeTurn(
  options: Required<SeriesOptions>,
): Promise<Turn | null> {
  const { kv, clock, patience, waited } = options;
  const [entry] = await readManyFrom(kv, patience)([keys.backupSeries()]);
  const nowMs = clock.now();
  const found = (entry?.value ?? null) as BackupSeries | null;
  const versionstamp = entry?.versionstamp ?? null;
  if (found !== null && isAhead(found.leaseUntilMs, nowMs, LEASE_MS)) {
    // Who is at it renews its lease, and so changes the row.
    if (waited.version === versionstamp) {
      throw new StoreUnavailable("Whoever has the turn does not go on");
    }
    waited.version = versionstamp;
    return null;
  }
  const goesOn = found !== null && isGoneOnWith(found, nowMs);
  const series = goesOn ? found : newSeries(clock, found);
  const turn = { options, series, versionstamp };
  return await save(turn, series) ? turn : null;
}

/**
 * Not one of a clock that was ahead: nobody knows then how old it is. Nor one
 * without a number, which an earlier version began.
 */
function isGoneOnWith(series: BackupSeries, nowMs: number): boolean {
  const { id, next, startedAtMs, writtenAtMs } = series;
  const isPast = (ms: number) => ms <= nowMs || isAhead(ms, nowMs, 0);
  return next > 0 && seriesNumber(id) > 0 &&
    isPast(startedAtMs) && isPast(writtenAtMs) &&
    // What is older than that may be gone from the log.
    nowMs - writtenAtMs < LOG_KEPT_MS / 2;
}

/** One that has no folder of its own before its first file is written. */
function newSeries(clock: Clock, before: BackupSeries | null): BackupSeries {
  const startedAtMs = clock.now();
  return {
    id: before?.id ?? "",
    startedAtMs,
    next: 0,
    previous: "",
    writtenAtMs: startedAtMs,
    leaseUntilMs: 0,
  };
}

/** The full backup, and at once what has changed while it was read. */
async function begin(turn: Turn, id: string): Promise<BackupRun> {
  const { kv, clock, keys: signing, patience, target } = turn.options;
  await renew(turn, { ...turn.series, id });
  // Every change so far will be in the full backup.
  await forgetThrough({ kv, patience }, turn.versionstamp ?? "");
  const bytes = dump(kv, { clock, keys: signing, patience });
  let number = 0;
  let end = "";
  for await (const piece of piecesOf(bytes)) {
    number += 1;
    const name = `${id}/full-${padded(number)}`;
    await target.put(name, piece);
    if (number === 1) await requireListed(target, name);
    end = lastLine(end, piece);
    await renew(turn, turn.series);
  }
  const { sha256 } = JSON.parse(end);
  await renew(turn, { ...turn.series, next: 1, previous: sha256 });
  await writeChanges(turn);
  return "begun";
}

/** A restore begins with a list: what is kept where none shows it is lost. */
async function requireListed(
  target: BackupTarget,
  name: string,
): Promise<void> {
  if ((await target.list()).includes(name)) return;
  throw new StoreUnavailable(
    "The place of the backups does not list what was put there",
  );
}

/**
 * The next number of all there are: what is newest is not for clocks to say, and
 * a store that was restored goes on behind the series it is from. Null where the
 * place is another store's: the newest series is what a restore brings back.
 */
async function nextId(turn: Turn): Promise<string | null> {
  const { clock, target } = turn.options;
  const names = await target.list();
  const newest = newestStore(names);
  if (newest !== null && newest !== await findStoreId(turn.options)) {
    return null;
  }
  if (newest === null && names.length > 0 && await isNew(turn)) return null;
  const last = [turn.series.id, ...names]
    .reduce((most, name) => Math.max(most, seriesNumber(name)), 0);
  const storeId = await ensureStoreId(turn.options);
  return seriesName(last + 1, clock.now(), storeId);
}

/** Of series that do not say whose they are: neither its own, nor restored. */
async function isNew({ series, options }: Turn): Promise<boolean> {
  const read = readManyFrom(options.kv, options.patience);
  const [hold] = await read([keys.hold()]);
  return series.id === "" && hold?.versionstamp === null;
}

/** The tail of a text that comes in pieces, from its last line on. */
function lastLine(before: string, piece: Uint8Array): string {
  const tail = before + new TextDecoder().decode(piece.slice(-1_024));
  return tail.trimEnd().split("\n").at(-1) ?? "";
}

async function writeChanges(turn: Turn): Promise<BackupRun> {
  const { kv, clock, keys: signing, patience, target } = turn.options;
  const { id, next: number, previous } = turn.series;
  const turnAt = turn.versionstamp ?? "";
  const writtenAtMs = clock.now();
  const reader = { kv, patience };
  const { lines, rows, through } = await changedSince(reader, turnAt);
  // The first file is what makes a full backup one of a moment.
  if (rows.length === 0 && number > 1) {
    await renew(turn, { ...turn.series, writtenAtMs });
    return "unchanged";
  }
  const header = { number, previous, through, at: isoTime(writtenAtMs) };
  const { bytes, sha256 } = changeFile(header, lines, signing);
  // A process that was held up for long may still write its own: each turn's
  // file is named by the turn, and the last one of a number counts.
  await target.put(`${id}/changes-${padded(number)}-${turnAt}`, bytes);
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
