import { assert, assertEquals } from "@std/assert";
import type { Account, Company } from "../../../domain/accounts/account.ts";
import { newAccount } from "../../../domain/accounts/new_account.ts";
import { syncDispute } from "../../../domain/disputes/sync_dispute.ts";
import { countCommission } from "../../../domain/partners/count_commission.ts";
import {
  isSameMailHost,
  sameOwner,
} from "../../../domain/partners/self_referral.ts";
import { MemoryLog } from "../../support/captured_logs.ts";
import { everyCrashPoint } from "../../support/faults.ts";
import { FINALIZED_MS, invoiceOf } from "../../support/invoices.ts";
import { PARTNER_ID, refer, savePartner } from "../../support/partners.ts";
import { openReferredDay } from "../../support/referred_day.ts";
import { openTestStore } from "../../support/store.ts";

const COMPANY: Company = {
  name: "Grace GmbH",
  country: "CH",
  vatId: null,
  address: { line1: "Weg 1", city: "Bern", postalCode: "3000" },
};

Deno.test("accounts of one mail host, or of one below the other's, are of one owner", () => {
  const same = [
    ["ada@example.com", "grace@example.com"],
    ["ada@mail.example.com", "grace@example.com"],
    ["ada@example.com", "grace@mail.example.com"],
  ] as const;
  for (const [a, b] of same) assertEquals(isSameMailHost(a, b), true, a);
  const other = [
    ["ada@example.com", "grace@notexample.com"],
    ["ada@example.com", ""],
    ["", "grace@example.com"],
    ["", ""],
    // Anybody has an address there, or may have a host below it.
    ["ada@gmail.com", "grace@gmail.com"],
    ["ada@x.gmail.com", "grace@gmail.com"],
    ["ada@gmail.com", "grace@x.gmail.com"],
  ] as const;
  for (const [a, b] of other) assertEquals(isSameMailHost(a, b), false, a + b);
});

Deno.test("companies without a VAT id are not of one owner for that", () => {
  const [ada, grace] = ["ada@example.com", "grace@newsletter.example"];
  const owner = (email: string, vatId: string | null) => ({
    ...newAccount("acc_1", email, 0),
    company: { ...COMPANY, vatId },
    vatStatus: "valid" as const,
    vatHeldAtMs: 1,
  });
  assertEquals(sameOwner(owner(ada, null), owner(grace, null)), null);
  assertEquals(sameOwner(owner(ada, "DE1"), owner(grace, null)), null);
  assertEquals(sameOwner(owner(ada, "DE1"), owner(grace, "DE2")), null);
  assertEquals(sameOwner(owner(ada, "DE1"), owner(grace, "DE1")), "vat_id");
  const without = { email: grace, company: null };
  assertEquals(sameOwner(owner(ada, null), without), null);
});

Deno.test("an advertiser has to hold the VAT id that shows it to be its partner; a partner's word is enough", () => {
  const of = (email: string, changes: Partial<Account> = {}) => ({
    ...newAccount("acc_1", email, 0),
    company: { ...COMPANY, vatId: "DE1" },
    ...changes,
  });
  const partner = of("grace@newsletter.example");
  const found = (changes: Partial<Account>) =>
    sameOwner(of("ada@example.com", changes), partner);
  const checked = { identityStatus: "verified" } as const;
  assertEquals(found({ vatStatus: "valid", vatHeldAtMs: 1 }), "vat_id");
  assertEquals(found({ vatStatus: "valid", ...checked }), "vat_id");
  assertEquals(found({ vatStatus: "valid" }), null);
  assertEquals(found({ vatStatus: "unverified", ...checked }), null);
  assertEquals(found({ vatStatus: "invalid", ...checked }), null);
  const holder = of(partner.email, { vatStatus: "valid", vatHeldAtMs: 1 });
  assertEquals(sameOwner(of("ada@example.com", checked), holder), null);
});

/** An advertiser that a partner brought, with these paid invoices. */
async function openInvoices(numbers: readonly string[]) {
  const test = await openTestStore();
  const { store, clock } = test;
  clock.set(FINALIZED_MS);
  await savePartner({ store, clock });
  const advertiser = newAccount("acc_1", "ada@example.com", 0);
  await store.transact((tx) => tx.accounts.save(advertiser));
  await refer({ store, clock }, "acc_1");
  for (const number of numbers) {
    const commission = { partnerId: PARTNER_ID, countedCents: 0 };
    const invoice = { ...invoiceOf("acc_1", number), commission };
    await store.transact((tx) => tx.invoices.save(invoice));
  }
  const log = new MemoryLog();
  const services = { store, clock, log };
  const amountOf = async (number: string) =>
    (await store.commissions.find(`in_${number}`))?.amountCents ?? null;
  const becomeOwner = () =>
    savePartner({ store, clock }, { account: { email: "g@example.com" } });
  return { test, services, log, amountOf, becomeOwner };
}

Deno.test("a commission that is in line with its invoice costs no commit, and nobody's referral is called void", async () => {
  const { test, services, log, amountOf } = await openInvoices(["A"]);
  await using _ = test;
  await countCommission(services, { invoiceId: "in_A" });
  const { length } = test.kv.commits;
  await countCommission(services, { invoiceId: "in_A" });
  assertEquals(test.kv.commits.length, length);
  assertEquals(await amountOf("A"), 1_000);
  assertEquals(log.events, []);
});

Deno.test("a void referral takes back what earlier invoices brought, also once nothing tells of its reason any more", async () => {
  const { test, services, log, amountOf } = await openInvoices(["A", "B"]);
  await using _ = test;
  const { store } = services;
  await countCommission(services, { invoiceId: "in_A" });
  assertEquals(await amountOf("A"), 1_000);
  await store.transact(async (tx) => {
    const account = await tx.accounts.find("acc_1");
    assert(account?.referral !== undefined);
    const referral = { ...account.referral, state: "void" as const };
    tx.accounts.save({ ...account, referral });
  });
  await countCommission(services, { invoiceId: "in_B" });
  assertEquals([await amountOf("A"), await amountOf("B")], [0, null]);
  assertEquals(log.events, ["partner.referral_void"]);
});

Deno.test("a process that dies over a void referral leaves the invoice due by which another goes on", async () => {
  await everyCrashPoint(async (point) => {
    const { test, services, amountOf, becomeOwner } = await openInvoices(
      ["A", "B", "C"],
    );
    await using _ = test;
    for (const invoiceId of ["in_A", "in_B"]) {
      await countCommission(services, { invoiceId });
    }
    await becomeOwner();
    const doomed = test.another();
    doomed.kv.crashAt(point);
    const dying = { ...services, store: doomed.store };
    await countCommission(dying, { invoiceId: "in_C" }).catch(() => {});
    const due = await services.store.listDue(
      "commissions",
      services.clock.now(),
      { limit: 9 },
    );
    for (const { id } of due) {
      await countCommission(services, { invoiceId: id });
    }
    assertEquals([await amountOf("A"), await amountOf("B")], [0, 0]);
    return doomed.kv.dead;
  });
});

Deno.test("who is no partner any more keeps what was earned: a dispute that is won brings it back", async () => {
  const day = await openReferredDay();
  await using _ = day.world;
  const { services, simulator } = day.world;
  await day.count();
  const before = (await day.commission())?.amountCents;
  const { paymentId } = await day.invoice();
  const { id } = simulator.control.disputes.open(paymentId ?? "");
  await syncDispute(services, id);
  await day.count();
  assertEquals((await day.commission())?.amountCents, 0);
  await savePartner(services, { partner: { state: "ended" } });
  simulator.control.disputes.turn(id, "won");
  await syncDispute(services, id);
  await day.count();
  assertEquals((await day.commission())?.amountCents, before);
});

Deno.test("an invoice of when a partnership had ended brings nothing either once it is begun again", async () => {
  const day = await openReferredDay({ partner: { state: "ended" } });
  await using _ = day.world;
  const { services, simulator } = day.world;
  await day.count();
  assertEquals(await day.commission(), null);
  await savePartner(services, { partner: { state: "approved" } });
  const { paymentId } = await day.invoice();
  const { id } = simulator.control.disputes.open(paymentId ?? "");
  await syncDispute(services, id);
  await day.count();
  simulator.control.disputes.turn(id, "won");
  await syncDispute(services, id);
  await day.count();
  assertEquals(await day.commission(), null);
  assertEquals(await day.booked("commission_expense"), 0);
});
