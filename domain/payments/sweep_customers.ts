import type { Services } from "../ports.ts";
import { sweep } from "../tasks/sweep.ts";
import { pushCustomer } from "./push_customer.ts";

/** Companies that one sweep tells the processor of; the next takes the rest. */
const SWEEP_MAX = 100;

/**
 * Tells the processor of every company that waits for it and is due.
 *
 * @throws the first failure, once all were told of
 */
export async function sweepCustomers(
  services: Services,
): Promise<void> {
  const { store, clock } = services;
  await sweep(clock, {
    due: (nowMs) => store.listDue("customers", nowMs, { limit: SWEEP_MAX }),
    async attempt({ accountId }) {
      await pushCustomer(services, { accountId });
    },
  });
}
