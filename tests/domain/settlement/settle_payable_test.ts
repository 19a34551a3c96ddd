import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import type { Account } from "../../../domain/accounts/account.ts";
import {
  liftSuspension,
  suspendAccount,
} from "../../../domain/accounts/suspend_account.ts";
import { LEASE_MS } from "../../../domain/settlement/saga.ts";
import { settleDay } from "../../../domain/settlement/settle_day.ts";
import { refundDueInvoices } from "../../../domain/invoices/refund_invoice.ts";
import { withdrawApproval } from "../../../domain/creatives/review_creative.ts";
import type { Services, Store } from "../../../domain/ports.ts";
import type { FaultKind } from "../../../simulators/stripe/mod.ts";
import {
  AUCTION_DAY,
  type AuctionWorld,
  openAuctionWorld,
} from "../../support/auction_world.ts";
import {
  backupOf,
  chargedCents,
  gatedOver,
  raiseBid,
  releaseNoted,
  restoreInto,
} from "../../support/restored_world.ts";
import {
  closeDay,
  outcomeOfDay,
  settleInTime,
} from "../../support/settlement_outcome.ts";
import { openTestStore, type TestStore } from "../../support/store.ts";

const day = AUCTION_DAY;
const BY_OPERATOR = {
  by: { kind: "operator_key" },
  reason: "A stolen card.",
  about: null,
} as const;

/** What may happen to the best bidder while its payment has no answer. */
interface Meanwhile {
  what: string;
  happens: (services: Services) => Promise<unknown>;
  /** As its owner is told. */
  why: string;
}

const MEANWHILE: readonly Meanwhile[] = [
  {
    what: "its account is suspended",
    happens: (services) =>
      suspendAccount(services, { accountId: "acc_ada", ...BY_OPERATOR }),
    why: "Your account is suspended",
  },
  {
    what: "a payment of its account is disputed",
    happens: (services) =>
      changeAda(services, { disputeOpen: true, blockingDisputes: ["du_1"] }),
    why: "A payment of yours is disputed at your bank",
  },
  {
    what: "its VAT id is no longer valid",
    happens: (services) => changeAda(services, { vatStatus: "invalid" }),
    why: "Your company's VAT id is not verified",
  },
  {
    what: "approval of its creative is withdrawn",
    happens: (services) =>
      withdrawApproval(services, {
        adId: "ad_ada",
        by: { kind: "operator_key" },
        typed: {
          policyId: "agent_instructions",
          message: "It tells programs what to do.",
          remedy: "",
        },
      }),
    why: "The approval of its ad was withdrawn",
  },
];

function changeAda({ store }: Services, changes: Partial<Account>) {
  return store.transact(async (tx) => {
    const ada = await tx.accounts.find("acc_ada");
    if (ada !== null) tx.accounts.save({ ...ada, ...changes });
  });
}

/** The best bidder's payment was asked for, and nobody answered. */
async function unansweredPayment(kind: FaultKind): Promise<AuctionWorld> {
  const world = await openAuctionWorld();
  await world.bid(await world.advertiser("ada"), 2500);
  await world.bid(await world.advertiser("bob"), 2400);
  world.clock.set(`${day}T23:55:00.000Z`);
  await closeDay(world.services);
  failPayment(world, kind);
  await settleDay(world.services, { day });
  world.clock.advance(10 * 60_000);
  return world;
}

function failPayment({ simulator }: AuctionWorld, kind: FaultKind): void {
  const path = "/v1/invoices/*/pay";
  simulator.control.addFault({ kind, method: "POST", path });
}

/**
 * A store of before Ada's raise, released after the one that is lost had asked
 * for her payment. Here Bob is ranked first.
 */
async function restored(
  world: AuctionWorld,
  into: TestStore,
  kind: FaultKind,
): Promise<Services> {
  const ada = await world.advertiser("ada");
  await world.bid(ada, 2300);
  await world.bid(await world.advertiser("bob"), 2400);
  const backup = await backupOf(world);
  await raiseBid(world.services, ada, 2500);
  world.clock.set(`${day}T23:55:00.000Z`);
  await closeDay(world.services);
  failPayment(world, kind);
  await settleDay(world.services, { day });
  await restoreInto(into, backup);
  const services = gatedOver(world, into);
  await releaseNoted(services);
  return services;
}

async function endsOf({ store }: Services): Promise<string[]> {
  const bids = await store.listBids(day, { limit: 9 });
  return bids.map(({ accountId, status }) => `${accountId} ${status}`);
}

Deno.test("settleDay() asks for no payment again once the bid is not active", async () => {
  await using world = await unansweredPayment("reset_before_effect");
  await world.services.store.transact(async (tx) => {
    const bid = await tx.bids.find(day, "acc_ada");
    if (bid !== null) tx.bids.save({ ...bid, status: "void" });
  });
  await settleInTime(world);
  const { spotlight, chargedCents, openInvoices } = await outcomeOfDay(world);
  assertEquals([spotlight, chargedCents, openInvoices], ["acc_bob", [2400], 0]);
});

Deno.test("a candidate that may place no new bid is charged all the same, until its card itself is refused", async () => {
  for (
    const changes of [{ cardRefused: true }, { defaultPaymentMethodId: null }]
  ) {
    await using world = await openAuctionWorld();
    await world.bid(await world.advertiser("ada"), 2500);
    await world.bid(await world.advertiser("bob"), 2400);
    await changeAda(world.services, changes);
    world.clock.set(`${day}T23:55:00.000Z`);
    await closeDay(world.services);
    await settleInTime(world);
    const { spotlight, chargedCents } = await outcomeOfDay(world);
    assertEquals([spotlight, chargedCents], ["acc_ada", [2500]]);
  }
});

Deno.test("no winner is published while the invoice of another bid is paid too", async () => {
  await using world = await unansweredPayment("reset_after_effect");
  const { store } = world.services;
  const paidId = await store.transact(async (tx) => {
    const settlement = await tx.settlements.find(day);
    const [ada, bob] = settlement?.candidates ?? [];
    if (settlement === null || ada === undefined || bob === undefined) return;
    const halfWay = {
      ...bob,
      step: "finalizing",
      invoiceId: "in_bob",
    } as const;
    tx.settlements.save({ ...settlement, candidates: [ada, halfWay] });
    return ada.invoiceId;
  });
  const { services } = world.another((real) => ({
    ...real,
    retrieveInvoice: (id) =>
      real.retrieveInvoice(id === "in_bob" ? paidId ?? "" : id),
  }));
  const { state } = await settleDay(services, { day });
  assertEquals(state, "running");
  const { spotlight, bids } = await outcomeOfDay(world);
  assertEquals(spotlight, null);
  assertEquals(bids, { acc_ada: "active", acc_bob: "active" });
  assert(world.log.events.includes("settlement.day_taken"));
});

Deno.test("a finalised invoice is written down, and the lease renewed, before its payment is asked for", async () => {
  await using world = await openAuctionWorld();
  await world.bid(await world.advertiser("ada"), 2500);
  world.clock.set(`${day}T23:55:00.000Z`);
  await closeDay(world.services);
  const { store } = world.services;
  const seen: unknown[] = [];
  const { services } = world.another((real) => ({
    ...real,
    async retrieveInvoice(id) {
      world.clock.advance(20_000);
      return await real.retrieveInvoice(id);
    },
    async payInvoice(...asked) {
      const [invoice] = await store.listInvoices("acc_ada", { limit: 9 });
      const settlement = await store.settlements.find(day);
      const leaseMs = (settlement?.leaseUntilMs ?? 0) - world.clock.now();
      seen.push(invoice?.state, leaseMs);
      return await real.payInvoice(...asked);
    },
  }));
  await settleDay(services, { day });
  assertEquals(seen, ["open", LEASE_MS]);
});

for (const { what, happens, why } of MEANWHILE) {
  Deno.test(`settleDay() asks for no payment again once ${what}`, async () => {
    await using world = await unansweredPayment("reset_before_effect");
    await happens(world.services);
    await settleInTime(world);
    assertEquals(await outcomeOfDay(world), {
      settlement: "settled",
      spotlight: "acc_bob",
      bids: { acc_ada: "void", acc_bob: "won" },
      chargedCents: [2400],
      openInvoices: 0,
      bookedCents: [2400],
    });
  });

  Deno.test(`nothing is shown that was paid before ${what}: the money goes back, and the next one's turn comes`, async () => {
    await using world = await unansweredPayment("reset_after_effect");
    await happens(world.services);
    await assertGivenBack(world, why);
  });

  Deno.test(`nothing is shown whose payment was under way when ${what}`, async () => {
    await using world = await unansweredPayment("processing");
    await happens(world.services);
    const { control } = world.simulator;
    const [payment] = control.objects("payment_intent");
    control.resolvePayment(payment?.id ?? "", "succeed");
    await assertGivenBack(world, why);
  });

  Deno.test(`nothing is shown that was paid where ${what} in the moment before it is`, async () => {
    await using world = await unansweredPayment("reset_after_effect");
    const { services } = world;
    const { getMany } = services.store;
    let isFirst = true;
    const store: Store = {
      ...services.store,
      // As it was a moment ago.
      async getMany(refs) {
        const found = await getMany(refs);
        const isAd = (row: unknown) =>
          row !== null && (row as { adId?: unknown }).adId === "ad_ada";
        const isLastLook = isFirst && found.some(isAd);
        if (!isLastLook) return found;
        isFirst = false;
        await happens(services);
        return found;
      },
    };
    await settleDay({ ...services, store }, { day });
    assertEquals(isFirst, false);
    await assertGivenBack(world, why);
  });

  Deno.test(`an open invoice that is taken over is not paid once ${what}`, async () => {
    await using world = await openAuctionWorld();
    await using into = await openTestStore({ clock: world.clock });
    const services = await restored(world, into, "reset_before_effect");
    await happens(services);
    await closeDay(services);
    await settleInTime(world, services);
    assertEquals(chargedCents(world), [2400]);
    assertEquals(await endsOf(services), ["acc_ada void", "acc_bob won"]);
  });
}

Deno.test("a block that is lifted while the payment is looked up takes nothing back", async () => {
  await using world = await unansweredPayment("reset_after_effect");
  const order = { accountId: "acc_ada", ...BY_OPERATOR };
  await suspendAccount(world.services, order);
  let isFirst = true;
  const { services } = world.another((real) => ({
    ...real,
    async retrievePayment(id) {
      const found = await real.retrievePayment(id);
      if (isFirst) await liftSuspension(world.services, order);
      isFirst = false;
      return found;
    },
  }));
  await settleDay(services, { day });
  assertEquals(isFirst, false);
  await settleInTime(world);
  const { spotlight, chargedCents } = await outcomeOfDay(world);
  assertEquals([spotlight, chargedCents], ["acc_ada", [2500]]);
});

Deno.test("an open invoice that is taken over is given back where its account is blocked while this store has it paid", async () => {
  await using world = await openAuctionWorld();
  await using into = await openTestStore({ clock: world.clock });
  const services = await restored(world, into, "reset_before_effect");
  failPayment(world, "reset_after_effect");
  await closeDay(services);
  await settleDay(services, { day });
  assertEquals(chargedCents(world), [2500]);
  await suspendAccount(services, { accountId: "acc_ada", ...BY_OPERATOR });
  await settleInTime(world, services);
  assertEquals(await endsOf(services), ["acc_ada void", "acc_bob won"]);
});

Deno.test("what another store has sold stays sold to an account that is blocked since", async () => {
  await using world = await openAuctionWorld();
  await using into = await openTestStore({ clock: world.clock });
  const services = await restored(world, into, "reset_after_effect");
  await suspendAccount(services, { accountId: "acc_ada", ...BY_OPERATOR });
  await closeDay(services);
  await settleInTime(world, services);
  assertEquals(chargedCents(world), [2500]);
  // Losing is derived of a settled day.
  assertEquals(await endsOf(services), ["acc_ada won", "acc_bob active"]);
});

Deno.test("what another store has sold stays sold to an account that is blocked since, though nothing is answered about it for an hour", async () => {
  await using world = await openAuctionWorld();
  await using into = await openTestStore({ clock: world.clock });
  const services = await restored(world, into, "reset_after_effect");
  await suspendAccount(services, { accountId: "acc_ada", ...BY_OPERATOR });
  await closeDay(services);
  const path = "/v1/invoices/*";
  const silence = { kind: "reset_before_effect", times: null } as const;
  const { control } = world.simulator;
  control.addFault({ ...silence, method: "GET", path });
  for (let minute = 0; minute < 70; minute++) {
    await settleDay(services, { day });
    world.clock.advance(60_000);
  }
  const settlement = await services.store.settlements.find(day);
  assertEquals(settlement?.candidates[0]?.accountId, "acc_ada");
  control.clearFaults();
  await settleInTime(world, services);
  assertEquals(chargedCents(world), [2500]);
  assertEquals(await endsOf(services), ["acc_ada won", "acc_bob active"]);
});

/** The best bidder may not win what was paid: it goes back, with the reason. */
async function assertGivenBack(
  world: AuctionWorld,
  why: string,
): Promise<void> {
  await settleInTime(world);
  const { spotlight, bids } = await outcomeOfDay(world);
  assertEquals(spotlight, "acc_bob");
  assertEquals(bids, { acc_ada: "void", acc_bob: "won" });
  await refundDueInvoices(world.services);
  const { store } = world.services;
  const [invoice] = await store.listInvoices("acc_ada", { limit: 9 });
  assertEquals(invoice?.money, "refunded");
  const mails = await store.listMails({ limit: 9 });
  const told = mails.find(({ to, kind }) =>
    to === "ada@example.com" && kind === "bid_void"
  );
  const text = told?.text.replaceAll("\n", " ") ?? "";
  assertStringIncludes(text, "all of that goes back to your card.");
  assertStringIncludes(text, `Why: ${why}`);
}
