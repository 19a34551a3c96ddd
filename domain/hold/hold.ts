import { DAY_MS } from "../day.ts";

/** How far back is looked where a backup does not say when it was made. */
export const UNKNOWN_AGE_MS = 60 * DAY_MS;
/** Times of earlier restores that a hold names; of more, the oldest are one. */
const EARLIER_MAX = 12;

/** A time of which a restored store may lack what the processor moved. */
export interface LostTime {
  fromMs: number;
  untilMs: number;
}

/**
 * Why a store answers and does not act: it was brought back from a backup, and
 * what has happened since is known to the processor alone.
 */
export interface Hold {
  /** A drill is never released and never meets real money or people. */
  kind: "restored" | "drill";
  /** When the restore began. */
  restoredAtMs: number;
  /** When the backup was begun; null: it is of before backups said so. */
  backupAtMs: number | null;
  /** All of the backup is in the store. */
  isWhole: boolean;
  /** When an operator let the store act; null while it is on hold. */
  releasedAtMs: number | null;
  /**
   * What that operator took note of, as it was named, and of days that were sold
   * what was noted after earlier restores.
   */
  acknowledged: readonly string[];
  /**
   * The times that restores before this one lost, oldest first: their releases
   * may have left something out. Absent for none.
   */
  earlier?: readonly LostTime[];
  /**
   * What releases could not take over, by its name: it is asked for again.
   * Absent for nothing.
   */
  missed?: readonly string[];
}

/** A hold that nobody has ended yet. */
export type ActiveHold = Hold & { releasedAtMs: null };

/** Whether the store has to stay as it is. */
export function isActiveHold(hold: Hold | null): hold is ActiveHold {
  return hold !== null && hold.releasedAtMs === null;
}

/** How a note begins that an invoice bought its day. */
const SOLD = "day_sold_to_unknown:";
/** Names of what is asked for again; a release has fewer items. */
const MISSED_MAX = 400;
/** Such notes that later restores keep. */
const SOLD_MAX = 200;

/**
 * Whether the operator noted that an invoice bought its day, for a bid of which
 * the backup knows nothing.
 */
export function isNotedAsSold(
  { acknowledged }: Pick<Hold, "acknowledged">,
  invoiceId: string,
): boolean {
  return acknowledged.includes(`${SOLD}${invoiceId}`);
}

/**
 * Whether the operator noted that an invoice bought its day for a bid that the
 * backup knows, and could not be taken over at the release.
 */
export function isNotedAsMissed(
  { acknowledged }: Pick<Hold, "acknowledged">,
  invoiceId: string,
): boolean {
  return acknowledged.includes(`not_adopted:day_sold:${invoiceId}`);
}

/**
 * What is noted once an operator took note of this: with what was noted at
 * releases before of days that were sold, since the rows of that may be lost.
 */
export function notedAfter(
  { acknowledged }: Pick<Hold, "acknowledged">,
  more: readonly string[],
): string[] {
  const sold = acknowledged.filter((name) => name.startsWith(SOLD));
  return [...new Set([...sold.slice(-SOLD_MAX), ...more])];
}

/**
 * What is to be asked for again once a release has left this out: with what
 * earlier ones did. A sold day is not: its settlement looks for it.
 */
export function missedAfter(
  { missed = [] }: Pick<Hold, "missed">,
  notAdopted: readonly string[],
): Pick<Hold, "missed"> {
  const names = [...new Set([...missed, ...notAdopted])];
  return names.length === 0 ? {} : { missed: names.slice(-MISSED_MAX) };
}

/**
 * The times of which the store may lack what the processor moved, oldest first:
 * from each backup that it was restored from to the release after it. One that
 * was begun after its restore was so by a wrong clock, and is of any age.
 */
export function lostTimesOf(hold: Hold, nowMs: number): LostTime[] {
  const { earlier = [], backupAtMs, restoredAtMs, releasedAtMs } = hold;
  const isKnown = backupAtMs !== null && backupAtMs < restoredAtMs;
  const fromMs = isKnown ? backupAtMs : restoredAtMs - UNKNOWN_AGE_MS;
  return [...earlier, { fromMs, untilMs: releasedAtMs ?? nowMs }];
}

/**
 * The hold of a store that is being restored. A backup that was itself taken of
 * a store on hold leaves nothing out: what the older backup lacks is reviewed,
 * and a drill stays one. What was lost before the backup of a released store is
 * named as well.
 */
export function holdAfterRestore(
  carried: Hold | null,
  restored: Pick<Hold, "kind" | "restoredAtMs" | "backupAtMs">,
): Hold {
  const hold = {
    ...restored,
    isWhole: false,
    releasedAtMs: null,
    acknowledged: carried === null ? [] : notedAfter(carried, []),
  };
  if (carried === null) return hold;
  const { kind, backupAtMs, earlier, missed } = carried;
  const still = missed === undefined ? {} : { missed };
  if (!isActiveHold(carried)) {
    const lost = lostTimesOf(carried, restored.restoredAtMs);
    return { ...hold, ...still, earlier: bounded(lost) };
  }
  return {
    ...hold,
    ...still,
    kind: kind === "drill" ? "drill" : hold.kind,
    backupAtMs,
    ...earlier !== undefined && { earlier },
  };
}

/** The same times, of which the oldest are taken together where there are many. */
function bounded(times: readonly LostTime[]): LostTime[] {
  const tooMany = times.length - EARLIER_MAX;
  if (tooMany <= 0) return [...times];
  const oldest = times.slice(0, tooMany + 1);
  const whole: LostTime = {
    fromMs: Math.min(...oldest.map(({ fromMs }) => fromMs)),
    untilMs: Math.max(...oldest.map(({ untilMs }) => untilMs)),
  };
  return [whole, ...times.slice(tooMany + 1)];
}
