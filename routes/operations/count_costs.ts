import { commitAfter } from "../../domain/operations/commit_after.ts";
import { retryInTurn } from "../../domain/operations/retry_in_turn.ts";
import {
  chargeAccount,
  chargeList,
  type RateLimits,
} from "../middleware/rate_limit.ts";
import type { AgentOperation, Change, Reading } from "./operation.ts";

type Limits = Pick<RateLimits, "limiter">;

/**
 * The operations with what each costs its account, over HTTP or as a tool, beside
 * the token of its grant: an account has many agents, and each has a bucket of
 * its own. What changes something costs a token, and so does a list; both take
 * turns besides. What else reads has a few rows to read.
 */
export function countCosts(
  limits: Limits,
  operations: readonly AgentOperation[],
): AgentOperation[] {
  return operations.map((operation) => {
    if (operation.kind === "change") return countedChange(limits, operation);
    return isList(operation) ? countedList(limits, operation) : operation;
  });
}

/** Whether an operation answers a part of a list. */
export function isList(operation: AgentOperation): operation is Reading {
  return operation.kind === "reading" && operation.positions !== null;
}

function countedList(limits: Limits, operation: Reading): Reading {
  return {
    ...operation,
    read(services, asked) {
      const { accountId } = asked.grant;
      const read = async () => await operation.read(services, asked);
      const inTurn = () => limits.limiter.inTurn(accountId, read);
      return chargeList(limits, accountId, inTurn);
    },
  };
}

function countedChange(limits: Limits, operation: Change): Change {
  const kind = operation.scope === "bids:write" ? "bid" : "change";
  return {
    ...operation,
    async change(given, asked) {
      const { admitted, grant } = asked;
      const services = retryInTurn(
        given,
        (work) => limits.limiter.retryInTurn(grant.accountId, work),
      );
      const charged = chargeAccount(limits, kind, grant);
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
