import type { Grant } from "../oauth/grant.ts";
import { endedCallback, withoutListener } from "../oauth/ended_callback.ts";
import { isOver } from "../oauth/grant_state.ts";
import type { Services } from "../ports.ts";
import { readAll } from "../read_all.ts";
import { type Callback, isOutdated } from "./callback.ts";
import { logUntold } from "./sweep_callbacks.ts";

type EndServices = Pick<Services, "clock" | "log" | "store">;

/** Callbacks that are read at a time. */
const PAGE = 200;

/**
 * Ends the callbacks of connections that are over by the clock alone, as when a
 * mandate or the last tokens ran out: no commit says so, and where nothing is to
 * be told no request finds it. It may be repeated, and goes on after a crash.
 */
export async function endCallbacks(services: EndServices): Promise<void> {
  const { store, clock } = services;
  let after: string | null = null;
  for (;;) {
    const page: Callback[] = await store.listCallbacks({ limit: PAGE, after });
    if (page.length === 0) return;
    after = page.at(-1)?.grantId ?? null;
    const left = page.filter(({ expiresAtMs }) => expiresAtMs === undefined);
    const refs = left.map(({ grantId }) => store.grants.ref(grantId));
    const grants = await readAll(store, refs);
    for (const [at, callback] of left.entries()) {
      if (!hasToEnd(callback, grants[at] ?? null, clock.now())) continue;
      const { accountId, grantId } = callback;
      await endIfOver(services, { accountId, grantId })
        .catch((thrown) => logUntold(services, thrown));
    }
  }
}

/** Ends one callback, and gives its place away, if its connection is over. */
export function endIfOver(
  { store, clock }: Pick<EndServices, "clock" | "store">,
  { accountId, grantId }: Pick<Callback, "accountId" | "grantId">,
): Promise<void> {
  return store.transact(async (tx) => {
    const [callback, grant] = await tx.getMany([
      tx.callbacks.ref(grantId),
      tx.grants.ref(grantId),
    ]);
    if (!hasToEnd(callback, grant, clock.now())) return;
    if (callback !== null && grant !== null) {
      const endedAtMs = grant.revokedAtMs ?? clock.now();
      const free = { ...callback, leaseOwner: null };
      tx.callbacks.save(await endedCallback(tx, free, endedAtMs));
      return;
    }
    // The connection was cleared away, and with it went what it was kept for.
    const log = await tx.eventLogs.find(accountId);
    if (log !== null) tx.eventLogs.save(withoutListener(log, grantId));
    if (callback !== null) tx.callbacks.remove(callback);
  });
}

function hasToEnd(
  callback: Callback | null,
  grant: Grant | null,
  nowMs: number,
): boolean {
  return grant === null || isOver(grant, nowMs) ||
    callback !== null && isOutdated(callback, grant);
}
