/**
 * What has to be true of the money at the end of every life.
 *
 * @module
 */
import { balanceOf } from "../../domain/ledger/book_entry.ts";
import type { LedgerEntry } from "../../domain/ledger/entry.ts";
import { keptOf } from "../../domain/payments/returned.ts";
import type { Charge } from "../../simulators/stripe/objects.ts";
import {
  allInvoices,
  allPurchases,
  intentsOf,
  keptCharges,
  movedBy,
} from "./facts.ts";
import { refundsPastUs } from "./verify_told.ts";
import type { Life } from "./world.ts";

/** Payment by payment, what we booked is what the processor moved. */
export async function sameBooks(
  life: Life,
  ledger: readonly LedgerEntry[],
): Promise<string[]> {
  const { control } = life.world.simulator;
  const past = new Set((await refundsPastUs(life)).map(({ id }) => id));
  const intentOf = intentsOf(life);
  const theirs = new Map<string, number>();
  const move = (charge: string, cents: number) => {
    const payment = intentOf.get(charge) ?? "unknown";
    theirs.set(payment, (theirs.get(payment) ?? 0) + cents);
  };
  for (const { id, paid, amount } of control.objects("charge")) {
    if (paid) move(id, amount);
  }
  for (const { id, charge, amount, status } of control.objects("refund")) {
    if (status !== "failed" && !past.has(id)) move(charge, -amount);
  }
  for (const dispute of control.objects("dispute")) {
    move(dispute.charge, movedBy(dispute));
  }
  // A payout to a partner is booked under its transfer.
  for (const { id, amount, amount_reversed } of control.objects("transfer")) {
    theirs.set(id, amount_reversed - amount);
  }
  const ours = Map.groupBy(ledger, ({ paymentId }) => paymentId ?? "none");
  const payments = new Set([...theirs.keys(), ...ours.keys()]);
  return [...payments].flatMap((payment) => {
    const booked = balanceOf(ours.get(payment) ?? [], "processor_clearing");
    const moved = theirs.get(payment) ?? 0;
    return booked === moved ? [] : [
      `the payment ${payment} is booked with ${booked}, the processor says ` +
      `${moved}`,
    ];
  });
}

/** For each day, at most its winner has paid, and no more than once. */
export async function nobodyTwice(life: Life): Promise<string[]> {
  const { store } = life.services;
  const kept = keptCharges(life);
  const invoiceOf = invoicesOf(life);
  const broken: string[] = [];
  const byWhat = Map.groupBy(
    kept,
    (charge) => purposeOf(life, invoiceOf, charge),
  );
  for (const [what, charges] of byWhat) {
    if (charges.length > 1) {
      broken.push(`${charges.length} payments of ${what} were kept`);
    }
    for (const { payment_intent } of charges) {
      const metadata = invoiceOf.get(payment_intent ?? "");
      if (metadata === undefined) continue;
      const place = await store.bidPlaces.find(metadata["bid_id"] ?? "");
      const bid = place && await store.bids.find(place.day, place.accountId);
      if (bid?.status !== "won") {
        broken.push(`a payment of ${what} was kept of a bid that has not won`);
      }
    }
  }
  return broken;
}

/** Nothing that is to be given back still lies here, but what a bank holds. */
export async function allGivenBack(life: Life): Promise<string[]> {
  const open = new Set<string | null>(
    life.world.simulator.control.objects("dispute")
      .filter(({ status }) => status === "needs_response")
      .map(({ payment_intent }) => payment_intent),
  );
  const invoices = await allInvoices(life);
  return invoices
    .filter(({ money, paymentId }) =>
      (money === "refunding" || money === "refund_failed") &&
      !open.has(paymentId)
    )
    .map(({ id, money, refundTrouble }) =>
      `the invoice ${id} is ${money}: ${refundTrouble}`
    );
}

/** What we owe, and what banks hold, is in the books as it is. */
export async function rightAccounts(
  life: Life,
  ledger: readonly LedgerEntry[],
): Promise<string[]> {
  const unearned = (await allInvoices(life))
    .filter(({ money, wasSold }) => money !== "none" && !wasSold)
    .map((each) => keptOf(each.totalCents, each));
  const surplus = (await allPurchases(life)).flatMap((each) =>
    (each.surplus ?? []).map((taken) => keptOf(taken.takenCents, taken))
  );
  const owed = [...unearned, ...surplus].reduce((sum, each) => sum + each, 0);
  const held = life.world.simulator.control.objects("dispute")
    .filter(({ status }) => status === "needs_response")
    .reduce((sum, dispute) => sum - movedBy(dispute), 0);
  const booked = {
    owed: -balanceOf(ledger, "refunds_due"),
    held: balanceOf(ledger, "disputed_funds"),
  };
  return [
    ...booked.owed === owed
      ? []
      : [`${owed} cents are owed, the books say ${booked.owed}`],
    ...booked.held === held
      ? []
      : [`banks hold ${held} cents, the books say ${booked.held}`],
  ];
}

/** What a charge was for: a day's Spotlight, or one purchase of figures. */
function purposeOf(
  { world }: Life,
  invoiceOf: ReadonlyMap<string, Record<string, string>>,
  { payment_intent }: Charge,
): string {
  const day = invoiceOf.get(payment_intent ?? "")?.["day"];
  if (day !== undefined) return day;
  const payment = world.simulator.control.objects("payment_intent")
    .find(({ id }) => id === payment_intent);
  return payment?.metadata["payment_id"] ?? "unknown";
}

/** The metadata of the invoice that each payment was to pay. */
function invoicesOf({ world }: Life): Map<string, Record<string, string>> {
  const { control } = world.simulator;
  const invoices = new Map(
    control.objects("invoice").map(({ id, metadata }) => [id, metadata]),
  );
  return new Map(
    control.objects("invoice_payment").map(({ payment, invoice }) => [
      payment.payment_intent,
      invoices.get(invoice) ?? {},
    ]),
  );
}
