import type { Table, WriteTable } from "../tables.ts";
import {
  type AccountEvent,
  EVENT_KEPT_MS,
  type EventFact,
  type EventLog,
} from "./event.ts";

/** What noting takes of the caller's transaction. */
export interface NotesEvents {
  eventLogs: Table<EventLog, [accountId: string]>;
  accountEvents: WriteTable<AccountEvent>;
}

/**
 * Writes events in the caller's own commit, which they tell of: once for each
 * account and commit, with all there is to tell. Places follow each other in the
 * order of the commits, since each checks the last one. They are moments, so that
 * a store that was restored goes on behind every place it ever gave.
 */
export async function noteEvents(
  tx: NotesEvents,
  accountId: string,
  facts: readonly EventFact[],
  nowMs: number,
): Promise<void> {
  if (facts.length === 0) return;
  const log = await tx.eventLogs.find(accountId);
  let position = log?.position ?? 0;
  for (const { type, data } of facts) {
    position = Math.max(nowMs, position + 1);
    const expiresAtMs = nowMs + EVENT_KEPT_MS;
    tx.accountEvents.save({ accountId, position, type, data, expiresAtMs });
  }
  const isHeard = (log?.listeners ?? []).length > 0;
  const untoldSinceMs = isHeard ? log?.untoldSinceMs ?? nowMs : null;
  tx.eventLogs.save({ ...log, accountId, position, untoldSinceMs });
}
