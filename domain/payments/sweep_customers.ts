import type { Services } from "../ports.ts";
import { pushCustomer } from "./push_customer.ts";

/** Companies that one sweep tells the processor of; the next takes the rest. */
const SWEEP_MAX = 100;

/** Tells the processor of every company that waits for it and is due. */
export async function sweepCustomers(
  services: Services,
): Promise<void> {
  const { store, clock } = services;
  const due = await store.listDue("customers", clock.now(), {
    limit: SWEEP_MAX,
  });
  for (const { accountId } of due) {
    await pushCustomer(services, { accountId });
  }
}
