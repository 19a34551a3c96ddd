import { assertEquals } from "@std/assert";
import { endPartner } from "../../../domain/partners/decide_partner.ts";
import { PARTNER_ID } from "../../support/partners.ts";
import { openPayoutWorld } from "../../support/payout_world.ts";
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
