import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import {
  ProcessorBusy,
  ProcessorUncertain,
  StoreOnHold,
} from "../../../domain/failure.ts";
import type { Services } from "../../../domain/ports.ts";
import { newSaga, withCandidate } from "../../../domain/settlement/saga.ts";
import {
  type Candidate,
  type CandidateStep,
  newCandidate,
  type Settlement,
} from "../../../domain/settlement/settlement.ts";
import { bid, settlement } from "../../kv/records.ts";
import { AUCTION_DAY } from "../../support/auction_world.ts";

/** The settlement of one candidate that was moved from a step to another. */
function moved(
  from: CandidateStep,
  to: CandidateStep,
  changes: Partial<Candidate> = {},
): Settlement {
  const candidate = {
    ...newCandidate(bid(AUCTION_DAY, "acc_ada"), 1),
    step: from,
    ...changes,
  };
  const before: Settlement = {
    ...settlement(AUCTION_DAY),
    candidates: [candidate],
    attempts: 3,
  };
  const turn = { settlement: before, position: 0, candidate };
  return withCandidate(before, turn, { step: to }, 9);
}

Deno.test("withCandidate() moves a candidate along its arrows, and along no others", () => {
  assertEquals(moved("paying", "won").candidates[0]?.step, "won");
  for (
    const [from, to] of [
      ["waiting", "paying"],
      ["voiding", "paying"],
      ["won", "passed_over"],
      ["passed_over", "won"],
    ] as const
  ) assertThrows(() => moved(from, to), Error, `from ${from} to ${to}`);
});

Deno.test("withCandidate() begins the count of attempts and the time of the step anew", () => {
  const { attempts, candidates } = moved("creating", "itemizing");
  assertEquals([attempts, candidates[0]?.stepSinceMs], [0, 9]);
});

Deno.test("withCandidate() keeps every step that a candidate came to, and renews the lease for 45 seconds", () => {
  const moves = [{ step: "creating", atMs: 4 } as const];
  const { candidates, leaseUntilMs } = moved("creating", "itemizing", {
    moves,
  });
  assertEquals(candidates[0]?.moves, [...moves, {
    step: "itemizing",
    atMs: 9,
  }]);
  assertEquals(leaseUntilMs, 9 + 45_000);
});

Deno.test("newSaga() knows of calls that were turned away, or not made while the store is on hold, and of no others", async () => {
  const isTurnedAwayBy = async (error: Error) => {
    const processor = { getBalance: () => Promise.reject(error) };
    const ids = { next: () => "lease_1" };
    const given = { processor, ids } as unknown as Services;
    const saga = newSaga(given, AUCTION_DAY);
    assertEquals(saga.isTurnedAway(), false);
    const asked = saga.services.processor as unknown as typeof processor;
    await assertRejects(() => asked.getBalance());
    return saga.isTurnedAway();
  };
  assertEquals(await isTurnedAwayBy(new ProcessorBusy("429")), true);
  assertEquals(await isTurnedAwayBy(new StoreOnHold()), true);
  assertEquals(await isTurnedAwayBy(new ProcessorUncertain("Lost")), false);
});
