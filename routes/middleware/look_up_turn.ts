import type { InTurn } from "../../domain/operations/transact_in_turn.ts";
import type { RouteContext } from "../route_table.ts";
import { type RateLimits, widestNetworkOf } from "./rate_limit.ts";

/**
 * The turn in which the store is asked for what a token or a code names, which may
 * be made up: that of the client's network, so that others wait for a few of a
 * stranger's thousands. An empty bucket refuses nobody here, since a good token may
 * be among them. Where a good token of the grant has been seen in this process there
 * is no turn: strangers are not told its name, and for who is, such as another agent
 * of its account, reads of the one row travel together. Decision 0032 says why.
 *
 * @param named the grant that is named, or what else is looked up
 */
export function lookUpTurn(
  context: RouteContext,
  limits: RateLimits,
  named: string,
): InTurn {
  const { limiter } = limits;
  if (limiter.isKnown("grant", named)) return (work) => work();
  const network = widestNetworkOf(context, limits);
  return (work) => limiter.inTurn("look-up", network, work);
}
