import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import {
  type Auction,
  phaseAt,
  PHASES,
} from "../../../domain/auction/auction.ts";
import { closeAuction } from "../../../domain/settlement/close_auction.ts";
import { openAuction } from "../../../domain/auction/open_auction.ts";
import { settleDay } from "../../../domain/settlement/settle_day.ts";
import { CANDIDATE_STEPS } from "../../../domain/settlement/settlement.ts";
import { BID_STATUSES } from "../../../domain/bids/bid.ts";
import { CHECKOUT_EDGES } from "../../../domain/checkout/session.ts";
import { CREATIVE_STATES } from "../../../domain/creatives/creative.ts";
import { addDays } from "../../../domain/day.ts";
import { DISPUTE_STATES } from "../../../domain/disputes/dispute.ts";
import { InvariantBroken } from "../../../domain/invariant.ts";
import {
  INVOICE_MONEY,
  INVOICE_STATES,
} from "../../../domain/invoices/invoice.ts";
import { COMMISSION_STATES } from "../../support/commission_state.ts";
import { PARTNER_STATES } from "../../../domain/partners/partner.ts";
import { PAYOUT_STATES } from "../../../domain/partners/payout.ts";
import { REFERRAL_STATES } from "../../../domain/partners/referral.ts";
import { LINK_STATES } from "../../../domain/partners/referral_link.ts";
import { Refused } from "../../../domain/refusal.ts";
import {
  advance,
  type TransitionTable,
} from "../../../domain/state_machine.ts";
import { AUCTION_DAY, openAuctionWorld } from "../../support/auction_world.ts";

const day = AUCTION_DAY;

const MACHINES: [string, TransitionTable<string>, string, string[]][] = [
  ["auction phase", PHASES, "IDLE", ["CLOSED"]],
  ["settlement step", CANDIDATE_STEPS, "waiting", ["passed_over", "won"]],
  ["bid status", BID_STATUSES, "active", [
    "lost",
    "payment_failed",
    "void",
    "won",
  ]],
  ["checkout status", CHECKOUT_EDGES, "ready_for_payment", [
    "canceled",
    "completed",
    "expired",
  ]],
  ["creative state", CREATIVE_STATES, "draft", ["archived"]],
  ["invoice state", INVOICE_STATES, "open", ["paid", "void"]],
  ["money of an invoice", INVOICE_MONEY, "none", []],
  // A bank may always think again.
  ["dispute state", DISPUTE_STATES, "unseen", []],
  ["partner state", PARTNER_STATES, "applied", []],
  ["referral link state", LINK_STATES, "active", ["ended"]],
  ["referral state", REFERRAL_STATES, "credited", ["void"]],
  ["commission state", COMMISSION_STATES, "pending", []],
  ["payout state", PAYOUT_STATES, "requested", [
    "canceled",
    "failed",
    "returned",
  ]],
];

for (const [name, table, first, last] of MACHINES) {
  Deno.test(`every ${name} is reachable and ends where it should`, () => {
    const seen = new Set([first]);
    for (const state of seen) {
      for (const next of table[state] ?? []) seen.add(next);
    }
    assertEquals([...seen].sort(), Object.keys(table).sort());
    const ends = Object.keys(table).filter((state) => !table[state]?.length);
    assertEquals(ends.sort(), last);
  });
}

Deno.test("advance() breaks on an arrow the table does not have", () => {
  assertThrows(() => advance(PHASES, "CLOSED", "OPEN"), InvariantBroken);
  assertThrows(() => advance(PHASES, "IDLE", "CLOSED"), InvariantBroken);
});

Deno.test("phaseAt() is CLOSED from closesAt on, however late the cron is", () => {
  const auction: Auction = {
    day,
    phase: "OPEN",
    openedAtMs: 0,
    closesAtMs: 1000,
    closedAtMs: null,
    settledAtMs: null,
  };
  assertEquals(phaseAt(null, 5), "IDLE");
  assertEquals(phaseAt(auction, 999), "OPEN");
  assertEquals(phaseAt(auction, 1000), "CLOSED");
});

Deno.test("openAuction() and closeAuction() return what stands when repeated", async () => {
  await using world = await openAuctionWorld();
  const { services, clock } = world;
  const opened = await openAuction(services, { day });
  clock.advance(1000);
  assertEquals(await openAuction(services, { day }), opened);
  const closed = await closeAuction(services, { day });
  clock.advance(1000);
  assertEquals(await closeAuction(services, { day }), closed);
  assertEquals(await openAuction(services, { day }), closed);
});

Deno.test("openAuction() in two isolates at once opens once", async () => {
  await using world = await openAuctionWorld();
  const opened = await Promise.all(
    [1, 2, 3].map(() => openAuction(world.another().services, { day })),
  );
  assertEquals(new Set(opened.map((one) => JSON.stringify(one))).size, 1);
});

Deno.test("closeAuction() refuses a day nobody opened", async () => {
  await using world = await openAuctionWorld();
  const { refusal } = await assertRejects(
    () => closeAuction(world.services, { day }),
    Refused,
  );
  assertEquals(refusal, { code: "auction_not_closable", day, phase: "IDLE" });
});

Deno.test("a day that has not begun is opened, and neither closed nor settled", async () => {
  await using world = await openAuctionWorld();
  const { services, clock } = world;
  const next = addDays(day, 1);
  await openAuction(services, { day: next });
  const refusals = async () => [
    await refusalOf(closeAuction(services, { day: next })),
    await refusalOf(settleDay(services, { day: next, force: true })),
  ];
  const notBegun = { code: "day_not_begun", day: next, by: "own" } as const;
  clock.set(`${day}T23:59:59.999Z`);
  assertEquals(await refusals(), [
    { ...notBegun, action: "close" },
    { ...notBegun, action: "settle" },
  ]);
  assertEquals((await services.store.auctions.find(next))?.phase, "OPEN");
  assertEquals(await services.store.settlements.find(next), null);
  clock.set(`${next}T00:00:00.000Z`);
  assertEquals((await closeAuction(services, { day: next })).phase, "CLOSED");
  const { state } = await settleDay(services, { day: next, force: true });
  assertEquals(state, "settled");
});

async function refusalOf(work: Promise<unknown>) {
  return (await assertRejects(() => work, Refused)).refusal;
}

Deno.test("openAuction() refuses days before launch and far ahead", async () => {
  await using world = await openAuctionWorld();
  await openAuction(world.services, { day });
  for (
    const [count, why] of [
      [-1, `the service began on ${day}`],
      [32, "it is more than 31 days ahead"],
    ] as const
  ) {
    const other = addDays(day, count);
    const { refusal } = await assertRejects(
      () => openAuction(world.services, { day: other }),
      Refused,
    );
    assertEquals(refusal, {
      code: "auction_not_openable",
      day: other,
      message: `Cannot open the auction of ${other}: ${why}`,
    });
  }
  await openAuction(world.services, { day: addDays(day, 31) });
});
