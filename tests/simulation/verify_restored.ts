/**
 * What has to be true of a life whose store was lost: all that is true of any,
 * but for what belongs to bids and purchases that no backup has.
 *
 * @module
 */
import { keptCharges } from "./facts.ts";
import type { Losses } from "./losses.ts";
import { brokenPromises } from "./verify.ts";
import type { Life } from "./world.ts";

/** Broken promises that a backup is not to blame for. */
export async function brokenSince(
  life: Life,
  { noted }: Losses,
): Promise<string[]> {
  const unknown = await unknownIds(life);
  const days = unknownDays(life, unknown);
  const broken = await brokenPromises(life);
  const unwritten = await unwrittenIds(life, unknown);
  const others = broken.filter((promise) =>
    !unwritten.some((name) => promise.includes(name)) &&
    !(days.some((day) => promise.includes(day)) && isOfSale(promise)) &&
    // Money of disputes over what nobody knows is in no books.
    !(noted.size > 0 && promise.startsWith("banks hold"))
  );
  return [...others, ...soldAgain(life, unknown)];
}

/** Those of the ids that are not of an invoice which was written down since. */
async function unwrittenIds(
  { world, services: { store } }: Life,
  unknown: ReadonlySet<string>,
): Promise<string[]> {
  const written = new Set<string>();
  for (const { id, number } of world.simulator.control.objects("invoice")) {
    if (await store.invoices.find(id) === null) continue;
    written.add(id).add(number ?? id);
  }
  for (
    const { invoice, payment } of world.simulator.control.objects(
      "invoice_payment",
    )
  ) {
    if (written.has(invoice)) written.add(payment.payment_intent);
  }
  return [...unknown].filter((id) => !written.has(id));
}

/** Nobody is charged for a day while somebody whom nobody knows has paid for it. */
function soldAgain(life: Life, unknown: ReadonlySet<string>): string[] {
  const sales = keptSales(life);
  return sales.filter(({ invoiceId }) => unknown.has(invoiceId))
    .flatMap((first) =>
      sales.filter(({ invoiceId, day, created }) =>
        !unknown.has(invoiceId) && day === first.day && created > first.created
      )
    )
    .map(({ invoiceId, day }) => `${day} was sold again, by ${invoiceId}`);
}

/** What was paid for days, and is still here. */
function keptSales(
  life: Life,
): { invoiceId: string; day: string; created: number }[] {
  const { control } = life.world.simulator;
  const paid = new Map(
    control.objects("invoice").filter(({ status }) => status === "paid")
      .map(({ id, metadata }) => [id, metadata["day"] ?? ""]),
  );
  const invoiceOf = new Map(
    control.objects("invoice_payment")
      .map(({ payment, invoice }) => [payment.payment_intent, invoice]),
  );
  return keptCharges(life).flatMap(({ payment_intent, created }) => {
    const invoiceId = invoiceOf.get(payment_intent ?? "") ?? "";
    const day = paid.get(invoiceId);
    return day === undefined ? [] : [{ invoiceId, day, created }];
  });
}

function isOfSale(promise: string): boolean {
  return promise.includes("were kept") || promise.includes("has not won");
}

/** Whatever is of a bid or a purchase that this store does not know. */
async function unknownIds(
  { world, services: { store } }: Life,
): Promise<Set<string>> {
  const { control } = world.simulator;
  const ids = new Set<string>();
  for (const { id, number, metadata } of control.objects("invoice")) {
    const { bid_id: bidId = "" } = metadata;
    if (await store.bidPlaces.find(bidId) !== null) continue;
    ids.add(id);
    if (number !== null) ids.add(number);
  }
  for (const { invoice, payment } of control.objects("invoice_payment")) {
    if (ids.has(invoice)) ids.add(payment.payment_intent);
  }
  for (const { id, metadata } of control.objects("payment_intent")) {
    const purchase = metadata["payment_id"];
    if (purchase === undefined) continue;
    if (await store.metricsPayments.find(purchase) !== null) continue;
    ids.add(id).add(purchase);
  }
  for (const { id, number, invoice } of control.objects("credit_note")) {
    if (ids.has(invoice)) ids.add(id).add(number);
  }
  return ids;
}

/** Days that were sold to a bid that this store does not know. */
function unknownDays(
  { world }: Life,
  unknown: ReadonlySet<string>,
): string[] {
  return world.simulator.control.objects("invoice")
    .filter(({ id }) => unknown.has(id))
    .flatMap(({ metadata }) => metadata["day"] ?? []);
}
