/**
 * Setting where a connection is told of events, by its agent or its owner.
 *
 * @module
 */
import type { EventLog } from "../events/event.ts";
import { type Answered, commitOnce, done } from "../idempotency/answer_once.ts";
import type { Binding } from "../idempotency/replay.ts";
import { invariant } from "../invariant.ts";
import { readDocumentUrl } from "../oauth/clients/client_id_url.ts";
import type { Grant, Scope } from "../oauth/grant.ts";
import { withoutListener } from "../oauth/ended_callback.ts";
import { isOver } from "../oauth/grant_state.ts";
import type { Keys, Services, Settings, Transaction } from "../ports.ts";
import { readAll } from "../read_all.ts";
import { refuse } from "../refusal.ts";
import { type Authority, requireAuthority } from "../sessions/authority.ts";
import {
  type Callback,
  CALLBACKS_MAX,
  type CallbackSecret,
  isOutdated,
  SECRET_OVERLAP_MS,
} from "./callback.ts";
import { type CallbackRecord, callbackRecord } from "./callback_record.ts";
import { endIfOver } from "./end_callbacks.ts";
import { secretsOf, secretText } from "./signature.ts";

/** Which connection is told where. */
export interface SetCallback {
  accountId: string;
  grantId: string;
  /** Who asks. */
  by: Authority;
  /** Of the agent's token; left out for the owner. */
  scopes?: readonly Scope[];
  /** Null: it is told nowhere. */
  url: string | null;
  /** Whether it gets another secret. */
  rotates: boolean;
  binding: Binding | null;
}

type SetServices = Pick<
  Services,
  "store" | "clock" | "ids" | "keys" | "settings"
>;

/**
 * Sets or takes away the callback of a connection. Events from now on are told;
 * one that was switched off is on again. A secret is said when it is made.
 *
 * @throws {Refused} `invalid_input` for what is no public https address,
 * `not_found` for a connection that is over or of another account,
 * `callbacks_full`, and what {@linkcode requireAuthority} refuses
 */
export async function setCallback(
  services: SetServices,
  { url, ...input }: SetCallback,
): Promise<Answered<CallbackRecord>> {
  if (url !== null) {
    refuseNoAddress(services.settings, url);
    await endThoseOver(services, input.accountId);
  }
  const { keys, ids } = services;
  const name = ids.next("signer"); // outside: attempts share it
  return await commitOnce<CallbackRecord>(
    services,
    input.binding,
    async (tx, nowMs) => {
      await requireAuthority(tx, input.by);
      const found = await readCallback(tx, input, nowMs);
      if (url === null) return done(remove(tx, found));
      const { log, grant } = found;
      const before = found.before && isOutdated(found.before, grant)
        ? null
        : found.before;
      const listeners = (log.listeners ?? [])
        .filter((id) => id !== input.grantId);
      if (listeners.length >= CALLBACKS_MAX) refuse({ code: "callbacks_full" });
      const isNewSecret = before === null || input.rotates ||
        before.off === "secret_gone" ||
        secretsOf(keys, before, nowMs).length === 0;
      const secrets = isNewSecret
        ? withNewSecret({ name, keys }, before?.secrets ?? [], nowMs)
        : before.secrets;
      const callback = callbackAt(input, {
        url,
        secrets,
        before,
        log,
        setAtMs: nowMs,
        isOwners: "session" in input.by &&
          (isNewSecret || before.isOwners === true),
      });
      tx.callbacks.save(callback);
      tx.eventLogs.save({ ...log, listeners: [...listeners, input.grantId] });
      const secret = isNewSecret ? newestSecret(keys, callback) : null;
      return done(callbackRecord(callback, { scopes: input.scopes, secret }));
    },
  );
}

type FindServices = Pick<Services, "store" | "keys" | "clock">;

/** The callback of a connection, for its agent or its owner; null for none. */
export async function findCallback(
  services: FindServices,
  grantId: string,
): Promise<Callback | null> {
  const { store } = services;
  const [callback, grant] = await store.getMany([
    store.callbacks.ref(grantId),
    store.grants.ref(grantId),
  ]);
  return grant && asItStands(services, callback, grant);
}

/** The callbacks of those connections that have one, by the connection's id. */
export async function findCallbacks(
  services: FindServices,
  grants: readonly Grant[],
): Promise<Map<string, Callback>> {
  const { store } = services;
  const refs = grants.map(({ id }) => store.callbacks.ref(id));
  const found = await readAll(store, refs);
  const callbacks = new Map<string, Callback>();
  for (const [at, grant] of grants.entries()) {
    const callback = asItStands(services, found[at] ?? null, grant);
    if (callback !== null) callbacks.set(grant.id, callback);
  }
  return callbacks;
}

/**
 * One whose secret no key makes any more is off already, as the next message would
 * find; null for one that an agent set before its connection was over, or one of
 * its tokens stolen.
 */
function asItStands(
  { keys, clock }: FindServices,
  callback: Callback | null,
  grant: Grant,
): Callback | null {
  if (callback === null || isOutdated(callback, grant)) return null;
  if (callback.off !== null) return callback;
  const isGone = secretsOf(keys, callback, clock.now()).length === 0;
  return isGone ? { ...callback, off: "secret_gone" } : callback;
}

function refuseNoAddress(settings: Settings, url: string): void {
  if (readDocumentUrl(settings, url) !== null) return;
  refuse({
    code: "invalid_input",
    message: "Cannot set the callback: url must be a public https address " +
      "of 512 characters at most, at port 443",
  });
}

interface Found {
  before: Callback | null;
  log: EventLog;
  grant: Pick<Grant, "scopes" | "trustedSinceMs">;
}

async function readCallback(
  tx: Transaction,
  { accountId, grantId }: Pick<SetCallback, "accountId" | "grantId">,
  nowMs: number,
): Promise<Found> {
  const [grant, before, log] = await tx.getMany([
    tx.grants.ref(grantId),
    tx.callbacks.ref(grantId),
    tx.eventLogs.ref(accountId),
  ]);
  if (grant?.accountId !== accountId || isOver(grant, nowMs)) {
    const message = `Cannot find connection "${grantId}"`;
    refuse({ code: "not_found", message });
  }
  return { before, log: log ?? { accountId, position: 0 }, grant };
}

function remove(tx: Transaction, { before, log }: Found): CallbackRecord {
  if (before !== null) {
    tx.callbacks.remove(before);
    tx.eventLogs.save(withoutListener(log, before.grantId));
  }
  return callbackRecord(null);
}

/**
 * Ends the callbacks of connections that are over where all places are taken:
 * nothing tells them any more that they are.
 */
async function endThoseOver(
  { store, clock }: SetServices,
  accountId: string,
): Promise<void> {
  const listeners = (await store.eventLogs.find(accountId))?.listeners ?? [];
  if (listeners.length < CALLBACKS_MAX) return;
  const nowMs = clock.now();
  const grants = await store.getMany(
    listeners.map((id) => store.grants.ref(id)),
  );
  for (const [at, grantId] of listeners.entries()) {
    const grant = grants[at] ?? null;
    if (grant !== null && !isOver(grant, nowMs)) continue;
    await endIfOver({ store, clock }, { accountId, grantId });
  }
}

/** The present secret ends after a while, and one that had an end is over. */
function withNewSecret(
  { name, keys }: { name: string; keys: Keys },
  [present]: readonly CallbackSecret[],
  nowMs: number,
): CallbackSecret[] {
  const newest = { name, keyId: keys.currentId, endsAtMs: null };
  if (present === undefined) return [newest];
  return [newest, { ...present, endsAtMs: nowMs + SECRET_OVERLAP_MS }];
}

function newestSecret(keys: Keys, callback: Callback): string {
  const [newest] = callback.secrets;
  const text = newest ? secretText(keys, callback, newest) : null;
  invariant(text !== null, "the present key makes a secret");
  return text;
}

/** Whoever was told goes on where it stood, unless it was switched off. */
function callbackAt(
  { accountId, grantId, scopes }: Omit<SetCallback, "url">,
  { url, secrets, before, log, setAtMs, isOwners }:
    & Omit<Found, "grant">
    & Required<Pick<Callback, "url" | "secrets" | "setAtMs">>
    & { isOwners: boolean },
): Callback {
  const isOn = before !== null && before.off === null;
  return {
    grantId,
    accountId,
    url,
    setAtMs,
    ...isOwners && { isOwners },
    ...scopes !== undefined && { scopes },
    secrets,
    off: null,
    position: isOn ? before.position : log.position,
    replays: before?.replays ?? [],
    dueAtMs: isOn ? before.dueAtMs : null,
    leaseOwner: null,
    failures: 0,
    failingSinceMs: null,
    deliveries: before?.deliveries ?? [],
  };
}
