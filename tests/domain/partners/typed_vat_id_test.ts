import { assert, assertEquals } from "@std/assert";
import type { Account } from "../../../domain/accounts/account.ts";
import { saveCompany } from "../../../domain/accounts/save_company.ts";
import type { VatAnswer } from "../../../domain/accounts/vat_registry.ts";
import { verifyVat } from "../../../domain/accounts/verify_vat.ts";
import { syncDispute } from "../../../domain/disputes/sync_dispute.ts";
import { advanceCommissions } from "../../../domain/partners/advance_commissions.ts";
import { countCommission } from "../../../domain/partners/count_commission.ts";
import { makeStatements } from "../../../domain/partners/make_statements.ts";
import { earnedCents } from "../../../domain/partners/partner_balance.ts";
import { invoiceOf } from "../../support/invoices.ts";
import { PARTNER_ID } from "../../support/partners.ts";
import { openReferredDay } from "../../support/referred_day.ts";
import { TestRegistry } from "../accounts/vat_world.ts";

/** As it stands in the partner's imprint. */
const PARTNERS = "DE987654321";
const COMPANY: Account["company"] = {
  name: "Grace GmbH",
  country: "DE",
  vatId: PARTNERS,
  address: { line1: "Weg 1", city: "Bonn", postalCode: "53111" },
};
const KNOWN: VatAnswer = { outcome: "valid", consultation: "W", name: null };

/** A day that brought commission, whose company may be asked about. */
async function openCountedDay(account: Partial<Account>) {
  const day = await openReferredDay({ account });
  const registry = new TestRegistry();
  const services = { ...day.world.services, vatRegistry: registry };
  const { store } = services;
  await day.count();
  const accountId = day.winner.account.id;
  const find = async (id: string) => {
    const found = await store.accounts.find(id);
    assert(found !== null);
    return found;
  };
  return {
    ...day,
    earned: async () => {
      const balance = await day.balance();
      return balance === null ? null : earnedCents(balance);
    },
    advertiser: () => find(accountId),
    /** The form of a company, and what the register says of its VAT id. */
    async move(id: string, vatId: string | null, answer: VatAnswer) {
      registry.answer = answer;
      const company = (await find(id)).company ?? COMPANY;
      assert(company !== null);
      await saveCompany(services, {
        accountId: id,
        company: { ...company, vatId },
      });
      if (vatId !== null) await verifyVat(services, { accountId: id });
    },
    /** A bank takes the payment back, and gives it up again. */
    async disputeAndWin() {
      const { paymentId } = await day.invoice();
      const { id } = day.world.simulator.control.disputes.open(paymentId ?? "");
      await syncDispute(services, id);
      await advanceCommissions(services);
      assertEquals(await day.state(), "reversed");
      day.world.simulator.control.disputes.turn(id, "won");
      await syncDispute(services, id);
      await advanceCommissions(services);
    },
    /** More invoices of that month, and its statement. */
    async tell() {
      for (const number of ["A", "B", "C"]) {
        const commission = { partnerId: PARTNER_ID, countedCents: 0 };
        const invoice = { ...invoiceOf(accountId, number), commission };
        await store.transact((tx) => tx.invoices.save(invoice));
        await countCommission(services, { invoiceId: invoice.id });
      }
      day.world.clock.set("2027-03-05T00:00:00.000Z");
      await makeStatements(services, { partnerId: PARTNER_ID });
      assert(((await day.balance())?.payableCents ?? 0) > 0);
    },
  };
}

const UNPROVEN: [what: string, answer: VatAnswer][] = [
  ["nobody knows", { outcome: "unknown", consultation: null, name: null }],
  ["is another company's", { ...KNOWN, name: "Grace GmbH" }],
];

for (const [what, answer] of UNPROVEN) {
  Deno.test(`an advertiser that types its partner's VAT id, which ${what}, takes nothing from the partner`, async () => {
    const day = await openCountedDay({
      company: COMPANY,
      vatStatus: "valid",
      vatHeldAtMs: 1,
    });
    await using _ = day.world;
    const before = await day.earned();
    assert(before);
    await day.move(day.winner.account.id, PARTNERS, answer);
    const typed = await day.advertiser();
    assertEquals(typed.company?.vatId, PARTNERS);
    assertEquals(typed.vatStatus, "unverified");
    await day.disputeAndWin();
    assertEquals(await day.earned(), before);
    assertEquals((await day.advertiser()).referral?.state, "credited");
  });
}

Deno.test("an advertiser that holds its partner's VAT id later is found to be its partner, also once a statement has told", async () => {
  const day = await openCountedDay({ company: COMPANY });
  await using _ = day.world;
  await day.tell();
  await day.move(day.winner.account.id, PARTNERS, KNOWN);
  assertEquals((await day.advertiser()).vatStatus, "valid");
  await day.disputeAndWin();
  assertEquals(await day.earned(), 0);
  assertEquals((await day.advertiser()).referral?.voidBecause, "vat_id");
});

Deno.test("a partner that says later that it is the advertiser's company is found, also once a statement has told", async () => {
  const day = await openCountedDay({});
  await using _ = day.world;
  await day.tell();
  const { company } = await day.advertiser();
  await day.move(PARTNER_ID, company?.vatId ?? null, KNOWN);
  await day.disputeAndWin();
  assertEquals(await day.earned(), 0);
  assertEquals((await day.advertiser()).referral?.voidBecause, "vat_id");
});
