import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import type { Account } from "../../../domain/accounts/account.ts";
import {
  type Auction,
  closesAtMs,
  opensAtMs,
} from "../../../domain/auction/auction.ts";
import { addDays, DAY_MS, dayOf } from "../../../domain/day.ts";
import { firstBid } from "../../../domain/readiness/first_bid.ts";
import type { BidSnapshot } from "../../../domain/readiness/snapshot.ts";
import {
  BID_DAY,
  BID_DAY_CLOSES_MS,
  BID_SETTINGS,
  readyAccount,
} from "../../support/bidding_world.ts";
import { TEST_START_MS } from "../../support/clock.ts";
import { AUCTION, GRANT, snapshotOf } from "./snapshots.ts";

const HOURS = BID_SETTINGS.auctionHours;
const ready = readyAccount("ada");

/** An account, its VAT id confirmed or to be asked about again. */
const account: fc.Arbitrary<Account> = fc.constantFrom(ready, {
  ...ready,
  vatStatus: "unverified" as const,
  vatCheck: {
    vatId: ready.company?.vatId ?? "",
    outcome: null,
    atMs: null,
    consultation: null,
    failures: 2,
    dueAtMs: TEST_START_MS + 600_000,
  },
});

/** The auction of a day, if it was opened in time, ahead, or closed early. */
const auction = fc.constantFrom<Auction | null>(null, AUCTION, {
  ...AUCTION,
  phase: "CLOSED",
  closedAtMs: 1,
});

const state: fc.Arbitrary<BidSnapshot> = fc.record({
  account,
  auction,
  ahead: fc.constantFrom(-1, 0, 1, 3, null),
  nowMs: fc.constantFrom(
    TEST_START_MS,
    BID_DAY_CLOSES_MS - 1,
    BID_DAY_CLOSES_MS,
    BID_DAY_CLOSES_MS + 60_000,
  ),
  usedCents: fc.constantFrom(0, 7_500, 7_950, 8_000),
  amountCents: fc.constantFrom(100, 1_000, 6_000, null),
  validForMs: fc.constantFrom(60_000, DAY_MS, 30 * DAY_MS),
}).map(({ ahead, amountCents, validForMs, auction, ...parts }) => {
  const day = ahead === null ? null : addDays(BID_DAY, ahead);
  const validUntilMs = parts.nowMs + validForMs;
  return snapshotOf({
    ...parts,
    wanted: { ...snapshotOf().wanted, day, amountCents },
    auction: day === null || auction === null ? null : {
      ...auction,
      day,
      closesAtMs: closesAtMs(day, HOURS),
    },
    grant: {
      ...GRANT,
      mandate: GRANT.mandate && { ...GRANT.mandate, validUntilMs },
    },
  });
});

/** How things stand when a wait is over: what is due has been done. */
function afterwards(before: BidSnapshot, nowMs: number): BidSnapshot {
  const { wanted: { day } } = before;
  const opens = day !== null && opensAtMs(day, HOURS) <= nowMs &&
    nowMs < closesAtMs(day, HOURS);
  return {
    ...before,
    nowMs,
    usedCents: dayOf(nowMs) > dayOf(before.nowMs) ? 0 : before.usedCents,
    auction: before.auction === null && opens
      ? { ...AUCTION, day, closesAtMs: closesAtMs(day, HOURS) }
      : before.auction,
    account: { ...before.account, vatStatus: "valid" },
  };
}

Deno.test("what next_action waits for is no longer in the way once the wait is over", () => {
  let waits = 0;
  fc.assert(
    fc.property(state, (before) => {
      const { next_action: next, requirements } = firstBid(before);
      if (next.actor !== "wait") return;
      const { until } = next;
      // What is due, or somebody's to decide, may be done at any moment.
      const nowMs = until === undefined ? before.nowMs : Date.parse(until);
      assert(until === undefined || nowMs > before.nowMs);
      const waited = requirements.filter(({ action }) =>
        action !== undefined && action.label === next.label
      );
      const after = firstBid(afterwards(before, nowMs));
      for (const { id } of waited) {
        const found = after.requirements.find((each) => each.id === id);
        assertEquals([id, found?.status], [id, "satisfied"]);
      }
      assert(waited.length > 0);
      waits += 1;
    }),
    { numRuns: 3_000 },
  );
  // Otherwise the property would hold of nothing.
  assert(waits > 100, `${waits} waits`);
});

Deno.test("nobody waits for anything where the wanted day is over", () => {
  fc.assert(
    fc.property(state, (before) => {
      const { day } = before.wanted;
      if (day === null || before.nowMs < closesAtMs(day, HOURS)) return;
      const { next_action: next } = firstBid(before);
      assertEquals(next.actor, "agent");
    }),
    { numRuns: 1_000 },
  );
});
