import { assertEquals } from "@std/assert";
import { ProcessorUncertain } from "../../../domain/failure.ts";
import type {
  ListedInvoice,
  Processor,
} from "../../../domain/payments/processor.ts";
import type { Services } from "../../../domain/ports.ts";
import {
  claimOnDay,
  invoicesOfDay,
  isAsBid,
  isNotedSale,
  ownInvoice,
} from "../../../domain/settlement/invoices_of_day.ts";
import type { Saga } from "../../../domain/settlement/saga.ts";
import {
  newCandidate,
  type Settlement,
} from "../../../domain/settlement/settlement.ts";
import type { TimeSpan } from "../../../domain/payments/outcome.ts";
import { dayText } from "../../support/public_spotlights.ts";

const DAY = dayText("2026-11-20");
const NOW_MS = Date.parse("2026-11-20T23:56:00.000Z");
const OWNER = "lease_1";

const CANDIDATE = newCandidate({
  id: "bid_ada",
  day: DAY,
  accountId: "acc_ada",
  adId: "ad_ada",
  amountCents: 900,
  status: "active",
  placedAtMs: 0,
  paymentMethodId: "pm_ada",
  grantId: null,
}, 0);

const SETTLEMENT: Settlement = {
  day: DAY,
  state: "running",
  candidates: [CANDIDATE],
  createdAtMs: 0,
  dueAtMs: 0,
  attempts: 1,
  leaseOwner: OWNER,
  leaseUntilMs: NOW_MS + 1,
};

function invoice(
  id: string,
  changes: Partial<ListedInvoice> = {},
): ListedInvoice {
  return {
    id,
    status: "open",
    customerId: "cus_ada",
    metadata: { purpose: "spotlight", day: DAY, bid_id: "bid_ada" },
    totalCents: 900,
    taxCents: 0,
    amountPaidCents: 0,
    number: null,
    finalizedAtMs: null,
    paidAtMs: null,
    paymentIds: [],
    ...changes,
  };
}

/** A settlement whose processor lists these invoices, page by page. */
function sagaOver(pages: readonly (readonly ListedInvoice[])[]) {
  const spans: TimeSpan[] = [];
  let renewed = 0;
  const processor: Pick<Processor, "listInvoices" | "listRefunds"> = {
    listInvoices(span, cursor) {
      spans.push(span);
      const nth = Number(cursor ?? 0);
      const nextCursor = nth + 1 < pages.length ? `${nth + 1}` : null;
      const items = [...pages[nth] ?? []];
      return Promise.resolve({ ok: true, value: { items, nextCursor } });
    },
    listRefunds: () => Promise.resolve({ ok: true, value: [] }),
  };
  const tx = {
    settlements: { find: () => SETTLEMENT, save: () => void (renewed += 1) },
  };
  const services = {
    clock: { now: () => NOW_MS },
    processor,
    store: { transact: (run: (tx: unknown) => unknown) => run(tx) },
  } as unknown as Services;
  const saga: Saga = {
    services,
    day: DAY,
    owner: OWNER,
    isTurnedAway: () => false,
  };
  return { saga, spans, renewed: () => renewed };
}

function idsOf(invoices: readonly ListedInvoice[] | null): string[] | null {
  return invoices && invoices.map(({ id }) => id);
}

Deno.test("invoicesOfDay() asks for the invoices from a day before its day until a day from now", async () => {
  const { saga, spans } = sagaOver([[]]);
  await invoicesOfDay(saga);
  assertEquals(spans, [{
    from: Date.parse("2026-11-19T00:00:00.000Z"),
    until: Date.parse("2026-11-21T23:56:00.000Z"),
  }]);
});

Deno.test("invoicesOfDay() takes the invoices of Spotlights of this day alone", async () => {
  const { saga } = sagaOver([[
    invoice("in_1"),
    invoice("in_2", { metadata: { purpose: "metrics", day: DAY } }),
    invoice("in_3", { metadata: { purpose: "spotlight", day: "2026-11-19" } }),
    invoice("in_4", { metadata: {} }),
  ]]);
  assertEquals(idsOf(await invoicesOfDay(saga)), ["in_1"]);
});

Deno.test("invoicesOfDay() reads on below 1,000 invoices, with its lease renewed, and says nothing of more", async () => {
  const many = (count: number) =>
    Array.from({ length: count }, (_, nth) => invoice(`in_${nth}`));
  const below = sagaOver([many(999), many(1)]);
  assertEquals((await invoicesOfDay(below.saga))?.length, 1_000);
  assertEquals([below.spans.length, below.renewed()], [2, 1]);
  const more = sagaOver([many(1_000), many(1)]);
  assertEquals(await invoicesOfDay(more.saga), null);
  assertEquals([more.spans.length, more.renewed()], [1, 0]);
});

Deno.test("ownInvoice() takes the one with money before a newer one without", () => {
  const turn = { settlement: SETTLEMENT, candidate: CANDIDATE, position: 0 };
  const newest = invoice("in_2", { status: "void" });
  const paid = invoice("in_1", { status: "paid" });
  assertEquals(ownInvoice([newest, paid], turn)?.id, "in_1");
  assertEquals(ownInvoice([newest], turn)?.id, "in_2");
});

Deno.test("isAsBid() takes an invoice for that of the bid by its sum and its creative, where it names one", () => {
  const named = (ad_id: string) => invoice("in_1", { metadata: { ad_id } });
  assertEquals(isAsBid(named("ad_ada"), CANDIDATE), true);
  assertEquals(isAsBid(named("ad_other"), CANDIDATE), false);
  assertEquals(isAsBid(invoice("in_1"), CANDIDATE), true);
  assertEquals(isAsBid(invoice("in_1", { totalCents: 901 }), CANDIDATE), false);
});

Deno.test("claimOnDay() leaves out the invoices of bids that were passed over", async () => {
  const { saga } = sagaOver([]);
  const passedOver = { ...CANDIDATE, step: "passed_over" as const };
  const settlement = { ...SETTLEMENT, candidates: [passedOver] };
  const claim = (of: Settlement) => claimOnDay(saga, of, [invoice("in_1")]);
  assertEquals((await claim(SETTLEMENT))?.id, "in_1");
  assertEquals(await claim(settlement), null);
});

Deno.test("isNotedSale() takes a paid invoice for the noted sale that it is, unless a bank may still take its money back", async () => {
  const hold = { acknowledged: ["day_sold_to_unknown:in_1"] };
  const paid = invoice("in_1", { status: "paid", paymentIds: ["pi_1"] });
  const disputed = (standing: string) =>
    Promise.resolve({ ok: true, value: [{ standing }] });
  const silent = () => Promise.reject(new ProcessorUncertain("no answer"));
  const isNoted = (
    found: ListedInvoice,
    listDisputesOf: () => Promise<unknown> = () => disputed("won"),
    noted: unknown = hold,
  ) => {
    const { saga } = sagaOver([]);
    const store = { holds: { find: () => Promise.resolve(noted) } };
    const services = { store, processor: { listDisputesOf } };
    return isNotedSale({ ...saga, services: services as never }, found);
  };
  assertEquals(await isNoted(paid), true);
  assertEquals(await isNoted({ ...paid, id: "in_2" }), false);
  assertEquals(await isNoted({ ...paid, status: "open" }), false);
  assertEquals(await isNoted(paid, undefined, null), false);
  assertEquals(await isNoted(paid, () => disputed("open")), false);
  assertEquals(await isNoted(paid, silent), false);
});
