import type { Account } from "../accounts/account.ts";
import type { Services } from "../ports.ts";
import { backOffMs } from "../tasks/back_off.ts";
import {
  customerDetails,
  type CustomerTask,
  digestOf,
} from "./customer_task.ts";
import { type Outcome, unlessUncertain } from "./outcome.ts";
import type { CustomerDetails } from "./processor.ts";

const RETRIES = { firstMs: 60_000, maxMs: 3_600_000 };

/**
 * Whether the processor knows a company, or why not: it takes it not, or said
 * nothing, as it was not asked during a hold.
 */
export type Told = "told" | "refused" | "unanswered";

/**
 * Makes the processor know a company as it is now: a customer the first time, a
 * change of it later. The idempotency key is made of account and details, so
 * that a repeat after a crash, and a second isolate, meet the same customer.
 * What fails is written down and tried again later; it never throws for it. The
 * processor repeats a saved 500 for a day, so what has failed is asked for under
 * another key: a customer that came to be all the same stays behind, without a
 * card.
 *
 * @returns `told` where the processor knows the company as it was when this began;
 * it may have been changed again since
 * @throws {TemporaryFailure} when the store can't be reached
 */
export async function pushCustomer(
  services: Services,
  { accountId }: { accountId: string },
): Promise<Told> {
  const { store, settings } = services;
  const [task, account] = await store.getMany([
    store.customerTasks.ref(accountId),
    store.accounts.ref(accountId),
  ]);
  if (task?.state !== "waiting") return "told";
  // It waits for the end of a hold, and is no failure until then.
  if (await store.currentHold() !== null) return "unanswered";
  const details = account && customerDetails(account, settings);
  if (account === null || details === null) return "refused";
  const digest = digestOf(details);
  const { version, failures } = task;
  const key = `customer:${accountId}:${version}:${digest}:${failures}`;
  const outcome = await upsertCustomer(services, account, details, key);
  if (!outcome?.ok) {
    await recordFailure(services, accountId);
    return outcome === null ? "unanswered" : "refused";
  }
  const customerId = outcome.value.id;
  await recordSuccess(services, accountId, { customerId, digest });
  return "told";
}

/** Asks the processor; null when it gave no definite answer. */
async function upsertCustomer(
  { processor, log }: Services,
  account: Account,
  details: CustomerDetails,
  key: string,
): Promise<Outcome<{ id: string }> | null> {
  const { processorCustomerId: known } = account;
  const outcome = await unlessUncertain(() =>
    known === null
      ? processor.createCustomer(details, key)
      : processor.updateCustomer(known, details, key)
  );
  if (outcome === null) {
    log.info("customer.uncertain", { account: account.id });
  } else if (!outcome.ok) {
    log.info("customer.refused", { account: account.id, code: outcome.code });
  }
  return outcome;
}

/** Done, unless the company changed again while the processor was asked. */
function recordSuccess(
  { store, settings, clock }: Services,
  accountId: string,
  told: { customerId: string; digest: string },
): Promise<void> {
  return store.transact(async (tx) => {
    const [task, account] = await tx.getMany([
      tx.customerTasks.ref(accountId),
      tx.accounts.ref(accountId),
    ]);
    if (task === null || account === null) return;
    if (account.processorCustomerId === null) {
      tx.accounts.save({ ...account, processorCustomerId: told.customerId });
    }
    const now = customerDetails(account, settings);
    const isDone = now === null || digestOf(now) === told.digest;
    const saved: CustomerTask = {
      ...task,
      state: isDone ? "done" : "waiting",
      dueAtMs: clock.now(),
      failures: 0,
    };
    tx.customerTasks.save(saved);
  });
}

function recordFailure(
  { store, clock }: Services,
  accountId: string,
): Promise<void> {
  return store.transact(async (tx) => {
    const task = await tx.customerTasks.find(accountId);
    if (task?.state !== "waiting") return;
    const failures = task.failures + 1;
    const dueAtMs = clock.now() + backOffMs(failures, RETRIES);
    tx.customerTasks.save({ ...task, failures, dueAtMs });
  });
}
