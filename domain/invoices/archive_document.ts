import { invariant } from "../invariant.ts";
import { FILE_TOO_LARGE } from "../payments/processor.ts";
import type { Outcome } from "../payments/outcome.ts";
import type { Services } from "../ports.ts";
import { advance } from "../state_machine.ts";
import {
  ARCHIVE_STATES,
  archiveName,
  type ArchiveTask,
} from "./archive_task.ts";
import { ArchiveRefused, type StoredDocument } from "./document_archive.ts";
import { isWholePdf } from "./pdf_check.ts";

/**
 * Longer than the calls of one attempt can take together: two of the processor
 * and the commits of the largest document.
 */
export const ARCHIVE_LEASE_MS = 3 * 60_000;
/** A first retry after a minute, then twice as long each time, to an hour. */
const RETRY_MS = 60_000;
/** Longest wait between two attempts. */
const RETRY_MAX_MS = 3_600_000;

/** What an attempt came to. */
type Ending =
  | { kind: "stored"; document: StoredDocument }
  /** It is tried again later. */
  | { kind: "failed"; why: string }
  /** It can never be stored, and nothing else ends a task (contract §10.2). */
  | { kind: "impossible"; why: string };

/**
 * Puts one printed document into the archive if that is due and the store not
 * on hold, and records what came of it. Of any number of isolates one takes the lease; should another
 * come all the same, the first document stays. A process that dies after it
 * stored the document leaves it to be found by the next attempt.
 * Decision 0136 says why.
 *
 * @throws {TemporaryFailure} when the outcome could not be written down
 */
export async function archiveDocument(
  services: Services,
  { number }: { number: string },
): Promise<void> {
  if (await services.store.currentHold() !== null) return;
  const held = await takeLease(services, number);
  if (held === null) return;
  const ending = await attempt(services, held);
  if (ending.kind === "stored") {
    return await recordStored(services, held, ending.document);
  }
  await recordFailure(services, held, ending);
}

/** The task as it is now held; null when it is not due or another's. */
function takeLease(
  { store, clock }: Services,
  number: string,
): Promise<ArchiveTask | null> {
  return store.transact(async (tx) => {
    const now = clock.now();
    const task = await tx.archiveTasks.find(number);
    if (task?.state !== "waiting" || task.dueAtMs > now) return null;
    const leaseUntilMs = now + ARCHIVE_LEASE_MS;
    const attempts = task.attempts + 1;
    const held = { ...task, leaseUntilMs, dueAtMs: leaseUntilMs, attempts };
    tx.archiveTasks.save(held);
    return held;
  });
}

/** Whatever goes wrong is a reason to try again, but for an impossible write. */
async function attempt(
  services: Services,
  task: ArchiveTask,
): Promise<Ending> {
  try {
    return await store(services, task);
  } catch (error) {
    // Never the message: the address of a printed invoice is a secret.
    const why = error instanceof Error ? error.name : "unknown";
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

/** Recorded whoever holds the lease by now: it is in the archive. */
async function recordStored(
  { store, clock, log }: Services,
  { number, kind }: ArchiveTask,
  { bytes, sha256 }: StoredDocument,
): Promise<void> {
  const isNews = await store.transact(async (tx) => {
    const now = clock.now();
    const task = await tx.archiveTasks.find(number);
    invariant(task !== null, "a task stays for ever");
    if (task.state === "stored") return false;
    tx.archiveTasks.save({
      ...task,
      state: advance(ARCHIVE_STATES, task.state, "stored"),
      dueAtMs: now,
      leaseUntilMs: now,
      bytes,
      sha256,
    });
    return true;
  });
  if (isNews) log.info("archive.stored", { document: number, kind });
}

async function recordFailure(
  { store, clock, log }: Services,
  held: ArchiveTask,
  { kind: outcome, why }: Exclude<Ending, { kind: "stored" }>,
): Promise<void> {
  const { number, kind, attempts } = held;
  const isMine = await store.transact(async (tx) => {
    const now = clock.now();
    const task = await tx.archiveTasks.find(number);
    // Who took the lease since then decides.
    if (task?.state !== "waiting" || task.attempts !== attempts) return false;
    const free = { ...task, leaseUntilMs: now };
    tx.archiveTasks.save(
      outcome === "impossible"
        ? { ...free, state: advance(ARCHIVE_STATES, task.state, outcome) }
        : { ...free, dueAtMs: now + pauseMs(attempts) },
    );
    return true;
  });
  if (!isMine) return;
  log.error(`archive.${outcome}`, { document: number, kind, attempts, why });
}

function pauseMs(attempts: number): number {
  return Math.min(RETRY_MS * 2 ** (attempts - 1), RETRY_MAX_MS);
}
