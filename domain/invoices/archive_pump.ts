import { waitAtMost } from "../operations/wait_at_most.ts";
import { createWorkPump } from "../operations/work_pump.ts";
import type { Services, StartTimer } from "../ports.ts";
import { ARCHIVE_LANES, attemptArchiving } from "./archive_documents.ts";

const LIMITS = { lanes: ARCHIVE_LANES, waitingMax: 1_000 };
/** How long a stop waits for attempts under way; others find what they left. */
export const STOP_ARCHIVING_MS = 5_000;

/** Archives documents in this process as soon as they are known of. */
export interface ArchivePump {
  /** Takes note of documents' numbers; never waits and never throws. */
  offer(numbers: readonly string[]): void;
  /** Begins no further attempt and waits for those under way, so long at most. */
  close(graceMs?: number): Promise<void>;
}

/**
 * A pump beside the sweep: what it can't take, or what a crash takes from it,
 * is still a task and found by `archiveDocuments()`.
 */
export function createArchivePump(
  services: Services,
  startTimer: StartTimer,
): ArchivePump {
  const pump = createWorkPump<string>(
    LIMITS,
    (number) => attemptArchiving(services, number),
  );
  return {
    offer: (numbers) => pump.offer(numbers),
    close: (graceMs = STOP_ARCHIVING_MS) =>
      waitAtMost(pump.close(), graceMs, startTimer),
  };
}
