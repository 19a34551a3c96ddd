import { z } from "zod";
import { readAccountSummary } from "../../../domain/accounts/account_summary.ts";
import {
  readAuctionState,
  toAuctionStateRecord,
} from "../../../domain/auction/auction_state.ts";
import { AD_ID_SHAPE, MAX_BID_CENTS } from "../../../domain/limits.ts";
import type { Services } from "../../../domain/ports.ts";
import { READS } from "../../mcp/effects.ts";
import { orProblem } from "../../mcp/or_problem.ts";
import { defineTool } from "../../mcp/tool.ts";
import { dayArgument, integerArgument } from "../../mcp/tool_arguments.ts";
import { wireSummary } from "../agent/wire.ts";
import type { AdvertiserTool } from "./advertiser_caller.ts";
import { accountSummary, auctionState } from "./outputs.ts";

/** What is read with `account:read`. */
export function accountTools(services: Services): AdvertiserTool[] {
  return [getAccount(services), getAuction(services)];
}

function getAccount(services: Services): AdvertiserTool {
  return defineTool({
    name: "get_account",
    title: "Account and readiness to bid",
    description: "Reads the account: whether it may bid and why not, the " +
      "spending mandate, the scopes of this token, and first_bid, which says " +
      "what a bid still needs and what to do next. Name day, ad_id and " +
      "amount_cents for an answer about that very bid.",
    annotations: READS,
    scope: "account:read",
    input: z.strictObject({
      day: dayArgument.optional(),
      ad_id: z.string().regex(
        AD_ID_SHAPE,
        "must be 1 to 64 letters, digits, underscores and hyphens",
      ).optional().describe("A creative of the account"),
      amount_cents: integerArgument(0, MAX_BID_CENTS).optional(),
    }),
    output: orProblem(accountSummary),
    async handle({ day, ad_id, amount_cents }, { caller }) {
      const summary = await readAccountSummary(services, caller.grant, {
        day: day ?? null,
        adId: ad_id ?? null,
        amountCents: amount_cents ?? null,
      });
      return plain(wireSummary(summary));
    },
  });
}

function getAuction(services: Services): AdvertiserTool {
  return defineTool({
    name: "get_auction",
    title: "State of an auction",
    description:
      "Reads the auction of a day: its phase, how many advertisers " +
      "have a live bid, and when it closes. Bids are sealed: no amounts.",
    annotations: READS,
    scope: "account:read",
    input: z.strictObject({ day: dayArgument }),
    output: orProblem(auctionState),
    handle: async ({ day }) =>
      toAuctionStateRecord(await readAuctionState(services, day)),
  });
}

/** As the agent API sends it: members without a value are left out. */
function plain(value: unknown): z.output<typeof accountSummary> {
  return JSON.parse(JSON.stringify(value));
}
