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
  /** What that operator took note of, as it was named. */
  acknowledged: readonly string[];
}

/** A hold that nobody has ended yet. */
export type ActiveHold = Hold & { releasedAtMs: null };

/** Whether the store has to stay as it is. */
export function isActiveHold(hold: Hold | null): hold is ActiveHold {
  return hold !== null && hold.releasedAtMs === null;
}

/**
 * Whether the operator noted that an invoice bought its day, for a bid of which
 * the backup knows nothing.
 */
export function isNotedAsSold(
  { acknowledged }: Hold,
  invoiceId: string,
): boolean {
  return acknowledged.includes(`day_sold_to_unknown:${invoiceId}`);
}

/**
 * The hold of a store that is being restored. A backup that was itself taken of
 * a store on hold leaves nothing out: what the older backup lacks is reviewed,
 * and a drill stays one.
 */
export function holdAfterRestore(
  carried: Hold | null,
  restored: Pick<Hold, "kind" | "restoredAtMs" | "backupAtMs">,
): Hold {
  const hold = {
    ...restored,
    isWhole: false,
    releasedAtMs: null,
    acknowledged: [],
  };
  if (!isActiveHold(carried)) return hold;
  return {
    ...hold,
    kind: carried.kind === "drill" ? "drill" : hold.kind,
    backupAtMs: carried.backupAtMs,
  };
}
