import { commitAfter } from "../../domain/operations/commit_after.ts";
import {
  type InTurn,
  transactInTurn,
  type Turns,
  turnUntil,
} from "../../domain/operations/transact_in_turn.ts";
import { invariant } from "../../domain/invariant.ts";
import { withStore } from "../../domain/with_store.ts";
import {
  chargeAccount,
  chargeBid,
  chargeCopy,
  chargeList,
} from "../middleware/account_costs.ts";
import type { BearerGrant } from "../../domain/oauth/grant.ts";
import type { Services, Store } from "../../domain/ports.ts";
import type { TurnKind } from "../../domain/rate_limit/limits.ts";
import type { RateLimits } from "../middleware/rate_limit.ts";
import type { AgentOperation, Change, Download, Reading } from "./operation.ts";

type Limits = Pick<RateLimits, "limiter">;

/** Of a request that does not begin before it is let through. */
export const LET_THROUGH: Promise<void> = Promise.resolve();

/**
 * The operations with what each costs its account, over HTTP or as a tool, beside
 * the token of its grant: an account has many agents, and each has a bucket of
 * its own. What changes something costs a token, and so does a list; both take
 * turns besides, as does what else reads, with a few rows to read. A document that
 * is read as a resource costs what it costs over HTTP.
 */
export function countCosts(
  limits: Limits,
  operations: readonly AgentOperation[],
): AgentOperation[] {
  return operations.map((operation) => {
    switch (operation.kind) {
      case "change":
        return operation.isBid
          ? countedBid(limits, operation)
          : countedChange(limits, operation);
      case "download":
        return countedDownload(limits, operation);
      case "reading":
        return isList(operation)
          ? countedList(limits, operation)
          : readInTurn(limits, operation);
    }
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
      const { grant: { accountId }, attendance: { admitted } } = asked;
      const read = async () => await operation.read(services, asked);
      return countList(limits, accountId, admitted, read);
    },
  };
}

/**
 * Lists for a token of the account, in its turn.
 *
 * @param admitted settled once the request is let through
 * @throws as `chargePublic()` does
 */
export function countList<T>(
  limits: Limits,
  accountId: string,
  admitted: Promise<unknown>,
  list: () => Promise<T>,
): Promise<T> {
  const inTurn = (charged: Promise<void>) =>
    limits.limiter.inTurn("list", accountId, list, charged);
  return chargeList(limits, accountId, admitted, inTurn);
}

function readInTurn(limits: Limits, operation: Reading): Reading {
  return {
    ...operation,
    read(services, asked) {
      const { grant, attendance } = asked;
      const inTurn = readingTurn(limits, grant.accountId, attendance.admitted);
      if (!operation.waits) {
        return inTurn(async () => await operation.read(services, asked));
      }
      const stillMay = () => inTurn(attendance.stillMay);
      return operation.read(eventsInTurn(services, inTurn), {
        ...asked,
        attendance: { ...attendance, stillMay },
      });
    },
  };
}

/**
 * Takes turns of the account with what else its agents read.
 *
 * @param admitted settled once the request is let through
 */
export function readingTurn(
  { limiter }: Limits,
  accountId: string,
  admitted: Promise<unknown>,
): InTurn {
  return (work) => limiter.inTurn("reading", accountId, work, admitted);
}

/**
 * The services of whoever waits for events: each look at the store takes its turn,
 * and waiting does not.
 */
export function eventsInTurn(services: Services, inTurn: InTurn): Services {
  const { store } = services;
  const listEvents: Store["listEvents"] = (...asked) =>
    inTurn(() => store.listEvents(...asked));
  return withStore(services, { listEvents });
}

/**
 * A copy costs more than other documents, and over HTTP its route counts it, with
 * who it is sent to.
 */
function countedDownload(limits: Limits, operation: Download): Download {
  const { isCopy } = operation;
  const counted = <T>({ accountId }: BearerGrant, read: () => Promise<T>) =>
    chargeList(
      limits,
      accountId,
      LET_THROUGH,
      (charged) => readingTurn(limits, accountId, charged)(read),
    );
  return {
    ...operation,
    async document(services, grant, path) {
      const read = () => operation.document(services, grant, path);
      if (!isCopy) return await counted(grant, read);
      await chargeCopy(limits, grant.accountId);
      return await read();
    },
    send(services, grant, context) {
      const send = () => operation.send(services, grant, context);
      return isCopy ? send() : counted(grant, send);
    },
  };
}

/**
 * Reads beside what it is charged, but with an account that is known to be out of
 * bids. Both are in the account's turn, which is over when that has been read: what
 * finds no turn, or is not let through before its turn comes, costs the store
 * nothing.
 */
function countedBid(limits: Limits, operation: Change): Change {
  return {
    ...operation,
    async change(given, asked) {
      const { admitted, grant } = asked;
      const turns = turnsOf(limits, "bid", grant, admitted);
      const read = Promise.withResolvers<void>();
      await turnUntil(read.promise, turns.first);
      const first: InTurn = (work) => work().finally(read.resolve);
      try {
        const { charged, isEmpty } = chargeBid(limits, grant);
        const allowed = Promise.all([admitted, charged]);
        if (isEmpty) await allowed;
        const services = commitAfter(given, allowed);
        const bidding = transactInTurn(services, { ...turns, first });
        const changed = operation.change(bidding, asked);
        // Whatever becomes of it, an empty bucket is told first.
        await Promise.allSettled([allowed, changed]);
        await allowed;
        return await changed;
      } finally {
        read.resolve();
      }
    },
  };
}

function countedChange(limits: Limits, operation: Change): Change {
  return {
    ...operation,
    async change(services, asked) {
      const { admitted, grant, network } = asked;
      invariant(network !== null, "who shows a token asks from a network");
      const { store } = services;
      const account = () => store.accounts.find(grant.accountId);
      const payer = { grant, account, store, network };
      await admitted;
      await chargeAccount(limits, "change", payer);
      const turns = turnsOf(limits, "change", grant);
      return await operation.change(transactInTurn(services, turns), asked);
    },
  };
}

/**
 * The turns of an agent, which it takes with others of its account.
 *
 * @param admitted settled once the request is let through, if it has begun before
 */
export function turnsOf(
  { limiter }: Limits,
  kind: "bid" | "change",
  { accountId }: BearerGrant,
  admitted: Promise<unknown> = LET_THROUGH,
): Turns {
  const turnOf = (turn: TurnKind): InTurn => (work) =>
    limiter.inTurn(turn, accountId, work, admitted);
  return { first: turnOf(kind), again: turnOf(`${kind} retry`) };
}
