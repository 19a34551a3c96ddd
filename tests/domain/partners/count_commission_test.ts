import { assert, assertEquals, assertRejects } from "@std/assert";
import { syncDispute } from "../../../domain/disputes/sync_dispute.ts";
import { DAY_MS } from "../../../domain/day.ts";
import { refundSpotlight } from "../../../domain/invoices/refund_spotlight.ts";
import { balanceOf } from "../../../domain/ledger/book_entry.ts";
import { newAccount } from "../../../domain/accounts/new_account.ts";
import { advanceCommissions } from "../../../domain/partners/advance_commissions.ts";
import { countCommission } from "../../../domain/partners/count_commission.ts";
import {
  commissionBaseCents,
  commissionCents,
} from "../../../domain/partners/commission.ts";
import { reconcileDay } from "../../../domain/reconciliation/reconcile_day.ts";
import { makeStatements } from "../../../domain/partners/make_statements.ts";
import { addMonths, monthOf } from "../../../domain/month.ts";
import {
  earnedCents,
  maturesAtMs,
} from "../../../domain/partners/partner_balance.ts";
import type { Account } from "../../../domain/accounts/account.ts";
import type { Store } from "../../../domain/ports.ts";
import { AUCTION_DAY } from "../../support/auction_world.ts";
import { MemoryLog } from "../../support/captured_logs.ts";
import { type CrashPoint, everyCrashPoint } from "../../support/faults.ts";
import { PARTNER_ID, refer, savePartner } from "../../support/partners.ts";
import { type Given, openReferredDay } from "../../support/referred_day.ts";
import { FINALIZED_MS, invoiceOf } from "../../support/invoices.ts";
import { openTestStore } from "../../support/store.ts";

Deno.test("a paid Spotlight of a referred advertiser brings its partner 10 % of the net amount, rounded down, in books that sum to zero", async () => {
  const day = await openReferredDay();
  await using _ = day.world;
  const due = await day.world.services.store.listDue(
    "commissions",
    day.world.clock.now(),
    { limit: 9 },
  );
  assertEquals(due.map(({ id }) => id), [(await day.invoice()).id]);
  assertEquals(await day.commission(), null);
  await advanceCommissions(day.world.services);
  const invoice = await day.invoice();
  const cents = commissionCents(invoice.totalCents - invoice.taxCents);
  assertEquals((await day.commission())?.amountCents, cents);
  assertEquals(cents, Math.floor(commissionBaseCents(invoice) / 10));
  assertEquals(await day.state(), "pending");
  assertEquals(await day.booked("commission_expense"), cents);
  assertEquals(await day.booked("partner_payable"), -cents);
  // Nothing more, however often it is looked at.
  await day.count();
  await advanceCommissions(day.world.services);
  assertEquals(await day.booked("commission_expense"), cents);
});

const WITHOUT: [why: string, given: Given][] = [
  ["nobody referred it", { referral: null }],
  ["its referral was void", { referral: { state: "void" } }],
  ["it was paid 12 months after the sign-up", { referral: { untilMs: 1 } }],
  ["the partner was ended", { partner: { state: "ended" } }],
  ["the partner has its mail domain", {
    account: { email: "grace@mail.example.com" },
  }],
  ["the partner has its VAT id", {
    account: {
      company: {
        name: "Grace GmbH",
        country: "DE",
        vatId: "DE123456789",
        address: { line1: "Weg 1", city: "Bonn", postalCode: "53111" },
      },
    },
  }],
];

for (const [why, given] of WITHOUT) {
  Deno.test(`a paid Spotlight brings no commission where ${why}`, async () => {
    const day = await openReferredDay(given);
    await using _ = day.world;
    await advanceCommissions(day.world.services);
    assertEquals(await day.commission(), null);
    assertEquals(await day.balance(), null);
    const due = await day.world.services.store.listDue(
      "commissions",
      day.world.clock.now(),
      { limit: 9 },
    );
    assertEquals(due, []);
  });
}

Deno.test("a partner whose card an advertiser pays with is not paid for it, and the account says why", async () => {
  const day = await openReferredDay();
  await using _ = day.world;
  const { store } = day.world.services;
  const { account, paymentMethodId } = day.winner;
  await store.transact(async (tx) => {
    const card = await tx.paymentMethods.find(account.id, paymentMethodId);
    assert(card?.fingerprint);
    tx.paymentMethods.save({ ...card, id: "pm_same", accountId: PARTNER_ID });
  });
  await day.count();
  assertEquals(await day.commission(), null);
  const { referral } = await store.accounts.find(account.id) ?? {};
  assertEquals(referral?.state, "void");
  assertEquals(referral?.voidBecause, "card");
});

Deno.test("what is found out later about a partner's own advertiser takes back what earlier invoices brought", async () => {
  const day = await openReferredDay();
  await using _ = day.world;
  const { services } = day.world;
  const { store } = services;
  await day.count();
  const first = await day.invoice();
  assertEquals(await day.state(), "pending");
  await store.transact((tx) =>
    tx.invoices.save({
      ...invoiceOf(first.accountId, "SPOT-9"),
      commission: { partnerId: PARTNER_ID, countedCents: 0 },
    })
  );
  await store.transact(async (tx) => {
    const partner = await tx.accounts.find(PARTNER_ID);
    assert(partner !== null);
    tx.accounts.save({ ...partner, company: day.winner.account.company });
  });
  await countCommission(services, { invoiceId: "in_SPOT9" });
  assertEquals((await store.commissions.find(first.id))?.amountCents, 0);
  assertEquals(await store.commissions.find("in_SPOT9"), null);
  assertEquals(await day.booked("partner_payable"), 0);
  assertEquals(
    await store.listDue("commissions", day.world.clock.now(), {
      limit: 9,
    }),
    [],
  );
});

Deno.test("a refund makes its commission due in its own commit, and reversed at once", async () => {
  const day = await openReferredDay();
  await using _ = day.world;
  await day.count();
  await refundSpotlight(day.world.services, {
    day: AUCTION_DAY,
    note: "goodwill",
  });
  const due = await day.world.services.store.listDue(
    "commissions",
    day.world.clock.now(),
    { limit: 9 },
  );
  assertEquals(due.length, 1);
  await day.count();
  assertEquals(await day.state(), "reversed");
  assertEquals(await day.booked("commission_expense"), 0);
  assertEquals(await day.booked("partner_payable"), 0);
  assertEquals((await day.balance())?.months, []);
});

Deno.test("a dispute reverses a commission while it is open, and one that is won brings it back", async () => {
  const day = await openReferredDay();
  await using _ = day.world;
  const { services, simulator } = day.world;
  await day.count();
  const before = (await day.commission())?.amountCents;
  const { paymentId } = await day.invoice();
  const { id } = simulator.control.disputes.open(paymentId ?? "");
  await syncDispute(services, id);
  await day.count();
  assertEquals(await day.state(), "reversed");
  simulator.control.disputes.turn(id, "won");
  await syncDispute(services, id);
  await day.count();
  assertEquals(await day.state(), "pending");
  assertEquals((await day.commission())?.amountCents, before);
  assertEquals(await day.booked("commission_expense"), before);
});

Deno.test("a partner's own advertiser brings nothing for good, also once its account is erased", async () => {
  const day = await openReferredDay();
  await using _ = day.world;
  const { services, simulator } = day.world;
  const { store } = services;
  await day.count();
  const partner = await store.accounts.find(PARTNER_ID);
  assert(partner !== null);
  await store.transact((tx) =>
    tx.accounts.save({ ...partner, company: day.winner.account.company })
  );
  const { paymentId } = await day.invoice();
  const { id } = simulator.control.disputes.open(paymentId ?? "");
  await syncDispute(services, id);
  await day.count();
  assertEquals((await day.invoice()).commission?.isVoid, true);
  await store.transact(async (tx) => {
    const own = await tx.accounts.find(day.winner.account.id);
    if (own !== null) tx.accounts.remove(own);
  });
  simulator.control.disputes.turn(id, "won");
  await syncDispute(services, id);
  await day.count();
  assertEquals(await day.state(), "reversed");
  assertEquals(await day.booked("commission_expense"), 0);
});

Deno.test("a commission is counted once by many at once, in two processes", async () => {
  const day = await openReferredDay();
  await using _ = day.world;
  const { services: other } = day.world.another();
  const { id: invoiceId } = await day.invoice();
  await Promise.all(
    [day.world.services, other, day.world.services, other].map((each) =>
      countCommission(each, { invoiceId })
    ),
  );
  const commission = await day.commission();
  assertEquals(commission?.changes, 1);
  assertEquals(
    await day.booked("commission_expense"),
    commission?.amountCents,
  );
  const [month] = (await day.balance())?.months ?? [];
  assertEquals(month?.invoices, 1);
});

/** Two paid invoices of an advertiser, and what a process does about them. */
async function liveThrough(
  point: CrashPoint,
  changes: { account?: Partial<Account> },
): Promise<{ died: boolean; amounts: number[]; owedCents: number }> {
  await using test = await openTestStore();
  const { store, clock } = test;
  clock.set(FINALIZED_MS);
  await savePartner({ store, clock }, changes);
  const advertiser = newAccount("acc_1", "ada@example.com", 0);
  await store.transact((tx) => tx.accounts.save(advertiser));
  await refer({ store, clock }, "acc_1");
  for (const number of ["SPOT-1", "SPOT-2"]) {
    const commission = { partnerId: PARTNER_ID, countedCents: 0 };
    const invoice = { ...invoiceOf("acc_1", number), commission };
    await store.transact((tx) => tx.invoices.save(invoice));
  }
  const log = new MemoryLog();
  const dying = test.another();
  dying.kv.crashAt(point);
  for (const invoiceId of ["in_SPOT1", "in_SPOT2"]) {
    await countCommission({ store: dying.store, clock, log }, { invoiceId })
      .catch(() => {});
  }
  const due = await store.listDue("commissions", clock.now(), { limit: 9 });
  for (const { id } of due) {
    await countCommission({ store, clock, log }, { invoiceId: id });
  }
  const made = await store.listCommissions(PARTNER_ID, { limit: 9 });
  const ledger = await store.listLedger({ limit: 99 });
  const owedCents = 0 - balanceOf(ledger, "partner_payable");
  const balance = await store.partnerBalances.find(PARTNER_ID);
  assertEquals(balance === null ? 0 : earnedCents(balance), owedCents);
  const amounts = made.map(({ amountCents }) => amountCents);
  return { died: dying.kv.dead, amounts, owedCents };
}

Deno.test("commissions that a process died over at any commit are counted, and once", async () => {
  const deaths = await everyCrashPoint(async (point) => {
    const { died, amounts, owedCents } = await liveThrough(point, {});
    assertEquals(amounts, [1_000, 1_000]);
    assertEquals(owedCents, 2_000);
    return died;
  });
  assertEquals(deaths, 4);
});

Deno.test("a partner's own advertiser brings nothing, whenever the process that finds out dies", async () => {
  const account = { email: "grace@example.com" };
  const deaths = await everyCrashPoint(async (point) => {
    const { died, owedCents } = await liveThrough(point, { account });
    assertEquals(owedCents, 0);
    return died;
  });
  assert(deaths >= 2);
});

Deno.test("advanceCommissions() makes the statement of a month of three invoices when it is due, and once", async () => {
  const day = await openReferredDay();
  await using _ = day.world;
  const { services, clock } = day.world;
  const { store } = services;
  const { accountId } = await day.invoice();
  clock.set(FINALIZED_MS);
  for (const number of ["SPOT-8", "SPOT-9"]) {
    await store.transact((tx) =>
      tx.invoices.save({
        ...invoiceOf(accountId, number),
        commission: { partnerId: PARTNER_ID, countedCents: 0 },
      })
    );
  }
  await advanceCommissions(services);
  const month = monthOf(clock.now());
  clock.set(new Date(maturesAtMs(month) - 1).toISOString());
  await advanceCommissions(services);
  assertEquals(await store.listStatements(PARTNER_ID, { limit: 9 }), []);
  clock.advance(1);
  await Promise.all([
    advanceCommissions(services),
    makeStatements(services, { partnerId: PARTNER_ID }),
  ]);
  const statements = await store.listStatements(PARTNER_ID, { limit: 9 });
  assertEquals(statements.length, 1);
  assertEquals(statements[0]?.throughMonth, month);
  assertEquals(statements[0]?.invoices, 3);
  const balance = await day.balance();
  assertEquals(balance?.payableCents, statements[0]?.amountCents);
  assertEquals(await day.state(), "payable");
  assertEquals(addMonths(month, 1) > (balance?.releasedThrough ?? ""), true);
  clock.advance(60 * DAY_MS);
  await advanceCommissions(services);
  assertEquals(
    (await store.listStatements(PARTNER_ID, { limit: 9 })).length,
    1,
  );
});

Deno.test("a commission that can't be counted keeps no partner's statement back", async () => {
  const day = await openReferredDay();
  await using _ = day.world;
  const { services, clock } = day.world;
  const { store } = services;
  const { accountId } = await day.invoice();
  clock.set(FINALIZED_MS);
  const pay = (number: string) =>
    store.transact((tx) =>
      tx.invoices.save({
        ...invoiceOf(accountId, number),
        commission: { partnerId: PARTNER_ID, countedCents: 0 },
      })
    );
  for (const number of ["SPOT-7", "SPOT-8"]) await pay(number);
  await advanceCommissions(services);
  await pay("SPOT-9");
  clock.set(new Date(maturesAtMs(monthOf(clock.now()))).toISOString());
  const broken: Store = Object.create(store, {
    invoices: {
      value: { find: () => Promise.reject(new TypeError("an invoice")) },
    },
  });
  await assertRejects(
    () => advanceCommissions({ ...services, store: broken }),
    TypeError,
    "an invoice",
  );
  const statements = await store.listStatements(PARTNER_ID, { limit: 9 });
  assertEquals(statements.length, 1);
});

Deno.test("the store tells of an invoice whose commission is due, and of no other", async () => {
  const told: string[] = [];
  await using test = await openTestStore({
    hooks: { onCommissionsDue: (ids) => told.push(...ids) },
  });
  const { store } = test;
  await store.transact((tx) => tx.invoices.save(invoiceOf("acc_1", "SPOT-1")));
  assertEquals(told, []);
  const commission = { partnerId: PARTNER_ID, countedCents: 0 };
  await store.transact((tx) =>
    tx.invoices.save({ ...invoiceOf("acc_1", "SPOT-1"), commission })
  );
  assertEquals(told, ["in_SPOT1"]);
});

Deno.test("the nightly comparison counts a commission that was lost, and reports what then still differs", async () => {
  const day = await openReferredDay();
  await using _ = day.world;
  const { services, clock } = day.world;
  const { store } = services;
  clock.set("2026-11-21T02:30:00.000Z");
  const first = await reconcileDay(services, AUCTION_DAY);
  assertEquals(first.differences, []);
  const commission = await day.commission();
  assert(commission !== null && commission.amountCents > 0);
  await store.transact((tx) =>
    tx.commissions.save({ ...commission, amountCents: 1 })
  );
  const { differences } = await reconcileDay(services, AUCTION_DAY);
  assertEquals(differences.map(({ kind }) => kind), [
    "commission_not_booked",
    "partner_differs",
  ]);
});
