import { assertEquals } from "@std/assert";
import type { OperatorAct } from "../../../domain/audit/operator_act.ts";
import { DAY_MS } from "../../../domain/day.ts";
import { orderRefund } from "../../../domain/invoices/order_refund.ts";
import { type Month, monthOf } from "../../../domain/month.ts";
import type { ReferralLink } from "../../../domain/partners/referral_link.ts";
import { eraseRows } from "../../../domain/privacy/erase_rows.ts";
import {
  type Advertiser,
  AUCTION_DAY,
  openAuctionWorld,
} from "../../support/auction_world.ts";
import { openPaidDay } from "../../support/paid_day.ts";

Deno.test("eraseRows() takes what was said of the account and of each of its ads, and leaves who acted and when", async () => {
  await using world = await openAuctionWorld();
  const { services: { store }, clock } = world;
  const { account: { id: accountId }, adId } = await world.advertiser("ada");
  const change = { before: { name: "Ada" }, after: { name: "Ada 2" } };
  const said: Pick<OperatorAct, "act" | "subject" | "reason" | "change">[] = [
    { act: "account.suspend", subject: accountId, reason: "Why", change: null },
    { act: "account.approve_name", subject: accountId, reason: null, change },
    { act: "creative.reject", subject: adId, reason: "Why", change: null },
  ];
  const acts = said.map((each, nth): OperatorAct => ({
    ...each,
    id: `act_${nth}`,
    atMs: clock.now(),
    by: { kind: "key", name: "desk" },
  }));
  await store.transact((tx) =>
    acts.forEach((act) => tx.operatorActs.save(act))
  );
  await eraseRows(world.services, { accountId });
  for (const { id, atMs, ...kept } of acts) {
    assertEquals(
      await store.operatorActs.find(atMs, id),
      { id, atMs, ...kept, reason: null, change: null },
    );
  }
});

Deno.test("eraseRows() takes what an operator wrote of a refund, and leaves the invoice and its refund to the books", async () => {
  await using day = await openPaidDay();
  const { world: { services }, winner, passedOver } = day;
  const by = { kind: "key", name: "desk" } as const;
  const note = "She wrote that she is ill";
  await orderRefund(services, { day: AUCTION_DAY, note, by });
  const before = await day.invoice();
  assertEquals(before.refundNote, note);
  const erase = ({ account: { id: accountId } }: Advertiser) =>
    eraseRows(services, { accountId });
  await erase(passedOver);
  assertEquals(await day.invoice(), before);
  await erase(winner);
  assertEquals(await day.invoice(), { ...before, refundNote: null });
});

Deno.test("eraseRows() takes what is noted of a card that is being taken away", async () => {
  await using world = await openAuctionWorld();
  const { services: { store }, clock } = world;
  const ada = await world.advertiser("ada");
  const { account: { id: accountId }, paymentMethodId } = ada;
  await store.transact((tx) =>
    tx.cardRemovals.save({
      paymentMethodId,
      accountId,
      origin: "user",
      state: "done",
      binding: null,
      dueAtMs: clock.now(),
      failures: 0,
      expiresAtMs: clock.now() + DAY_MS,
    })
  );
  await eraseRows(world.services, { accountId });
  assertEquals(await store.cardRemovals.find(paymentMethodId), null);
  assertEquals(
    await store.paymentMethods.find(accountId, paymentMethodId),
    null,
  );
});

Deno.test("eraseRows() takes a partner's links and the sign-ups of every month by them, and no other partner's", async () => {
  await using world = await openAuctionWorld();
  const { services: { store }, clock } = world;
  const partners = ["acc_partner", "acc_other"];
  const link = (partnerId: string, code: string): ReferralLink => ({
    code,
    partnerId,
    name: code,
    state: "active",
    createdAtMs: Date.parse("2008-01-31T00:00:00Z"),
    endedAtMs: null,
  });
  const months = ["2008-01", "2019-07", monthOf(clock.now())] as Month[];
  await store.transact((tx) => {
    for (const partnerId of partners) {
      tx.referralLinks.save(link(partnerId, `old_${partnerId}`));
      months.forEach((each) => tx.signUpCounts.add(2, partnerId, each));
    }
  });
  const accountId = "acc_partner";
  await eraseRows(world.services, { accountId });
  for (const partnerId of partners) {
    const isErased = partnerId === accountId;
    const links = await store.listReferralLinks(partnerId, { limit: 9 });
    assertEquals(links.length, isErased ? 0 : 1);
    const counts = await store.getMany(
      months.map((each) => store.signUpCounts.ref(partnerId, each)),
    );
    assertEquals(counts, months.map(() => isErased ? 0 : 2));
  }
});
