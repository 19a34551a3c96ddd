import { assertEquals, assertThrows } from "@std/assert";
import { withCandidate } from "../../../domain/settlement/saga.ts";
import {
  type CandidateStep,
  newCandidate,
  type Settlement,
} from "../../../domain/settlement/settlement.ts";
import { bid, settlement } from "../../kv/records.ts";
import { AUCTION_DAY } from "../../support/auction_world.ts";

/** The settlement of one candidate that was moved from a step to another. */
function moved(from: CandidateStep, to: CandidateStep): Settlement {
  const candidate = {
    ...newCandidate(bid(AUCTION_DAY, "acc_ada"), 1),
    step: from,
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
