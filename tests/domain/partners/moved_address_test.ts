import { assert, assertEquals } from "@std/assert";
import { countCommission } from "../../../domain/partners/count_commission.ts";
import { isSameMailHost } from "../../../domain/partners/self_referral.ts";
import { PARTNER_ID } from "../../support/partners.ts";
import { openReferredDay } from "../../support/referred_day.ts";
import { invoiceOf } from "../../support/invoices.ts";

/** A day whose commission is counted, and what moves an address after that. */
async function openMoved() {
  const day = await openReferredDay();
  const { services } = day.world;
  const { store } = services;
  await day.count();
  const earned = async () => (await day.commission())?.amountCents ?? 0;
  assert(await earned() > 0);
  const accountId = day.winner.account.id;
  return {
    day,
    earned,
    accountId,
    referral: async () => (await store.accounts.find(accountId))?.referral,
    move: (id: string, email: string) =>
      store.transact(async (tx) => {
        const account = await tx.accounts.find(id);
        assert(account !== null);
        tx.accounts.save({ ...account, email });
      }),
    /** One more invoice is paid, before which all is looked at again. */
    async winAgain() {
      const commission = { partnerId: PARTNER_ID, countedCents: 0 };
      const invoice = { ...invoiceOf(accountId, "next"), commission };
      await store.transact((tx) => tx.invoices.save(invoice));
      await countCommission(services, { invoiceId: invoice.id });
    },
  };
}

Deno.test("an advertiser that moves its address to its partner's mail host takes nothing from the partner", async () => {
  const { day, earned, accountId, referral, move, winAgain } =
    await openMoved();
  await using _ = day.world;
  const before = await earned();
  // No list of public providers will ever have all of them.
  await move(PARTNER_ID, "pat@mail-for-all.example");
  await move(accountId, "lucky@mail-for-all.example");
  await winAgain();
  assertEquals([await earned(), (await referral())?.state], [
    before,
    "credited",
  ]);
});

Deno.test("a partner whose address is at the host with which its advertiser signed up is found, wherever that one is by now", async () => {
  const { day, earned, accountId, referral, move, winAgain } =
    await openMoved();
  await using _ = day.world;
  const host = (await referral())?.mailHost;
  assert(host !== undefined);
  await move(accountId, "lucky@elsewhere.example");
  await move(PARTNER_ID, `pat@${host}`);
  await winAgain();
  assertEquals([await earned(), (await referral())?.voidBecause], [
    0,
    "email_domain",
  ]);
});

Deno.test("two companies at one host of certified mail, or of a country's provider, are not one organisation", () => {
  const hosts =
    "a1.net pec.it legalmail.it arubapec.it movistar.es gazeta.pl atlas.cz " +
    "forthnet.gr cytanet.com.cy t-2.net pt.lu onvol.net hot.ee ofir.dk " +
    "pp.inet.fi indamail.hu mailfence.com startmail.com zohomail.eu";
  for (const host of hosts.split(" ")) {
    assertEquals(isSameMailHost(`a@${host}`, `b@${host}`), false, host);
  }
});
