/** A printed document that is kept for the statutory time. */
export type ArchivedKind = "invoice" | "credit_note";

/**
 * That a document has to be archived, written in the commit that first knows of
 * it; afterwards, that it is. There is one a document, for ever.
 */
export interface ArchiveTask {
  /** The document's number, which is part of the archive's key. */
  number: string;
  kind: ArchivedKind;
  /** The processor's id of the document. */
  documentId: string;
  accountId: string;
  /** `impossible`: only an operator can mend what keeps it from being stored. */
  state: "waiting" | "stored" | "impossible";
  createdAtMs: number;
  dueAtMs: number;
  leaseUntilMs: number;
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
