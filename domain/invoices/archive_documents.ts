import { workThrough } from "../operations/work_through.ts";
import type { Services } from "../ports.ts";
import { archiveDocument } from "./archive_document.ts";

/** Documents of one run; the next run goes on from there. */
export const DOCUMENTS_PER_RUN = 200;
/** A document is held in memory whole, up to 20 MiB. */
export const ARCHIVE_LANES = 2;
/** No document is begun later than this in a run. */
const BEGIN_WITHIN_MS = 45_000;

/**
 * Archives the documents that are due, longest due first, as far as one run
 * goes. Safe to run twice, in two isolates, and after a crash. One document's
 * trouble never keeps the others waiting.
 */
export async function archiveDocuments(
  services: Services,
  lanes: number = ARCHIVE_LANES,
): Promise<void> {
  const { store, clock } = services;
  const due = await store.listDue("archiving", clock.now(), {
    limit: DOCUMENTS_PER_RUN,
  });
  await workThrough(
    clock,
    due,
    { lanes, beginWithinMs: BEGIN_WITHIN_MS },
    ({ number }) => attemptArchiving(services, number),
  );
}

/**
 * Tries one document; that the outcome could not be written down is only
 * logged, since it is tried again once the lease has run out.
 */
export async function attemptArchiving(
  services: Services,
  number: string,
): Promise<void> {
  try {
    await archiveDocument(services, { number });
  } catch (error) {
    const name = error instanceof Error ? error.name : "unknown";
    services.log.error("archive.unrecorded", { document: number, error: name });
  }
}
