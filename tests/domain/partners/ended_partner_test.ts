import { assert, assertEquals } from "@std/assert";
import { advanceCommissions } from "../../../domain/partners/advance_commissions.ts";
import { endPartner } from "../../../domain/partners/decide_partner.ts";
import { PARTNER_ID } from "../../support/partners.ts";
import { openPayoutWorld } from "../../support/payout_world.ts";
import { openReferredDay } from "../../support/referred_day.ts";
import { refusalOf } from "../../support/refused.ts";

Deno.test("what is payable of a partnership that has ended is paid, however little, and its rest is not", async () => {
  await using open = await openPayoutWorld();
  const { services } = open.world;
  await open.takeBack(8_000);
  const before = await open.balance();
  await services.store.transact((tx) =>
    tx.partnerBalances.save({
      ...before,
      months: [],
      payableCents: 3_000,
      restCents: 1_000,
    })
  );
  assertEquals((await refusalOf(() => open.ask()))?.code, "payout_refused");
  await endPartner(services, {
    accountId: PARTNER_ID,
    by: { kind: "operator_key" },
    reason: "It recommends what it was asked not to.",
    about: null,
  });
  await open.ask();
  await open.send();
  assertEquals(open.transfers(), [3_000]);
  const { payableCents, restCents } = await open.balance();
  assertEquals([payableCents, restCents], [0, 1_000]);
  await open.checkBooks();
  assertEquals((await refusalOf(() => open.ask()))?.code, "payout_refused");
});

for (const [sinceMs, earns] of [[1, true], [0, false]] as const) {
  const when = earns ? "before" : "when";
  Deno.test(`an invoice paid ${when} its partner was ended brings ${earns ? "its" : "no"} commission, though it is counted only then`, async () => {
    const day = await openReferredDay();
    await using _ = day.world;
    const { services } = day.world;
    const { paidAtMs } = await day.invoice();
    assert(paidAtMs !== null);
    const decidedAtMs = paidAtMs + sinceMs;
    await services.store.transact(async (tx) => {
      const partner = await tx.partners.find(PARTNER_ID);
      assert(partner !== null);
      tx.partners.save({ ...partner, state: "ended", decidedAtMs });
    });
    await advanceCommissions(services);
    assertEquals(await day.commission() !== null, earns);
    const { commission } = await day.invoice();
    assertEquals(commission?.isVoid, earns ? undefined : true);
  });
}

Deno.test("a partner who applies again earns nothing of an invoice paid while it was none", async () => {
  const decidedAtMs = Number.MAX_SAFE_INTEGER;
  const partner = { state: "applied", decidedAtMs } as const;
  const day = await openReferredDay({ partner });
  await using _ = day.world;
  await advanceCommissions(day.world.services);
  assertEquals(await day.commission(), null);
});
