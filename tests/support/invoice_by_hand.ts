import {
  type Advertiser,
  AUCTION_DAY,
  type AuctionWorld,
} from "./auction_world.ts";

/**
 * An invoice over 500 cents of a bid on the auction day, as a service that was lost, or a person
 * at the processor, has made it: final, and paid unless it is to stay open.
 */
export async function invoiceByHand(
  { stripe }: Pick<AuctionWorld, "stripe">,
  { account, paymentMethodId }: Advertiser,
  { bidId, isPaid = true, purpose = "spotlight" }: {
    bidId: string;
    isPaid?: boolean;
    /** What its metadata says that it is for. */
    purpose?: string;
  },
): Promise<string> {
  const customer = account.processorCustomerId ?? "";
  const metadata = { purpose, day: AUCTION_DAY, bid_id: bidId };
  const { id: invoice = "" } = await stripe.invoices.create({
    customer,
    metadata,
  });
  const line = { customer, invoice, amount: 500, currency: "eur" };
  await stripe.invoiceItems.create(line);
  await stripe.invoices.finalizeInvoice(invoice, { auto_advance: false });
  const card = { payment_method: paymentMethodId };
  if (isPaid) await stripe.invoices.pay(invoice, card);
  return invoice;
}
