/**
 * What the store and the processor have at the end of a life.
 *
 * @module
 */
import type { Invoice } from "../../domain/invoices/invoice.ts";
import type { MetricsPayment } from "../../domain/paid_metrics/metrics_payment.ts";
import type { Charge, Dispute } from "../../simulators/stripe/objects.ts";
import type { Life } from "./world.ts";

/** More than a life has of anything. */
export const ALL = { limit: 100_000 };

/** Every invoice we know, also of buyers whom a restored store has lost. */
export async function allInvoices(
  { services, world }: Life,
): Promise<Invoice[]> {
  const { store } = services;
  const erased = await store.listErasedAccounts({ ...ALL, after: null });
  const ids = [
    ...(await store.listAccounts(ALL)).map(({ id }) => id),
    ...erased.map(({ accountId }) => accountId),
  ];
  const lists = await Promise.all(
    ids.map((id) => store.listInvoices(id, ALL)),
  );
  const known = new Map(lists.flat().map((invoice) => [invoice.id, invoice]));
  for (const { id } of world.simulator.control.objects("invoice")) {
    const invoice = known.has(id) ? null : await store.invoices.find(id);
    if (invoice !== null) known.set(id, invoice);
  }
  return [...known.values()];
}

/** The purchases of figures that the processor has heard of. */
export async function allPurchases({ services, world }: Life): Promise<
  MetricsPayment[]
> {
  const ids = new Set(
    world.simulator.control.objects("payment_intent")
      .flatMap(({ metadata }) => metadata["payment_id"] ?? []),
  );
  const found = await Promise.all(
    [...ids].map((id) => services.store.metricsPayments.find(id)),
  );
  return found.filter((payment) => payment !== null);
}

/** Charges of which something is left here, and that no bank looks at. */
export function keptCharges({ world }: Life): Charge[] {
  const { control } = world.simulator;
  const disputes = Map.groupBy(
    control.objects("dispute"),
    ({ charge }) => charge,
  );
  return control.objects("charge").filter((charge) => {
    const own = disputes.get(charge.id) ?? [];
    const moved = own.reduce((sum, dispute) => sum + movedBy(dispute), 0);
    const isOpen = own.some(({ status }) => status === "needs_response");
    const left = charge.amount - charge.amount_refunded + moved;
    return charge.paid && !isOpen && left > 0;
  });
}

/** The payment of each charge. */
export function intentsOf({ world }: Life): Map<string, string | null> {
  return new Map(
    world.simulator.control.objects("charge")
      .map(({ id, payment_intent }) => [id, payment_intent]),
  );
}

/** What a dispute moved in all, signed cents. */
export function movedBy({ balance_transactions }: Dispute): number {
  return balance_transactions.reduce((sum, { amount }) => sum + amount, 0);
}
