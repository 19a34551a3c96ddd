import { assertEquals } from "@std/assert";
import type { Partner } from "../../../domain/partners/partner.ts";
import { syncAccounts } from "../../../domain/partners/sync_account.ts";
import { emptyBalance } from "../../../domain/partners/partner_balance.ts";
import type { Processor } from "../../../domain/payments/processor.ts";
import { comparePartners } from "../../../domain/reconciliation/compare_commissions.ts";
import { groupsOf } from "../../../domain/groups.ts";
import { openBiddingWorld } from "../../support/bidding_world.ts";

function applied(accountId: string): Partner {
  return {
    accountId,
    state: "applied",
    terms: { version: "2026-11-23", acceptedAtMs: 1 },
    pitch: "A newsletter of nobody's",
    appliedAtMs: 1,
    decidedAtMs: null,
    reason: null,
    links: 0,
    connectedAccount: null,
  };
}

Deno.test("however many ask to be partners, each that is paid is looked at and compared every night", async () => {
  await using world = await openBiddingWorld();
  const { services } = world;
  const { store } = services;
  const ids = Array.from({ length: 1_000 }, (_, nth) => `acc_a${nth}`);
  for (const some of groupsOf(ids, 100)) {
    await store.transact((tx) =>
      some.forEach((id) => tx.partners.save(applied(id)))
    );
  }
  const partnerId = "acc_z";
  await store.transact((tx) => {
    const connectedAccount = {
      id: "acct_paid",
      createdAtMs: 1,
      detailsSubmitted: true,
      payoutsEnabled: true,
      syncedAtMs: 1,
    };
    tx.partners.save({
      ...applied(partnerId),
      state: "approved",
      connectedAccount,
    });
    tx.partnerBalances.save({ ...emptyBalance(partnerId), paidCents: 5_000 });
  });
  const looked: string[] = [];
  const processor: Processor = {
    ...services.processor,
    retrievePartnerAccount(id) {
      looked.push(id);
      const gone = { code: "account_invalid", message: "It is gone" };
      return Promise.resolve({ ok: false, ...gone });
    },
  };
  await syncAccounts({ ...services, processor });
  assertEquals(looked, ["acct_paid"]);
  assertEquals(await comparePartners(services), [
    { kind: "payouts_differ", partnerId, amountCents: 5_000 },
    { kind: "partner_differs", partnerId, amountCents: 5_000 },
  ]);
});
