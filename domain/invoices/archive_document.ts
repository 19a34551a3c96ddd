import { nameOfThrown } from "../failure.ts";
import type { Outcome } from "../payments/outcome.ts";
import { FILE_TOO_LARGE } from "../payments/processor.ts";
import type { Services } from "../ports.ts";
import { advance } from "../state_machine.ts";
import { backOffMs } from "../tasks/back_off.ts";
import { isDue } from "../tasks/due.ts";
import {
  type Held,
  runTask,
  type TaskFamily,
  type TaskOutcome,
} from "../tasks/run_task.ts";
import {
  ARCHIVE_STATES,
  archiveDueAtMs,
  archiveName,
  type ArchiveTask,
} from "./archive_task.ts";
import { ArchiveRefused, type StoredDocument } from "./document_archive.ts";

/**
 * Longer than the calls of one attempt can take together: two of the processor
 * and the commits of the largest document.
 */
export const ARCHIVE_LEASE_MS = 3 * 60_000;
const RETRIES = { firstMs: 60_000, maxMs: 3_600_000 };

/** Whether its turn has come, with leases and pauses by a clock that is right. */
export function isArchivingDue(task: ArchiveTask, nowMs: number): boolean {
  const isLeased = task.dueAtMs === task.leaseUntilMs;
  const withinMs = isLeased ? ARCHIVE_LEASE_MS : RETRIES.maxMs;
  return isDue(archiveDueAtMs(task), nowMs, withinMs);
}

/** The result of an attempt. */
type Ending =
  | { kind: "stored"; document: StoredDocument }
  /** It is tried again later. */
  | { kind: "failed"; why: string }
  /** It can never be stored, and nothing else ends a task (contract §10.2). */
  | { kind: "impossible"; why: string };

const DOCUMENTS: TaskFamily<ArchiveTask, Ending> = {
  table: ({ archiveTasks }) => archiveTasks,
  idOf: ({ number }) => number,
  leaseMs: ARCHIVE_LEASE_MS,
  isFree: isArchivingDue,
  runsOnHold: () => false,
  held: (task, { untilMs }) => ({
    ...task,
    leaseUntilMs: untilMs,
    dueAtMs: untilMs,
    attempts: task.attempts + 1,
  }),
  run: attempt,
  after(task, { held, ending, nowMs }) {
    const free = { ...task, leaseUntilMs: nowMs };
    const moved = (state: "stored" | "impossible") => ({
      ...free,
      state: advance(ARCHIVE_STATES, task.state, state),
    });
    if (ending?.kind === "stored") {
      // Whoever holds the lease by now: it is in the archive.
      if (task.state === "stored") return null;
      const { bytes, sha256 } = ending.document;
      return { ...moved("stored"), dueAtMs: nowMs, bytes, sha256 };
    }
    // Who took the lease since then decides.
    if (task.state !== "waiting" || task.attempts !== held.attempts) {
      return null;
    }
    if (ending?.kind === "impossible") return moved("impossible");
    return { ...free, dueAtMs: nowMs + backOffMs(task.attempts, RETRIES) };
  },
  report,
};

/**
 * Puts one printed document into the archive if that is due and the store not
 * on hold, and records the result. Of any number of isolates one takes the
 * lease; should another come all the same, the first document stays. A process
 * that dies after it stored the document leaves it to be found by the next
 * attempt.
 *
 * @throws {TemporaryFailure} when the outcome could not be written down
 */
export function archiveDocument(
  services: Services,
  { number }: { number: string },
): Promise<void> {
  return runTask(services, DOCUMENTS, [number]);
}

/** Whatever goes wrong is a reason to try again, but for an impossible write. */
async function attempt(
  services: Services,
  [task]: Held<ArchiveTask>,
): Promise<Ending> {
  try {
    return await store(services, task);
  } catch (error) {
    // Never the message: the address of a printed invoice is a secret.
    const why = nameOfThrown(error);
    const isFinal = error instanceof ArchiveRefused;
    return { kind: isFinal ? "impossible" : "failed", why };
  }
}

async function store(services: Services, task: ArchiveTask): Promise<Ending> {
  const { archive } = services;
  const name = archiveName(task);
  const standing = await archive.describe(name);
  if (standing !== null) return { kind: "stored", document: standing };
  const pdf = await download(services, task);
  if (!pdf.ok) {
    return {
      kind: pdf.code === FILE_TOO_LARGE ? "impossible" : "failed",
      why: pdf.code,
    };
  }
  if (!isWholePdf(pdf.value)) return { kind: "failed", why: "not_a_whole_pdf" };
  return { kind: "stored", document: await archive.store(name, pdf.value) };
}

function download(
  { processor, archive: { maxBytes } }: Services,
  { kind, documentId }: ArchiveTask,
): Promise<Outcome<Uint8Array<ArrayBuffer>>> {
  return kind === "invoice"
    ? processor.downloadInvoicePdf(documentId, maxBytes)
    : processor.downloadCreditNotePdf(documentId, maxBytes);
}

function report(
  { log }: Services,
  { held, ending, change }: TaskOutcome<ArchiveTask, Ending>,
): void {
  const { number: document, kind, attempts } = held;
  if (change === null || ending === null) return;
  if (ending.kind === "stored") {
    return log.info("archive.stored", { document, kind });
  }
  const fields = { document, kind, attempts, why: ending.why };
  // After a day the comparison of the books tells a person of it.
  if (ending.kind === "failed") log.info("archive.failed", fields);
  else log.error("archive.impossible", fields);
}

/** Where the end of a PDF is looked for: readers do the same. */
const TAIL_BYTES = 1_024;

const latin1 = new TextDecoder("latin1");

/**
 * Whether bytes begin and end as a PDF does: not an error page that was sent
 * in its place, nor a file that was cut off.
 */
function isWholePdf(bytes: Uint8Array): boolean {
  const head = latin1.decode(bytes.subarray(0, 8));
  const tail = latin1.decode(bytes.subarray(-TAIL_BYTES));
  return head.startsWith("%PDF-") && tail.includes("%%EOF");
}
