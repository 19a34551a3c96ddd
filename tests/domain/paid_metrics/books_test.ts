/** What the books say of sales and refunds. */
import { assertEquals } from "@std/assert";
import { balanceOf } from "../../../domain/ledger/book_entry.ts";
import type { LedgerEntry } from "../../../domain/ledger/entry.ts";
import { syncRefund } from "../../../domain/webhooks/sync_refund.ts";
import {
  DAY,
  offer,
  openPaidWorld,
  outcomeOf,
  type PaidWorld,
} from "../../support/paid_world.ts";

const SALES: Record<string, Record<string, number>> = {
  pm_card_de: {
    processor_clearing: 100,
    metrics_revenue: -84,
    vat_payable: -16,
  },
  pm_card_at: {
    processor_clearing: 100,
    metrics_revenue: -83,
    vat_payable: -17,
  },
  // A card of the United States contains no VAT.
  pm_card_visa: { processor_clearing: 100, metrics_revenue: -100 },
};

for (const [card, lines] of Object.entries(SALES)) {
  Deno.test(`a sale to ${card} is booked with the VAT that it contains`, async () => {
    await using shop = await openPaidWorld();
    const intentId = await buy(shop, card);
    const [entry, ...others] = await shop.ledger();
    assertEquals(others, []);
    assertEquals(linesOf(entry), lines);
    assertEquals(entry?.kind, "sale");
    assertEquals(entry?.paymentId, intentId);
  });

  Deno.test(`a refund to ${card} takes the sale back cent for cent`, async () => {
    await using shop = await openPaidWorld();
    const { challenge, authorization } = await offer(shop, {
      token: await shop.token({ card }),
    });
    shop.world.simulator.control.addFault({
      kind: "reset_after_effect",
      method: "POST",
      path: "/v1/payment_intents",
    });
    await shop.ask({ authorization });
    await shop.sweep();
    await shop.remove(DAY);
    await shop.ask({ authorization });
    assertEquals((await shop.payment(challenge))?.state, "refunded");
    const ledger = await shop.ledger();
    const refund = ledger.find(({ kind }) => kind === "refund");
    const wanted = Object.entries(lines).map(([account, cents]) =>
      [account, -cents] as const
    );
    assertEquals(linesOf(refund), Object.fromEntries(wanted));
    assertEquals(ledger.length, 2);
  });
}

Deno.test("the row keeps what was booked, so that a change of rates changes no refund", async () => {
  await using shop = await openPaidWorld();
  const { challenge, authorization } = await offer(shop, {
    token: await shop.token({ card: "pm_card_de" }),
  });
  await shop.ask({ authorization });
  const payment = await shop.payment(challenge);
  assertEquals(payment?.cardCountry, "DE");
  assertEquals(payment?.vatCents, 16);
});

async function buy(shop: PaidWorld, card: string): Promise<string | null> {
  const token = await shop.token({ card });
  const { challenge, authorization } = await offer(shop, { token });
  assertEquals(await outcomeOf(await shop.ask({ authorization })), "200");
  return (await shop.payment(challenge))?.intentId ?? null;
}

function linesOf(entry: LedgerEntry | undefined): Record<string, number> {
  return Object.fromEntries(
    entry?.lines.map(({ account, amountCents }) => [account, amountCents]) ??
      [],
  );
}

Deno.test("a refund of a report that comes back is booked back, and given back again a day later", async () => {
  await using shop = await openPaidWorld();
  const { challenge, authorization } = await offer(shop, {
    token: await shop.token({ card: "pm_card_de" }),
  });
  const { control } = shop.world.simulator;
  control.addFault({
    kind: "reset_after_effect",
    method: "POST",
    path: "/v1/payment_intents",
  });
  await shop.ask({ authorization });
  await shop.sweep();
  await shop.remove(DAY);
  await shop.ask({ authorization });
  const [refund] = control.objects("refund");
  control.failRefund(refund?.id ?? "");
  const { services } = shop.world;
  await syncRefund(services, refund?.id ?? "");
  await syncRefund(services, refund?.id ?? "");
  assertEquals((await shop.payment(challenge))?.state, "refunding");
  const held = async () => balanceOf(await shop.ledger(), "processor_clearing");
  assertEquals([await held(), (await shop.ledger()).length], [100, 3]);
  await shop.sweep();
  assertEquals(await held(), 100, "not at once: the card is as it was");
  shop.world.clock.advance(24 * 3_600_000);
  await shop.sweep();
  assertEquals((await shop.payment(challenge))?.state, "refunded");
  assertEquals(await held(), 0);
});
