import type { Day } from "../day.ts";
import { keptOf } from "../payments/returned.ts";
import type { Store } from "../ports.ts";

/** What a day that was won cost. */
export interface Spend {
  /** What was charged: the amount of the bid. Cents. */
  totalCents: number;
  /** What went back of it for good, by refund or dispute. Cents. */
  refundedCents: number;
  /** The invoice; null where none is recorded. */
  invoiceNumber: string | null;
}

/** What an account paid for a day it won: the bid, and its invoice. */
export async function readSpend(
  store: Pick<Store, "getMany" | "bids" | "settlements" | "invoices">,
  { accountId, day }: { accountId: string; day: Day },
): Promise<Spend> {
  const [bid, settlement] = await store.getMany([
    store.bids.ref(day, accountId),
    store.settlements.ref(day),
  ]);
  const won = settlement?.candidates.find((candidate) =>
    candidate.step === "won" && candidate.accountId === accountId
  );
  const invoiceId = won?.invoiceId ?? null;
  const invoice = invoiceId && await store.invoices.find(invoiceId);
  if (!invoice) {
    const totalCents = bid?.amountCents ?? 0;
    return { totalCents, refundedCents: 0, invoiceNumber: null };
  }
  const { totalCents, number: invoiceNumber } = invoice;
  const refundedCents = totalCents - keptOf(totalCents, invoice);
  return { totalCents, refundedCents, invoiceNumber };
}
