import type { TransitionTable } from "../state_machine.ts";
import type { Table } from "../tables.ts";

/** `impossible`: only an operator can remove what keeps it from being stored. */
export type ArchiveState = "waiting" | "stored" | "impossible";

/** The way of a document into the archive, which it never leaves. */
export const ARCHIVE_STATES: TransitionTable<ArchiveState> = {
  waiting: ["stored", "impossible"],
  impossible: ["waiting", "stored"],
  stored: [],
};

/**
 * That a document has to be archived, written in the commit that first knows of
 * it; afterwards, that it is. There is one a document, for ever.
 */
export interface ArchiveTask {
  /** The document's number, which is part of the archive's key. */
  number: string;
  kind: "invoice" | "credit_note";
  /** The processor's id of the document. */
  documentId: string;
  accountId: string;
  state: ArchiveState;
  createdAtMs: number;
  /** Not tried before this moment; during an attempt, when its lease ends. */
  dueAtMs: number;
  /** Until when one worker alone may try; in the past outside of attempts. */
  leaseUntilMs: number;
  /** Attempts begun; the number of the last one names who holds the lease. */
  attempts: number;
  /** Of what is stored; null before that. */
  bytes: number | null;
  /** SHA-256 of what is stored, hex; null before that. */
  sha256: string | null;
}

/** The name a document is stored under. */
export function archiveName(
  { kind, number }: Pick<ArchiveTask, "kind" | "number">,
): string {
  return `${kind}:${number}`;
}

/** When the document is tried next; null for one that is not. */
export function archiveDueAtMs(
  { state, dueAtMs }: ArchiveTask,
): number | null {
  return state === "waiting" ? dueAtMs : null;
}

/** Whether the document was just put down to be archived and never tried. */
export function isNewArchiveTask(task: ArchiveTask): boolean {
  return task.state === "waiting" && task.attempts === 0;
}

/**
 * Writes in the caller's own commit that a document has to be archived. A
 * number that another document has keeps its task: what the archive holds under
 * it is that one, and whoever it is for. Comparing the books tells of it.
 */
export async function queueArchiving(
  tx: { archiveTasks: Table<ArchiveTask, [number: string]> },
  document: Pick<ArchiveTask, "number" | "kind" | "documentId" | "accountId">,
  nowMs: number,
): Promise<void> {
  if (await tx.archiveTasks.find(document.number) !== null) return;
  tx.archiveTasks.save(newArchiveTask(document, nowMs));
}

/** The task of a document nobody has archived yet. */
export function newArchiveTask(
  document: Pick<ArchiveTask, "number" | "kind" | "documentId" | "accountId">,
  nowMs: number,
): ArchiveTask {
  return {
    ...document,
    state: "waiting",
    createdAtMs: nowMs,
    dueAtMs: nowMs,
    leaseUntilMs: 0,
    attempts: 0,
    bytes: null,
    sha256: null,
  };
}
