import type { ListedInvoice } from "../payments/processor.ts";
import type { Services } from "../ports.ts";

/** The payment whose money came, also for an invoice that is void. */
export async function paymentOfInvoice(
  { processor }: Pick<Services, "processor">,
  { paymentIds }: Pick<ListedInvoice, "paymentIds">,
): Promise<string | null> {
  for (const paymentId of paymentIds) {
    const asked = await processor.retrievePayment(paymentId);
    if (asked.ok && asked.value.status === "succeeded") return paymentId;
  }
  return null;
}
