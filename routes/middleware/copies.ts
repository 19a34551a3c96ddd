import { networksOf } from "../../domain/rate_limit/network.ts";
import type { RouteContext } from "../route_table.ts";
import { copyCharge } from "./account_costs.ts";
import { chargeNetworksToo, clientOf, type RateLimits } from "./rate_limit.ts";

/**
 * Begins to read a copy: it costs a token of the account and of each of its
 * client's networks, and no other copy of the account is read meanwhile. All of
 * it comes before anything is read, and what comes last of it calls `copyRead`:
 * a client may leave what it was sent untaken for as long as it is connected.
 *
 * @throws {Refused} `rate_limited`
 * @throws {TooMuchUnsent} while another is read
 */
export async function beginCopy(
  context: RouteContext,
  limits: RateLimits,
  accountId: string,
): Promise<void> {
  const networks = networksOf(clientOf(context, limits));
  const own = [copyCharge(accountId)];
  await chargeNetworksToo(context, limits, "copy", networks, own);
  context.set("copyRead", context.env.holdCopy(accountId));
}
