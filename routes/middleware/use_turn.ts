import type { InTurn } from "../../domain/operations/transact_in_turn.ts";
import type { RateLimits } from "./rate_limit.ts";

/** What is noted to be in use by those who read. */
export type Used = "grant" | "key" | "session";

/** The turn in which it is noted that a row is in use. */
export function useTurn(
  { limiter }: Pick<RateLimits, "limiter">,
  used: Used,
  id: string,
): InTurn {
  return (work) => limiter.inTurn("use", `${used} ${id}`, work);
}
