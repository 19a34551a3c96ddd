import { assert, assertEquals, assertRejects } from "@std/assert";
import { actAs } from "../../../domain/audit/act_as.ts";
import type { ActBy } from "../../../domain/audit/operator_act.ts";
import { readAudit } from "../../../domain/audit/read_audit.ts";
import { StoreOnHold } from "../../../domain/failure.ts";
import { refundDueInvoices } from "../../../domain/invoices/refund_invoice.ts";
import { orderRefund } from "../../../domain/invoices/order_refund.ts";
import { REFUND_REQUEST_MS } from "../../../domain/invoices/refund_request.ts";
import type { Services, Store, Transaction } from "../../../domain/ports.ts";
import { Refused } from "../../../domain/refusal.ts";
import { AUCTION_DAY } from "../../support/auction_world.ts";
import { everyCrashPoint, isCrash } from "../../support/faults.ts";
import {
  openPaidDay,
  PAID_CENTS,
  type PaidDay,
} from "../../support/paid_day.ts";
import { putOnHold } from "../../support/restored_world.ts";

const ADA = person("ada");
const BEN = person("ben");

function person(name: string): ActBy {
  return {
    kind: "account",
    accountId: `acc_${name}`,
    email: `${name}@example.com`,
  };
}

/** Services under which any refund of more than so much takes two. */
function over(day: PaidDay, cents = PAID_CENTS - 1): Services {
  const { services } = day.world;
  const settings = { ...services.settings, refundFourEyesCents: cents };
  return { ...services, settings };
}

const ask = (services: Services, by: ActBy) =>
  orderRefund(services, { day: AUCTION_DAY, note: "goodwill", by });

function refundsOf({ world }: PaidDay): number[] {
  return world.simulator.control.objects("refund").map(({ amount }) => amount);
}

Deno.test("a refund of no more than the threshold takes one operator", async () => {
  await using day = await openPaidDay();
  // The second time it stays as it is.
  for (const by of [ADA, ADA]) {
    const { invoice, request } = await ask(over(day, PAID_CENTS), by);
    assertEquals([invoice.money, request], ["refunded", null]);
  }
  assertEquals(refundsOf(day), [PAID_CENTS]);
});

Deno.test("a refund above the threshold waits until another operator confirms it", async () => {
  await using day = await openPaidDay();
  const services = over(day);
  const first = await ask(services, ADA);
  assertEquals(first.invoice.money, "sold");
  assertEquals(first.request?.by, ADA);
  assertEquals(refundsOf(day), []);
  const second = await ask(services, BEN);
  assertEquals([second.invoice.money, second.request], ["refunded", null]);
  assertEquals(refundsOf(day), [PAID_CENTS]);
  const waiting = await services.store.listRefundRequests({ limit: 9 });
  assertEquals(waiting, []);
});

Deno.test("the audit tells a refund that waits from one that has begun", async () => {
  await using day = await openPaidDay();
  const services = over(day);
  for (const by of [ADA, BEN]) {
    const order = {
      by,
      act: "spotlight.refund",
      subject: AUCTION_DAY,
    } as const;
    await actAs(services, order, (acting) => ask(acting, by));
  }
  const filter = { subject: AUCTION_DAY, person: null, fromMs: 0 };
  const part = { limit: 9, before: null };
  const { acts } = await readAudit(
    services,
    { ...filter, untilMs: Infinity },
    part,
  );
  const changes = acts.toSorted((a, b) => a.id < b.id ? -1 : 1)
    .map(({ change }) => change);
  assertEquals(changes[0], {
    before: { waits: false },
    after: { waits: true },
  });
  assertEquals(changes[1]?.after.money, "refunding");
});

Deno.test("nothing is ordered while the store is on hold", async () => {
  await using day = await openPaidDay();
  await putOnHold(day.world.services);
  // A process that began over the restored store.
  const { services } = day.world.another();
  await assertRejects(() => ask(services, ADA), StoreOnHold);
  const waiting = await services.store.listRefundRequests({ limit: 9 });
  assertEquals([waiting, refundsOf(day)], [[], []]);
});

Deno.test("nobody confirms a refund of their own, nor by a key that they made", async () => {
  await using day = await openPaidDay();
  const services = over(day);
  await ask(services, ADA);
  const own: ActBy = { kind: "key", name: "night", madeBy: "acc_ada" };
  for (const by of [ADA, own]) {
    const refused = await assertRejects(() => ask(services, by), Refused);
    assertEquals(refused.refusal, {
      code: "second_operator_needed",
      day: AUCTION_DAY,
      askedBy: "ada@example.com",
      expiresAtMs: services.clock.now() + REFUND_REQUEST_MS,
    });
  }
  assertEquals(refundsOf(day), []);
  const another: ActBy = { kind: "key", name: "night", madeBy: "acc_ben" };
  assertEquals((await ask(services, another)).invoice.money, "refunded");
});

Deno.test("one operator is one person whatever account the address has, and so are all keys of the configuration", async () => {
  await using day = await openPaidDay();
  const services = over(day);
  const { email } = ADA as { email: string };
  const anew: ActBy = { kind: "account", accountId: "acc_anew", email };
  await ask(services, ADA);
  await assertRejects(() => ask(services, anew), Refused);
  assertEquals(refundsOf(day), []);
  assertEquals((await ask(services, BEN)).invoice.money, "refunded");
});

Deno.test("no key of the configuration confirms what another of them asked for", async () => {
  await using day = await openPaidDay();
  const services = over(day);
  await ask(services, { kind: "key", name: "OPERATOR_KEY" });
  const second: ActBy = { kind: "key", name: "OPERATOR_KEY 2" };
  await assertRejects(() => ask(services, second), Refused);
  assertEquals(refundsOf(day), []);
  assertEquals((await ask(services, ADA)).invoice.money, "refunded");
});

Deno.test("a refund that nobody confirmed in a day is asked for anew", async () => {
  await using day = await openPaidDay();
  const services = over(day);
  await ask(services, ADA);
  day.world.clock.advance(REFUND_REQUEST_MS);
  const { request } = await ask(services, BEN);
  assertEquals(request?.by, BEN);
  assertEquals(refundsOf(day), []);
});

Deno.test("two confirmations at once give the money back once", async () => {
  await using day = await openPaidDay();
  const services = over(day);
  await ask(services, ADA);
  const orders = await Promise.all([
    ask(services, BEN),
    ask(services, person("cem")),
    ask(services, person("dan")),
  ]);
  assertEquals(orders.map(({ request }) => request), [null, null, null]);
  assertEquals((await day.invoice()).money, "refunded");
  assertEquals(refundsOf(day), [PAID_CENTS]);
});

Deno.test("two operators who ask at once have asked for it together", async () => {
  await using day = await openPaidDay();
  const services = over(day);
  const orders = await Promise.all([ask(services, ADA), ask(services, BEN)]);
  const waiting = orders.filter(({ request }) => request !== null);
  assertEquals(waiting.length, 1);
  assertEquals((await day.invoice()).money, "refunded");
  assertEquals(refundsOf(day), [PAID_CENTS]);
});

Deno.test("an order that two others overtook says that the refund has begun, not that it waits", async () => {
  await using day = await openPaidDay();
  const services = over(day);
  const { store } = services;
  let attempts = 0;
  const overtaken: Store = Object.create(store, {
    transact: {
      value: <T>(work: (tx: Transaction) => Promise<T>) =>
        store.transact(async (tx) => {
          const done = await work(tx);
          if (attempts++ === 0) {
            await ask(services, ADA);
            await ask(services, BEN);
          }
          return done;
        }),
    },
  });
  const { invoice, request } = await ask(
    { ...services, store: overtaken },
    person("cem"),
  );
  assert(attempts > 1);
  assertEquals([invoice.money, request], ["refunded", null]);
  assertEquals(refundsOf(day), [PAID_CENTS]);
});

Deno.test("a crash at any commit of a confirmation leaves a refund that two have asked for, given back once", async () => {
  const points = await everyCrashPoint(async (point) => {
    await using day = await openPaidDay();
    await ask(over(day), ADA);
    const doomed = day.world.another();
    doomed.kv.crashAt(point);
    const { settings } = over(day);
    await ask({ ...doomed.services, settings }, BEN).catch((error) => {
      if (!isCrash(error)) throw error;
    });
    // Whose order was lost asks again: it is the second one's all the same.
    if ((await day.invoice()).money === "sold") await ask(over(day), BEN);
    day.world.clock.advance(10 * 60_000);
    await refundDueInvoices(day.world.services);
    assertEquals((await day.invoice()).money, "refunded");
    assertEquals(refundsOf(day), [PAID_CENTS]);
    return doomed.kv.dead;
  });
  assert(points >= 3, `${points} points`);
});
