import { assertEquals, assertRejects } from "@std/assert";
import { InvariantBroken } from "../../../domain/invariant.ts";
import type { ProcessorInvoice } from "../../../domain/payments/processor.ts";
import type { Services } from "../../../domain/ports.ts";
import {
  publishHouseAd,
  publishWinner,
} from "../../../domain/settlement/publish.ts";
import type { Saga } from "../../../domain/settlement/saga.ts";
import { newCandidate } from "../../../domain/settlement/settlement.ts";
import { dayText } from "../../support/public_spotlights.ts";

const DAY = dayText("2026-11-20");
const OWNER = "lease_1";

/** A worker over a store of which only this is asked. */
function sagaOver(store: Record<string, unknown>): Saga {
  const clock = { now: () => 0 };
  const ids = { next: (prefix: string) => `${prefix}_1` };
  const services = { clock, ids, store } as unknown as Services;
  return { services, day: DAY, owner: OWNER, isTurnedAway: () => false };
}

Deno.test("publishHouseAd() reads a rotation of 200", async () => {
  const limits: number[] = [];
  const saga = sagaOver({
    listHouseAds({ limit }: { limit: number }) {
      limits.push(limit);
      return Promise.reject(new TypeError("It is not read further"));
    },
  });
  await assertRejects(() => publishHouseAd(saga), TypeError);
  assertEquals(limits, [200]);
});

Deno.test("publishWinner() lets no bid win that is void by then", async () => {
  const bid = {
    id: "bid_ada",
    day: DAY,
    accountId: "acc_ada",
    adId: "ad_ada",
    amountCents: 900,
    status: "active" as const,
    placedAtMs: 0,
    paymentMethodId: "pm_ada",
    grantId: null,
  };
  const candidate = { ...newCandidate(bid, 0), step: "paying" as const };
  const copy = { headline: "", description: "", advertiser: "", targetUrl: "" };
  const settlement = { leaseOwner: OWNER, candidates: [candidate] };
  const written: unknown[] = [];
  const tx = {
    settlements: { find: () => settlement },
    bids: { ref: () => null, save: (row: unknown) => written.push(row) },
    accounts: { ref: () => null },
    creatives: { ref: () => null },
    peek: () => null,
    getMany: () => [{ ...bid, status: "void" }, null],
  };
  const saga = sagaOver({
    transact: (run: (tx: unknown) => unknown) => run(tx),
  });
  const turn = { candidate: { ...candidate, copy }, position: 0, settlement };
  const paid = { paymentIds: ["pi_1"] } as ProcessorInvoice;
  await assertRejects(
    () => publishWinner(saga, turn as never, paid),
    InvariantBroken,
    "no transition from void to won",
  );
  assertEquals(written, []);
});
