/** Refunds of a report's money, or of money taken beside it, that come back. */
import { assert, assertEquals } from "@std/assert";
import { balanceOf } from "../../../domain/ledger/book_entry.ts";
import type { LedgerAccount } from "../../../domain/ledger/entry.ts";
import { bookMetricsRefundFailure } from "../../../domain/paid_metrics/refund_failure.ts";
import { beginRefund } from "../../../domain/paid_metrics/refund_payment.ts";
import { syncPayment } from "../../../domain/webhooks/sync_payment.ts";
import { syncRefund } from "../../../domain/webhooks/sync_refund.ts";
import {
  openPaidWorld,
  type PaidWorld,
  payAgain,
  sold,
} from "../../support/paid_world.ts";

const HOUR_MS = 3_600_000;

/** A report that was paid for and handed over, and what is known of it now. */
async function report(shop: PaidWorld) {
  const id = await sold(shop);
  const payment = async () => {
    const found = await shop.services.store.metricsPayments.find(id);
    assert(found !== null);
    return found;
  };
  return { payment, id };
}

/** The refund of a payment comes back from the payer's bank. */
function comesBack({ world }: PaidWorld, intentId: string | null): string {
  const { control } = world.simulator;
  const refund = control.objects("refund")
    .find(({ payment_intent }) => payment_intent === intentId);
  assert(refund !== undefined);
  control.failRefund(refund.id);
  return refund.id;
}

async function balances(
  shop: PaidWorld,
  ...accounts: LedgerAccount[]
): Promise<number[]> {
  const ledger = await shop.ledger();
  return accounts.map((account) => balanceOf(ledger, account));
}

function told({ world }: PaidWorld): number {
  return world.log.events.filter((event) => event === "refund.came_back")
    .length;
}

Deno.test("a second payment's refund that comes back is owed again, told once, and given back a day later; the other payments stay as they are", async () => {
  await using shop = await openPaidWorld();
  const { payment, id } = await report(shop);
  const second = await payAgain(shop, id);
  const third = await payAgain(shop, id);
  await syncPayment(shop.services, second);
  await syncPayment(shop.services, third);
  const before = await payment();
  assertEquals(await balances(shop, "processor_clearing", "refunds_due"), [
    100,
    0,
  ]);
  const refund = comesBack(shop, second);
  await syncRefund(shop.services, refund);
  assertEquals(await balances(shop, "processor_clearing", "refunds_due"), [
    200,
    -100,
  ]);
  const after = await payment();
  assertEquals([after.state, after.returned], ["succeeded", before.returned]);
  assertEquals(after.surplus?.map(({ refunds }) => refunds.length), [0, 1]);
  assertEquals(after.surplus?.[0]?.failedRefunds, [refund]);
  assertEquals(after.surplus?.[1], before.surplus?.[1]);
  assertEquals(told(shop), 1);
  await shop.sweep({ minutes: 23 * 60, everyMinutes: 60 });
  assertEquals((await balances(shop, "refunds_due"))[0], -100, "not at once");
  await shop.sweep({ minutes: 120, everyMinutes: 60 });
  assertEquals(await balances(shop, "processor_clearing", "refunds_due"), [
    100,
    0,
  ]);
});

Deno.test("a notice that is repeated neither books, tells nor puts off again what came back", async () => {
  await using shop = await openPaidWorld();
  const { payment, id } = await report(shop);
  const second = await payAgain(shop, id);
  await syncPayment(shop.services, second);
  const refund = comesBack(shop, second);
  await syncRefund(shop.services, refund);
  const [once, ledger] = [await payment(), await shop.ledger()];
  shop.world.clock.advance(HOUR_MS);
  await syncRefund(shop.services, refund);
  assertEquals(await payment(), once);
  assertEquals(await shop.ledger(), ledger);
  assertEquals(told(shop), 1);
});

Deno.test("a report's own refund that comes back is told once, and no payment beside it is made up", async () => {
  await using shop = await openPaidWorld();
  const { payment, id } = await report(shop);
  const { services, clock } = shop.world;
  await services.store.transact(async (tx) => {
    const found = await tx.metricsPayments.find(id);
    assert(found !== null);
    beginRefund(tx, found, clock.now());
  });
  await shop.sweep();
  assertEquals((await payment()).state, "refunded");
  const refund = comesBack(shop, (await payment()).intentId);
  await syncRefund(services, refund);
  const once = await payment();
  assertEquals(once.state, "refunding");
  assertEquals(once.returned?.failedRefunds, [refund]);
  assert(!("surplus" in once), "there is none");
  clock.advance(HOUR_MS);
  await syncRefund(services, refund);
  assertEquals(await payment(), once);
  assertEquals(told(shop), 1);
});

Deno.test("a refund of a payment that a purchase does not have, or of no purchase, changes nothing and is not told", async () => {
  await using shop = await openPaidWorld();
  const { payment, id } = await report(shop);
  const [before, ledger] = [await payment(), await shop.ledger()];
  const failed = { id: "re_unknown", amountCents: 100 };
  for (const metricsPaymentId of [id, "unknown"]) {
    const isNew = await bookMetricsRefundFailure(
      shop.services,
      { metricsPaymentId, paymentId: "pi_unknown" },
      failed,
    );
    assertEquals(isNew, false);
  }
  assertEquals(await payment(), before);
  assertEquals(await shop.ledger(), ledger);
});
