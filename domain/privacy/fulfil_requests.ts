import { nameOfThrown } from "../failure.ts";
import { queueMail } from "../mail/outbox_mail.ts";
import type { MailContent } from "../mail/mail_content.ts";
import type { Services, StartTimer } from "../ports.ts";
import { backOffMs } from "../tasks/back_off.ts";
import { createIdPump, type Pump } from "../tasks/pump.ts";
import {
  type Held,
  runTask,
  type TaskFamily,
  type TaskOutcome,
} from "../tasks/run_task.ts";
import { sweep } from "../tasks/sweep.ts";
import {
  copiesInTheWay,
  type DataExport,
  type DataRequests,
  EXPORT_KEPT_MS,
  isRequestDue,
  planned,
  preparedNow,
  REQUEST_LEASE_MS,
} from "./data_requests.ts";
import { eraseAccount } from "./erase_account.ts";
import { erasureDueAtMs, standingErasure } from "./erasure.ts";
import { writeDocument } from "./export_document.ts";
import { CopyTooLarge, PartWriter, removeParts } from "./export_parts.ts";
import { exportReadyMail } from "./privacy_mails.ts";
import { waitAgain } from "./wait_again.ts";

/** Accounts of one run; the next run goes on from there. */
const REQUESTS_PER_RUN = 200;
/** Reading everything of an account is work enough for one at a time. */
const LANES = 1;
/** How long a stop waits for an attempt under way; others find what it left. */
const STOP_MS = 5_000;
/** Until it is looked again whether all is settled. */
const SETTLED_MS = 600_000;
const RETRIES = { firstMs: 60_000, maxMs: 3_600_000 };

/** The result of an attempt. */
type Ending =
  | {
    kind: "exported";
    ready: DataExport;
    mailId: string;
    mail: MailContent<"export_ready">;
  }
  /** There is too much for a copy, and is the next time too. */
  | { kind: "too_large"; failed: DataExport }
  /** The account is no more, nor its requests. */
  | { kind: "erased" }
  /** A day or a payout is being settled: its turn comes later. */
  | { kind: "waits" }
  /** There is nothing to do any more. */
  | { kind: "nothing" }
  /** It is tried again later. */
  | { kind: "failed"; why: string };

const REQUESTS: TaskFamily<DataRequests, Ending> = {
  table: ({ dataRequests }) => dataRequests,
  idOf: ({ accountId }) => accountId,
  leaseMs: REQUEST_LEASE_MS,
  isFree: isRequestDue,
  runsOnHold: () => false,
  held: (requests, { owner, untilMs }) => ({
    ...requests,
    leaseOwner: owner,
    dueAtMs: untilMs,
  }),
  run: attempt,
  after(requests, { held, ending, nowMs }, tx) {
    // Who took the lease since then decides.
    if (requests.leaseOwner !== held.leaseOwner) return null;
    const free = { ...requests, leaseOwner: null };
    if (ending === null || ending.kind === "failed") {
      const failures = requests.failures + 1;
      const dueAtMs = nowMs + backOffMs(failures, RETRIES);
      return { ...free, failures, dueAtMs };
    }
    if (ending.kind === "waits") {
      return { ...free, dueAtMs: nowMs + SETTLED_MS };
    }
    if (ending.kind === "exported") {
      const { mailId, mail: content } = ending;
      const { accountId } = requests;
      queueMail(tx, { mailId, accountId, content }, nowMs);
      return withCopy(free, ending.ready, nowMs);
    }
    if (ending.kind === "too_large") {
      return withCopy(free, ending.failed, nowMs);
    }
    return planned({ ...free, failures: 0 }, nowMs);
  },
  report,
};

/**
 * Does what is due for an account of what was asked about its data, if the store
 * is not on hold, and records the result. Of any number of isolates one takes
 * the lease; a process that dies leaves it to be done again.
 *
 * @throws {TemporaryFailure} when the outcome could not be written down
 */
function fulfilRequest(
  services: Services,
  { accountId }: { accountId: string },
): Promise<void> {
  return runTask(services, REQUESTS, [accountId]);
}

/** Does all that is due, as far as one run goes. */
export async function fulfilRequests(services: Services): Promise<void> {
  const { store, clock } = services;
  await sweep(clock, {
    due: (nowMs) =>
      store.listDue("dataRequests", nowMs, { limit: REQUESTS_PER_RUN }),
    attempt: ({ accountId }) => fulfilRequest(services, { accountId }),
    failed: ({ accountId }, error) => logUnrecorded(services, accountId, error),
  });
}

/** Prepares copies in this process as soon as they are asked for. */
export function createRequestPump(
  services: Services,
  startTimer: StartTimer,
): Pump<string> {
  return createIdPump(
    { lanes: LANES, grace: { ms: STOP_MS, startTimer } },
    (accountId) => fulfilRequest(services, { accountId }),
    (accountId, error) => logUnrecorded(services, accountId, error),
  );
}

/** Whatever goes wrong is a reason to try again. */
async function attempt(
  services: Services,
  [requests]: Held<DataRequests>,
): Promise<Ending> {
  try {
    const { accountId } = requests;
    if (isErasureDue(requests, services.clock.now())) {
      await waitAgain(services, { accountId });
      const outcome = await eraseAccount(services, { accountId });
      // It waits again, or was called off since: what the log calls erased a
      // release erases again.
      return { kind: outcome === "kept" ? "nothing" : outcome };
    }
    const wanted = preparedNow(requests);
    return wanted === undefined
      ? { kind: "nothing" }
      : await prepare(services, requests, wanted);
  } catch (error) {
    return { kind: "failed", why: nameOfThrown(error) };
  }
}

/** An erasure comes before a copy that nobody could read any more. */
function isErasureDue(requests: DataRequests, nowMs: number): boolean {
  const dueAtMs = erasureDueAtMs(standingErasure(requests, nowMs));
  return dueAtMs !== null && dueAtMs <= nowMs;
}

/** The requests with what became of a copy, and without those in its way. */
function withCopy(
  requests: DataRequests,
  copy: DataExport,
  nowMs: number,
): DataRequests {
  const over = copy.readyAtMs === null ? [] : copiesInTheWay(requests);
  const gone = new Set(over.map(({ id }) => id));
  const exports = requests.exports
    .filter(({ id }) => !gone.has(id))
    .map((each) => each.id === copy.id ? copy : each);
  return planned({ ...requests, exports, failures: 0 }, nowMs);
}

async function prepare(
  services: Services,
  requests: DataRequests,
  wanted: DataExport,
): Promise<Ending> {
  const { store, clock, ids, settings } = services;
  const { accountId, leaseOwner } = requests;
  const account = await store.accounts.find(accountId);
  if (account === null) return { kind: "nothing" };
  const { email } = account;
  for (const each of copiesInTheWay(requests)) {
    await removeParts(services, each);
  }
  const expiresAtMs = clock.now() + EXPORT_KEPT_MS;
  const lease = { accountId, leaseOwner };
  const copy = { id: wanted.id, expiresAtMs, lease };
  const writer = new PartWriter(services, copy);
  const exported = { accountId, email };
  try {
    const sections = await writeDocument(services, exported, writer);
    const made = { ...await writer.end(), sections, expiresAtMs };
    const ready = { ...wanted, ...made, readyAtMs: clock.now() };
    const mail = exportReadyMail(settings, email, ready);
    return { kind: "exported", ready, mailId: ids.next("mail"), mail };
  } catch (error) {
    if (!(error instanceof CopyTooLarge)) throw error;
    await removeParts(services, { id: wanted.id, parts: writer.part });
    return {
      kind: "too_large",
      failed: { ...wanted, failedAtMs: clock.now() },
    };
  }
}

function report(
  { log }: Services,
  { held: { accountId: account }, ending }: TaskOutcome<DataRequests, Ending>,
): void {
  if (ending?.kind === "erased") log.info("privacy.erased", { account });
  if (ending?.kind === "exported") log.info("privacy.exported", { account });
  if (ending?.kind === "too_large") {
    log.info("privacy.failed", { account, why: "CopyTooLarge" });
  }
  if (ending?.kind !== "failed") return;
  log.info("privacy.failed", { account, why: ending.why });
}

/** The outcome could not be written down: it is due after its lease. */
function logUnrecorded(
  { log }: Services,
  account: string,
  thrown: unknown,
): void {
  log.error("privacy.unrecorded", { account, error: nameOfThrown(thrown) });
}
