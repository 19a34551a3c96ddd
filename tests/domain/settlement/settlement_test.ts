import { assertEquals } from "@std/assert";
import { hasWinner } from "../../../domain/settlement/settlement.ts";
import type {
  Candidate,
  CandidateStep,
} from "../../../domain/settlement/settlement.ts";

Deno.test("hasWinner() holds where one of the candidates has won, whoever comes before and after", () => {
  const of = (...steps: CandidateStep[]) =>
    hasWinner({ candidates: steps.map((step) => ({ step }) as Candidate) });
  assertEquals(of("passed_over", "won", "waiting"), true);
  assertEquals(of("passed_over", "paying"), false);
  assertEquals(of(), false);
  assertEquals(hasWinner(null), false);
});
