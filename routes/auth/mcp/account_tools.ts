import { z } from "zod";
import { readAccountSummary } from "../../../domain/readiness/account_summary.ts";
import { updateAccount } from "../../../domain/accounts/update_account.ts";
import {
  readAuctionState,
  toAuctionStateRecord,
} from "../../../domain/auction/auction_state.ts";
import { MAX_BID_CENTS } from "../../../domain/limits.ts";
import type { Services } from "../../../domain/ports.ts";
import { CHANGES, READS } from "../../mcp/effects.ts";
import { orProblem } from "../../mcp/or_problem.ts";
import { defineTool } from "../../mcp/tool.ts";
import {
  dayArgument,
  integerArgument,
  keyArgument,
} from "../../mcp/tool_arguments.ts";
import { parseAccountBody, updateAccountBody } from "../agent/account_body.ts";
import { adIdText } from "../agent/creative_body.ts";
import { wireSummary } from "../agent/wire.ts";
import type { AdvertiserTool } from "./advertiser_caller.ts";
import { boundCall, objectOf } from "./bound_call.ts";
import { accountSettings, accountSummary, auctionState } from "./outputs.ts";

/** What is done with `account:read` and `account:write`. */
export function accountTools(services: Services): AdvertiserTool[] {
  return [getAccount(services), getAuction(services), updateTool(services)];
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
      ad_id: adIdText.optional().describe("A creative of the account"),
      amount_cents: integerArgument(0, MAX_BID_CENTS).optional(),
    }),
    output: orProblem(accountSummary),
    async handle({ day, ad_id, amount_cents }, { caller }) {
      const summary = await readAccountSummary(services, caller.grant, {
        day: day ?? null,
        adId: ad_id ?? null,
        amountCents: amount_cents ?? null,
      });
      return plain(wireSummary(summary, services.settings));
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

function updateTool(services: Services): AdvertiserTool {
  return defineTool({
    name: "update_account",
    title: "Change company and contact details",
    description: "Changes the company's name and address, which stand on " +
      "coming Spotlights and invoices, and which mails the user gets. Only " +
      "what is named changes. The VAT id, the country and the e-mail address " +
      "are changed by the user in the browser. Mails about signing in and " +
      "money are always sent.",
    annotations: CHANGES,
    scope: "account:write",
    input: z.strictObject({
      ...updateAccountBody.shape,
      idempotency_key: keyArgument.optional(),
    }),
    output: orProblem(accountSettings),
    async handle({ idempotency_key: key, ...given }, { caller }) {
      const said = plain(given);
      const changes = parseAccountBody(said);
      const operation = "PATCH /v1/agent/me";
      const asked = boundCall(caller, { operation, key, said });
      const { accountId, binding } = asked;
      const changed = { accountId, changes, binding };
      return objectOf(await updateAccount(services, changed));
    },
  });
}

/** As the agent API sends it: members without a value are left out. */
// deno-lint-ignore no-explicit-any -- a schema looks at it afterwards
function plain(value: unknown): any {
  return JSON.parse(JSON.stringify(value));
}
