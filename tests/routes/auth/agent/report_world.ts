/**
 * Days that agents' accounts won, with clicks and payments.
 *
 * @module
 */
import { assertEquals } from "@std/assert";
import type { Candidate } from "../../../../domain/settlement/settlement.ts";
import type { ClickDimension } from "../../../../domain/clicks/click.ts";
import type { Day } from "../../../../domain/day.ts";
import type { Scope } from "../../../../domain/oauth/grant.ts";
import type { Store } from "../../../../domain/ports.ts";
import type { Spotlight } from "../../../../domain/spotlights/spotlight.ts";
import type { AgentApi } from "../../../support/agent_api.ts";
import type { Agent } from "../../../support/bidding_world.ts";
import { invoiceOf } from "../../../support/invoices.ts";
import { dayText, spotlight } from "../../../support/public_spotlights.ts";

/** Where reports are. */
export const LIST = "/v1/agent/reports";
/** What an agent of these tests may do. */
export const READ: { scopes: readonly Scope[] } = { scopes: ["reports:read"] };
/** A day that is final when tests begin. */
export const DAY = dayText("2026-11-16");

/** A day that an agent's account won. */
export function wonBy(
  { account }: Pick<Agent, "account">,
  day: Day | string,
  changes: Partial<Spotlight> = {},
): Spotlight {
  return spotlight(day, { accountId: account.id, ...changes });
}

/** Counts clicks of a day. */
export async function count(
  store: Store,
  day: Day,
  counts: readonly [ClickDimension, string, number][],
): Promise<void> {
  await store.transact((tx) => {
    for (const [dimension, value, number] of counts) {
      tx.clickCounts.add(number, day, dimension, value);
    }
  });
}

/** Clicks of 100 people in hours and countries, and what else there was. */
export const CLICKS: readonly [ClickDimension, string, number][] = [
  ["outcome", "human", 100],
  ["outcome", "bot", 30],
  ["outcome", "prefetch", 7],
  ["hour", "2026-11-16T23", 90],
  ["hour", "2026-11-17T00", 7],
  ["hour", "2026-11-17T09", 3],
  ["country", "DE", 60],
  ["country", "LV", 20],
  ["country", "EE", 9],
  ["country", "FR", 4],
];

/** The bid of a day, its settlement and its invoice, as far as reports go. */
export async function pay(
  { world: { services } }: { world: Pick<AgentApi["world"], "services"> },
  { account, adId, cardId }: Pick<Agent, "account" | "adId" | "cardId">,
  day: Day,
  invoice: Parameters<typeof invoiceOf>[2] = {},
): Promise<void> {
  const bidId = `bid_${day}`;
  const paid = invoiceOf(account.id, `SPOT-${day}`, { day, bidId, ...invoice });
  const bid = {
    id: bidId,
    day,
    accountId: account.id,
    adId,
    amountCents: paid.totalCents,
    paymentMethodId: cardId,
  };
  await services.store.transact((tx) => {
    tx.bids.save({ ...bid, status: "won", placedAtMs: 0, grantId: null });
    tx.invoices.save(paid);
    const { id: _, day: __, ...candidate } = bid;
    tx.settlements.save({
      day,
      state: "settled",
      candidates: [{
        ...candidate,
        bidId,
        step: "won",
        invoiceId: paid.id,
      } as unknown as Candidate],
      createdAtMs: 0,
      dueAtMs: 0,
    } as never);
  });
}

/** The JSON of an answer that has to be 200. */
export async function read(
  api: AgentApi,
  as: Agent,
  path: string,
  // deno-lint-ignore no-explicit-any -- tests compare what they expect of it
): Promise<any> {
  const answer = await api.ask(path, { as });
  assertEquals(answer.status, 200);
  return await answer.json();
}
