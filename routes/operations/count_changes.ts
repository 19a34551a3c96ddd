import { commitAfter } from "../../domain/operations/commit_after.ts";
import { chargeAccount, type RateLimits } from "../middleware/rate_limit.ts";
import type { AgentOperation, Change } from "./operation.ts";

/**
 * The operations, each change of which costs a token of its account, over HTTP
 * or as a tool: an account has many agents, and each has a bucket of its own.
 */
export function countChanges(
  limits: Pick<RateLimits, "limiter">,
  operations: readonly AgentOperation[],
): AgentOperation[] {
  return operations.map((operation) =>
    operation.kind === "change" ? counted(limits, operation) : operation
  );
}

function counted(
  limits: Pick<RateLimits, "limiter">,
  operation: Change,
): Change {
  return {
    ...operation,
    async change(services, asked) {
      const { admitted, grant: { accountId } } = asked;
      const charged = chargeAccount(limits, "change", accountId);
      const allowed = Promise.all([admitted, charged]);
      if (!operation.isOneCommit) {
        await allowed;
        return await operation.change(services, asked);
      }
      // Whatever becomes of it, an empty bucket is told first.
      const changed = operation.change(commitAfter(services, allowed), asked);
      await Promise.allSettled([allowed, changed]);
      await allowed;
      return await changed;
    },
  };
}
