import { requireAccount } from "../accounts/require_account.ts";
import { ProcessorUncertain } from "../failure.ts";
import { refuseWhileOnHold } from "../hold/gate.ts";
import { queueCustomer } from "../payments/customer_task.ts";
import { pushCustomer } from "../payments/push_customer.ts";
import type { Services } from "../ports.ts";
import { humanStepsRefusal } from "../pages.ts";
import { refuse } from "../refusal.ts";

/**
 * The account's customer at the processor; the company is pushed now if it was
 * not yet.
 *
 * @throws {Refused} `account_not_found`; `human_step_required` before
 * onboarding
 * @throws {ProcessorUncertain} when that fails now; a job goes on trying
 */
export async function ensureCustomer(
  services: Services,
  { accountId }: { accountId: string },
): Promise<string> {
  const known = await customerOf(services, accountId);
  if (known !== null) return known;
  await queueIfNeeded(services, accountId);
  await pushCustomer(services, { accountId });
  const pushed = await customerOf(services, accountId);
  if (pushed !== null) return pushed;
  await refuseWhileOnHold(services);
  throw new ProcessorUncertain("The company is not known to the processor yet");
}

async function customerOf(
  { store }: Services,
  accountId: string,
): Promise<string | null> {
  const account = await requireAccount(store, accountId);
  if (account.company === null) {
    refuse(humanStepsRefusal(["onboarding_incomplete"]));
  }
  return account.processorCustomerId;
}

/** Companies of before there were tasks have none yet. */
function queueIfNeeded(
  { store, clock }: Services,
  accountId: string,
): Promise<void> {
  return store.transact(async (tx) => {
    const task = await tx.customerTasks.find(accountId);
    if (task?.state === "waiting") return;
    await queueCustomer(tx, accountId, clock.now());
  });
}
