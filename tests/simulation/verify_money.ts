/**
 * What has to be true of the money at the end of every life.
 *
 * @module
 */
import { dayOf } from "../../domain/day.ts";
import type { Invoice } from "../../domain/invoices/invoice.ts";
import { balanceOf } from "../../domain/ledger/book_entry.ts";
import type { LedgerEntry } from "../../domain/ledger/entry.ts";
import type {
  Charge,
  Dispute,
  Refund,
} from "../../processor/simulator/objects.ts";
import { BY_HAND } from "./elsewhere.ts";
import type { Life } from "./world.ts";

const ALL = { limit: 100_000 };

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
  for (const { id, charge, amount } of control.objects("refund")) {
    if (!past.has(id)) move(charge, -amount);
  }
  for (const dispute of control.objects("dispute")) {
    move(dispute.charge, movedBy(dispute));
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

/**
 * The last comparing of each day found what was given back past us of money
 * that is ours, and nothing else.
 */
export async function reconciled(life: Life): Promise<string[]> {
  const { store, clock } = life.services;
  const intentOf = intentsOf(life);
  const today = dayOf(clock.now());
  const expected = (await refundsPastUs(life))
    .map(({ charge, amount, created }) => ({
      day: dayOf(created * 1_000),
      name: `${intentOf.get(charge)} ${-amount}`,
    }))
    .filter(({ day }) => day < today);
  const broken: string[] = [];
  for (const { day, differences } of await store.listReconciliations(ALL)) {
    const names = expected.filter((each) => each.day === day)
      .map(({ name }) => name);
    for (const difference of differences) {
      const at = difference.kind === "not_booked"
        ? names.indexOf(`${difference.paymentId} ${difference.amountCents}`)
        : -1;
      if (at >= 0) names.splice(at, 1);
      else {
        broken.push(
          `the books of ${day} differ: ${JSON.stringify(difference)}`,
        );
      }
    }
    broken.push(
      ...names.map((name) => `nobody was told of the refund ${name} of ${day}`),
    );
  }
  return broken;
}

/** Refunds by hand of money that is ours: told every night, and not mended. */
async function refundsPastUs(life: Life): Promise<Refund[]> {
  const { store } = life.services;
  const byHand = life.world.simulator.control.objects("refund")
    .filter(({ metadata }) => metadata["by"] === BY_HAND.by);
  const invoices = new Map(
    (await allInvoices(life)).map((each) => [each.paymentId, each]),
  );
  const intentOf = intentsOf(life);
  const past: Refund[] = [];
  for (const refund of byHand) {
    const intent = intentOf.get(refund.charge) ?? "";
    const invoice = invoices.get(intent);
    const isBooked = await store.ledger.find(`refund:${refund.id}`) !== null;
    const isOurs = invoice === undefined
      ? await isSoldReport(life, intent)
      : invoice.money === "sold";
    if (isOurs && !isBooked) past.push(refund);
  }
  return past;
}

async function isSoldReport(life: Life, intent: string): Promise<boolean> {
  const { control } = life.world.simulator;
  const payment = control.objects("payment_intent")
    .find(({ id }) => id === intent);
  const id = payment?.metadata["payment_id"] ?? "";
  const found = await life.services.store.metricsPayments.find(id);
  return found?.state === "succeeded" && found.intentId === intent;
}

async function allInvoices({ services }: Life): Promise<Invoice[]> {
  const { store } = services;
  const accounts = await store.listAccounts(ALL);
  const lists = await Promise.all(
    accounts.map(({ id }) => store.listInvoices(id, ALL)),
  );
  return lists.flat();
}

/** Charges of which something is left here, and that no bank looks at. */
function keptCharges({ world }: Life): Charge[] {
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

function intentsOf({ world }: Life): Map<string, string | null> {
  return new Map(
    world.simulator.control.objects("charge")
      .map(({ id, payment_intent }) => [id, payment_intent]),
  );
}

function movedBy({ balance_transactions }: Dispute): number {
  return balance_transactions.reduce((sum, { amount }) => sum + amount, 0);
}
