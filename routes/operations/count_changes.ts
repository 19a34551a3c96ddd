import { chargeAccount, type RateLimits } from "../middleware/rate_limit.ts";
import type { AgentOperation } from "./operation.ts";

/**
 * The operations, each change of which costs a token of its account, over HTTP
 * or as a tool: an account has many agents, and each has a bucket of its own.
 */
export function countChanges(
  limits: Pick<RateLimits, "limiter">,
  operations: readonly AgentOperation[],
): AgentOperation[] {
  return operations.map((operation) =>
    operation.kind !== "change" ? operation : {
      ...operation,
      async change(services, asked) {
        await chargeAccount(limits, "change", asked.grant.accountId);
        return await operation.change(services, asked);
      },
    }
  );
}
