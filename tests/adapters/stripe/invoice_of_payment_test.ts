import { assertEquals } from "@std/assert";
import { charge, type Desk, valueOf, withProcessor } from "./desk.ts";
import { grantToken } from "../../simulators/stripe/support.ts";

Deno.test("findInvoiceOfPayment() names the invoice that a payment paid, or tried to", () =>
  withProcessor(async (desk) => {
    for (const card of ["pm_card_visa", "pm_card_chargeCustomerFail"]) {
      const { invoiceId, paymentId } = await paidInvoice(desk, card);
      const found = await desk.processor.findInvoiceOfPayment(paymentId);
      assertEquals(valueOf(found), { id: invoiceId });
    }
  }));

Deno.test("findInvoiceOfPayment() knows of none for a payment of its own, nor for a strange one", () =>
  withProcessor(async (desk) => {
    const { id } = await grantToken(desk.stripe);
    const alone = valueOf(await charge(desk, id));
    for (const paymentId of [alone.id, "pi_unknown"]) {
      const found = await desk.processor.findInvoiceOfPayment(paymentId);
      assertEquals(valueOf(found), null);
    }
  }));

/** An invoice that was to be paid with the card, and the payment that did. */
async function paidInvoice(
  { processor }: Pick<Desk, "processor">,
  card: string,
): Promise<{ invoiceId: string; paymentId: string }> {
  const { id: customerId } = valueOf(
    await processor.createCustomer({
      accountId: "acc_ada",
      email: "ada@example.com",
      name: "Ada GmbH",
      country: "DE",
      line1: "Hauptstraße 1",
      city: "Berlin",
      postalCode: "10115",
      vatId: null,
      reverseCharge: false,
    }, `customer:${card}`),
  );
  const method = valueOf(
    await processor.attachCard(customerId, card, `card:${card}`),
  );
  const { id } = valueOf(
    await processor.createInvoice(
      { customerId, metadata: { purpose: "spotlight" } },
      `invoice:${card}`,
    ),
  );
  const line = {
    customerId,
    invoiceId: id,
    amountCents: 500,
    description: "A day",
  };
  valueOf(await processor.addInvoiceLine(line, `line:${card}`));
  valueOf(await processor.finalizeInvoice(id, `finalize:${card}`));
  await processor.payInvoice(id, method.id, `pay:${card}`);
  const [paymentId = ""] = valueOf(await processor.retrieveInvoice(id))
    .paymentIds;
  return { invoiceId: id, paymentId };
}
