import { nameOfThrown } from "../failure.ts";
import type { Services, StartTimer } from "../ports.ts";
import { createIdPump, type Pump } from "../tasks/pump.ts";
import { sweep } from "../tasks/sweep.ts";
import { archiveDocument } from "./archive_document.ts";

/** Documents of one run; the next run goes on from there. */
export const DOCUMENTS_PER_RUN = 200;
/** A document is held in memory whole, up to 20 MiB. */
const LANES = 2;
/** How long a stop waits for attempts under way; others find what they left. */
const STOP_ARCHIVING_MS = 5_000;

/**
 * Archives the documents that are due, longest due first, as far as one run
 * goes. Safe to run twice, in two isolates, and after a crash.
 */
export async function archiveDocuments(
  services: Services,
  lanes: number = LANES,
): Promise<void> {
  const { store, clock } = services;
  await sweep(clock, {
    due: (nowMs) =>
      store.listDue("archiving", nowMs, { limit: DOCUMENTS_PER_RUN }),
    lanes,
    attempt: ({ number }) => archiveDocument(services, { number }),
    failed: ({ number }, error) => logUnrecorded(services, number, error),
  });
}

/** Archives documents in this process as soon as their numbers are known. */
export function createArchivePump(
  services: Services,
  startTimer: StartTimer,
): Pump<string> {
  return createIdPump(
    { lanes: LANES, grace: { ms: STOP_ARCHIVING_MS, startTimer } },
    (number) => archiveDocument(services, { number }),
    (number, error) => logUnrecorded(services, number, error),
  );
}

/** The outcome could not be written down: it is due after its lease. */
function logUnrecorded(
  { log }: Services,
  document: string,
  thrown: unknown,
): void {
  const error = nameOfThrown(thrown);
  log.error("archive.unrecorded", { document, error });
}
