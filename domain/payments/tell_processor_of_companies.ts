import type { Services } from "../ports.ts";
import { tellProcessor } from "./tell_processor.ts";

/** Companies that one sweep tells the processor of; the next takes the rest. */
const SWEEP_MAX = 100;

/** Tells the processor of every company that waits for it and is due. */
export async function tellProcessorOfCompanies(
  services: Services,
): Promise<void> {
  const { store, clock } = services;
  const due = await store.listDue("customers", clock.now(), {
    limit: SWEEP_MAX,
  });
  for (const { accountId } of due) {
    await tellProcessor(services, { accountId });
  }
}
