import { refuseWhileOnHold } from "../hold/gate.ts";
import type { Services } from "../ports.ts";
import { refuse } from "../refusal.ts";
import { advance } from "../state_machine.ts";
import { isAhead } from "../tasks/due.ts";
import { ARCHIVE_LEASE_MS, archiveDocument } from "./archive_document.ts";
import { ARCHIVE_STATES, type ArchiveTask } from "./archive_task.ts";

/**
 * Retries a document at once by an operator's decision, also one that was
 * impossible to store before. What is in the archive, or leased, stays as it is.
 *
 * @returns the task as it then stands
 * @throws {Refused} `not_found` for a number nobody ever archived
 * @throws {StoreOnHold} while the store is on hold
 */
export async function retryArchiving(
  services: Services,
  { number }: { number: string },
): Promise<ArchiveTask> {
  const { store, clock } = services;
  await refuseWhileOnHold(services);
  await store.transact(async (tx) => {
    const now = clock.now();
    const task = await tx.archiveTasks.find(number);
    if (task === null) refuseUnknown(number);
    const isHeld = isAhead(task.leaseUntilMs, now, ARCHIVE_LEASE_MS);
    if (task.state === "stored" || isHeld) return;
    const state = task.state === "impossible"
      ? advance(ARCHIVE_STATES, task.state, "waiting")
      : task.state;
    tx.archiveTasks.save({ ...task, state, dueAtMs: now });
    tx.noteChange({ before: { state: task.state }, after: { state } });
  });
  await archiveDocument(services, { number });
  return await findArchiveTask(services, { number });
}

/**
 * How far a document is on its way into the archive.
 *
 * @throws {Refused} `not_found` for a number nobody ever archived
 */
export async function findArchiveTask(
  { store }: Pick<Services, "store">,
  { number }: { number: string },
): Promise<ArchiveTask> {
  return await store.archiveTasks.find(number) ?? refuseUnknown(number);
}

function refuseUnknown(number: string): never {
  refuse({
    code: "not_found",
    message: `Cannot find the document ${JSON.stringify(number)}`,
  });
}
