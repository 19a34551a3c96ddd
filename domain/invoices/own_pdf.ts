import { TemporaryFailure } from "../failure.ts";
import { invariant } from "../invariant.ts";
import type { Services } from "../ports.ts";
import { isAhead } from "../tasks/due.ts";
import { ARCHIVE_LEASE_MS } from "./archive_document.ts";
import { archiveName, type ArchiveTask } from "./archive_task.ts";
import {
  type FindOwnInvoice,
  findOwnInvoice,
  refuseUnknown,
} from "./find_own_invoice.ts";

/** Which printed document is wanted. */
export interface FindOwnPdf extends FindOwnInvoice {
  /** A credit note of the invoice; null for the invoice itself. */
  noteNumber: string | null;
}

/** A printed document that is in the archive. */
export interface OwnPdf {
  /** What it is stored under. */
  name: string;
  /** What a browser saves it as: letters, digits, dots and hyphens. */
  fileName: string;
  /** Hex. */
  sha256: string;
}

/** Seconds after which a document under way is worth asking for again. */
const SOON_S = 5;
/** Longest wait that is asked for. */
const LATE_S = 3_600;

/** The document is printed and numbered, but not in the archive yet. */
export class NotArchivedYet extends TemporaryFailure {
  override readonly name = "NotArchivedYet";
  override readonly retryAfterS: number;

  constructor(retryAfterS: number) {
    super("Cannot send the document: it is not archived yet");
    this.retryAfterS = retryAfterS;
  }
}

/**
 * The printed form of an account's own invoice, or of its credit note.
 *
 * @throws {Refused} `not_found`
 * @throws {NotArchivedYet}
 */
export async function findOwnPdf(
  services: Pick<Services, "store" | "clock">,
  { accountId, number, noteNumber }: FindOwnPdf,
): Promise<OwnPdf> {
  const invoice = await findOwnInvoice(services, { accountId, number });
  const document = noteNumber === null
    ? invoice
    : invoice.creditNotes.find((note) => note.number === noteNumber) ??
      refuseUnknown("credit note", noteNumber);
  const wanted = document.number;
  const task = await services.store.archiveTasks.find(wanted);
  // Under a number that was given twice lies the first one's document.
  if (task !== null && task.documentId !== document.id) {
    throw new NotArchivedYet(LATE_S);
  }
  if (task === null || task.sha256 === null) {
    throw new NotArchivedYet(retryAfterS(task, services.clock.now()));
  }
  invariant(
    task.accountId === accountId,
    "a document is its invoice's owner's",
  );
  const { kind, sha256 } = task;
  return {
    name: archiveName(task),
    fileName: fileNameOf(kind, wanted),
    sha256,
  };
}

/** The bytes of a document that was found. */
export async function readOwnPdf(
  { archive }: Pick<Services, "archive">,
  { name }: OwnPdf,
): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = await archive.read(name);
  invariant(bytes !== null, "what was archived is in the archive");
  return bytes;
}

function retryAfterS(task: ArchiveTask | null, nowMs: number): number {
  if (task?.state === "impossible") return LATE_S;
  const isTried = task === null ||
    isAhead(task.leaseUntilMs, nowMs, ARCHIVE_LEASE_MS);
  const waitS = isTried ? 0 : Math.ceil((task.dueAtMs - nowMs) / 1_000);
  return Math.min(Math.max(waitS, SOON_S), LATE_S);
}

function fileNameOf(kind: ArchiveTask["kind"], number: string): string {
  const safe = number.replace(/[^A-Za-z0-9._-]+/g, "-");
  return `${kind.replace("_", "-")}-${safe}.pdf`;
}
