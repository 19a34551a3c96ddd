import type { DataRequests } from "../privacy/data_requests.ts";
import type { ErasedAccount } from "../privacy/erasure.ts";
import type { Ref, Table, WriteTable } from "../tables.ts";
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
  dataRequests: Pick<Table<DataRequests, [accountId: string]>, "ref">;
  erasedAccounts: Pick<Table<ErasedAccount, [accountId: string]>, "ref">;
  peek<T>(ref: Ref<T>): Promise<T | null>;
}

/**
 * Writes events in the caller's own commit, which they tell of: once for each
 * account and commit, with all there is to tell. Places follow each other in the
 * order of the commits, since each checks the last one. They are moments, so that
 * a store that was restored goes on behind every place it ever gave. When a thing
 * happened is another matter: it may be told later, or with others. Nothing is
 * written of an account that is erased: a day of it may still be refunded,
 * disputed or removed.
 */
export async function noteEvents(
  tx: NotesEvents,
  accountId: string,
  facts: readonly EventFact[],
  nowMs: number,
): Promise<void> {
  if (facts.length === 0) return;
  if (await isErased(tx, accountId)) return;
  const log = await tx.eventLogs.find(accountId);
  const position = log?.position ?? 0;
  const events = placeEvents({ accountId, position }, facts, nowMs);
  events.forEach((event) => tx.accountEvents.save(event));
  const last = events.at(-1)?.position ?? position;
  const isHeard = (log?.listeners ?? []).length > 0;
  const untoldSinceMs = isHeard ? log?.untoldSinceMs ?? nowMs : null;
  tx.eventLogs.save({ ...log, accountId, position: last, untoldSinceMs });
}

/** The facts of one commit as events behind the last one of the account. */
export function placeEvents(
  { accountId, position: last }: Pick<EventLog, "accountId" | "position">,
  facts: readonly EventFact[],
  nowMs: number,
): AccountEvent[] {
  const firstPosition = Math.max(nowMs, last + 1);
  return facts.map(({ type, data, atMs: happenedAtMs }, nth) => {
    const position = firstPosition + nth;
    // Another's clock may be ahead of ours: nothing is told before it happens.
    const atMs = Math.min(happenedAtMs ?? nowMs, nowMs);
    return {
      accountId,
      position,
      type,
      data,
      ...atMs !== position && { atMs },
      expiresAtMs: nowMs + EVENT_KEPT_MS,
    };
  });
}

/**
 * Looked at without a check, of which a commit has few: an erasure begins long
 * before it removes what was told, so that a commit of before it has ended by
 * then. One after the other, as its last commit writes the second of these rows
 * and removes the first.
 */
async function isErased(tx: NotesEvents, accountId: string): Promise<boolean> {
  const requests = await tx.peek(tx.dataRequests.ref(accountId));
  if (requests?.erasure?.state === "erasing") return true;
  return await tx.peek(tx.erasedAccounts.ref(accountId)) !== null;
}
