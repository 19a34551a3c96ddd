/**
 * Telling a connection of its next event. One request at a time goes to an
 * address, in the order of the events, so that a slow one delays nobody else.
 * What was not taken is tried again under the same id, for a day.
 *
 * @module
 */
import { type AccountEvent, eventId, eventRecord } from "../events/event.ts";
import { listEvents } from "../events/list_events.ts";
import { FetchBusy, FetchRefused } from "../fetching/fetcher.ts";
import { queueMail } from "../mail/outbox_mail.ts";
import { endedCallback, withoutListener } from "../oauth/ended_callback.ts";
import { isOver } from "../oauth/grant_state.ts";
import { PAGES } from "../pages.ts";
import type { Services, Transaction } from "../ports.ts";
import { backOffMs } from "../tasks/back_off.ts";
import {
  type Ended,
  type Held,
  runTask,
  type TaskFamily,
  type TaskOutcome,
} from "../tasks/run_task.ts";
import {
  type Callback,
  CALLBACK_GIVEN_UP_MS,
  CALLBACK_LEASE_MS,
  CALLBACK_PAUSES,
  isCallbackDue,
  isOutdated,
  isTaken,
  type OffReason,
  withDelivery,
} from "./callback.ts";
import { offMail } from "./off_mail.ts";
import { signatureHeader } from "./signature.ts";

/** A receiver answers within this time; what it says is not read. */
const REQUEST_MS = 5_000;
/** Requests of ours for one address in a row; then others have their turn. */
const IN_A_ROW = 10;

/** What an attempt came to. */
type Ending =
  /** There was nothing to tell up to here. */
  | { kind: "nothing"; position: number }
  | {
    kind: "sent";
    event: AccountEvent;
    /** Null where there was no answer. */
    status: number | null;
    agentsUrl: string;
  }
  /** Too much is under way: it was not tried. */
  | { kind: "busy" }
  | { kind: "secret_gone"; agentsUrl: string }
  /** The connection is over, and is told no more. */
  | { kind: "over" };

const CALLBACKS: TaskFamily<Callback, Ending> = {
  table: ({ callbacks }) => callbacks,
  idOf: ({ grantId }) => grantId,
  leaseMs: CALLBACK_LEASE_MS,
  isFree: isCallbackDue,
  runsOnHold: () => false,
  held: (callback, { owner, untilMs }) => ({
    ...callback,
    leaseOwner: owner,
    dueAtMs: untilMs,
  }),
  run: deliverNext,
  after,
  report,
};

/** Tells a connection of its next event, if it is due and nobody else does. */
export function deliverCallback(
  services: Services,
  { grantId }: { grantId: string },
): Promise<void> {
  return runTask(services, CALLBACKS, [grantId]);
}

/** The same for its next events. */
export async function deliverInARow(
  services: Services,
  { grantId }: { grantId: string },
): Promise<void> {
  const { store, clock } = services;
  for (let nth = 0; nth < IN_A_ROW; nth++) {
    await deliverCallback(services, { grantId });
    const callback = await store.callbacks.find(grantId);
    if (callback === null || !isCallbackDue(callback, clock.now())) return;
  }
}

async function deliverNext(
  services: Services,
  [callback]: Held<Callback>,
): Promise<Ending> {
  const { store, clock } = services;
  const grant = await store.grants.find(callback.grantId);
  if (
    grant === null || isOver(grant, clock.now()) || isOutdated(callback, grant)
  ) return { kind: "over" };
  const { scopes = grant.scopes } = callback;
  const told = grant.scopes.filter((scope) => scopes.includes(scope));
  const next = await nextEvent(services, callback, told);
  if (typeof next === "number") return { kind: "nothing", position: next };
  return await send(services, callback, next);
}

/** What is to be told again comes first; the place where there is nothing. */
async function nextEvent(
  services: Services,
  { accountId, position: after, replays: [again] }: Callback,
  scopes: Parameters<typeof listEvents>[1]["scopes"],
): Promise<AccountEvent | number> {
  const wanted = { accountId, scopes, limit: 1 };
  if (again !== undefined) {
    const page = await listEvents(services, { ...wanted, after: again - 1 });
    const [event] = page.events;
    if (event?.position === again) return event;
  }
  const page = await listEvents(services, { ...wanted, after });
  return page.events[0] ?? page.after;
}

async function send(
  { fetcher, keys, clock, settings }: Services,
  callback: Callback,
  event: AccountEvent,
): Promise<Ending> {
  const agentsUrl = `${settings.baseUrl}${PAGES.agents}`;
  const body = JSON.stringify(eventRecord(event));
  const id = eventId(event);
  const timestampS = Math.floor(clock.now() / 1_000);
  const signature = signatureHeader(keys, callback, { id, timestampS, body });
  if (signature === null) return { kind: "secret_gone", agentsUrl };
  const headers = {
    "webhook-id": id,
    "webhook-timestamp": String(timestampS),
    "webhook-signature": signature,
  };
  try {
    const { url } = callback;
    const status = await fetcher.notify(url, {
      body,
      headers,
      timeoutMs: REQUEST_MS,
      asker: callback.accountId,
    });
    return { kind: "sent", event, status, agentsUrl };
  } catch (error) {
    if (error instanceof FetchBusy) return { kind: "busy" };
    if (!(error instanceof FetchRefused)) throw error;
    return { kind: "sent", event, status: null, agentsUrl };
  }
}

/** Whoever has the lease by now: what was told was told. */
async function after(
  callback: Callback,
  { held, ending, nowMs }: Ended<Callback, Ending>,
  tx: Transaction,
): Promise<Callback | null> {
  if (callback.leaseOwner !== held.leaseOwner || ending === null) return null;
  const free = { ...callback, leaseOwner: null, dueAtMs: nowMs };
  switch (ending.kind) {
    case "busy":
      return { ...free, dueAtMs: nowMs + CALLBACK_PAUSES.firstMs };
    case "secret_gone":
      return await switchedOff(tx, free, {
        off: "secret_gone",
        agentsUrl: ending.agentsUrl,
      }, nowMs);
    case "over":
      return await endedCallback(tx, free, nowMs);
    case "nothing":
      return await atRest(tx, free, ending.position);
    case "sent":
      return await afterSending(tx, free, ending, nowMs);
  }
}

async function afterSending(
  tx: Transaction,
  free: Callback,
  { event: { position, type }, status, agentsUrl }: Ending & { kind: "sent" },
  nowMs: number,
): Promise<Callback> {
  const told = withDelivery(free, { position, type, atMs: nowMs, status });
  if (isTaken(status)) {
    return {
      ...told,
      position: Math.max(told.position, position),
      replays: told.replays.filter((each) => each !== position),
      failures: 0,
      failingSinceMs: null,
    };
  }
  const failures = told.failures + 1;
  const failingSinceMs = told.failingSinceMs ?? nowMs;
  const failing = { ...told, failures, failingSinceMs };
  if (nowMs - failingSinceMs >= CALLBACK_GIVEN_UP_MS) {
    const off = "failing";
    return await switchedOff(tx, failing, { off, agentsUrl }, nowMs);
  }
  return { ...failing, dueAtMs: nowMs + backOffMs(failures, CALLBACK_PAUSES) };
}

/** There may be something new by now, which the last place says. */
async function atRest(
  tx: Transaction,
  free: Callback,
  position: number,
): Promise<Callback> {
  const log = await tx.eventLogs.find(free.accountId);
  const through = Math.max(free.position, position);
  const isMore = (log?.position ?? 0) > through;
  return {
    ...free,
    position: through,
    // What was to be told again is gone, or may not be told any more.
    replays: [],
    dueAtMs: isMore ? free.dueAtMs : null,
  };
}

/** Nothing is told any more, which its owner is told once. */
async function switchedOff(
  tx: Transaction,
  callback: Callback,
  why: { off: OffReason; agentsUrl: string },
  nowMs: number,
): Promise<Callback> {
  const [account, grant] = await tx.getMany([
    tx.accounts.ref(callback.accountId),
    tx.grants.ref(callback.grantId),
  ]);
  const log = await tx.eventLogs.find(callback.accountId);
  if (log !== null) tx.eventLogs.save(withoutListener(log, callback.grantId));
  if (account !== null && grant !== null) {
    const content = offMail(account.email, grant.client.name, why);
    const mailId = `mail_off_${callback.grantId}_${nowMs}`;
    queueMail(tx, { mailId, accountId: account.id, content }, nowMs);
  }
  return { ...callback, off: why.off, dueAtMs: null };
}

function report(
  { log }: Services,
  { held: { failures }, ending, change }: TaskOutcome<Callback, Ending>,
): void {
  const off = change?.after.off ?? null;
  if (off !== null) log.info("callback.off", { off });
  else if (ending?.kind === "sent" && !isTaken(ending.status)) {
    log.info("callback.failed", { failures, status: ending.status });
  }
}
