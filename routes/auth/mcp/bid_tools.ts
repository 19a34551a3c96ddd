import { z } from "zod";
import { findBid } from "../../../domain/bids/find_bid.ts";
import { listMyBids } from "../../../domain/bids/list_my_bids.ts";
import { placeBid } from "../../../domain/bidding/place_bid.ts";
import { parseIdempotencyKey } from "../../../domain/idempotency/key.ts";
import type { Services } from "../../../domain/ports.ts";
import { ID_MAX, judgedText } from "../../http/bounded_text.ts";
import { DESTROYS, READS } from "../../mcp/effects.ts";
import { orProblem } from "../../mcp/or_problem.ts";
import { defineTool } from "../../mcp/tool.ts";
import { dayArgument, keyArgument } from "../../mcp/tool_arguments.ts";
import { bidBody } from "../agent/bid_body.ts";
import { wireBid } from "../agent/wire.ts";
import type { AdvertiserTool } from "./advertiser_caller.ts";
import { objectOf } from "./bound_call.ts";
import { auctionState, bid, bids } from "./outputs.ts";

/** What is done with `bids:read` and `bids:write`. */
export function bidTools(services: Services): AdvertiserTool[] {
  return [listBids(services), getBid(services), place(services)];
}

function listBids(services: Services): AdvertiserTool {
  return defineTool({
    name: "list_my_bids",
    title: "Own bids of a day",
    description: "Lists the account's own bids of a day: none or one, " +
      "wherever it was placed. Read it after an uncertain place_bid, before " +
      "the same call is repeated with the same idempotency_key.",
    annotations: READS,
    scope: "bids:read",
    input: z.strictObject({ day: dayArgument }),
    output: orProblem(bids),
    async handle({ day }, { caller: { grant: { accountId } } }) {
      const own = await listMyBids(services, { accountId, day });
      return { bids: own.map(wireBid) };
    },
  });
}

function getBid(services: Services): AdvertiserTool {
  return defineTool({
    name: "get_bid",
    title: "One own bid",
    description: "Reads one of the account's own bids: its amount, when it " +
      "was placed, and what became of it.",
    annotations: READS,
    scope: "bids:read",
    input: z.strictObject({ id: judgedText(ID_MAX).describe("The bid's id") }),
    output: orProblem(bid),
    async handle({ id: bidId }, { caller: { grant: { accountId } } }) {
      return wireBid(await findBid(services, { accountId, bidId }));
    },
  });
}

/** The members of a bid as POST /bids takes them, and the key. */
const bidArguments = bidBody.extend({
  day: dayArgument,
  ad_id: bidBody.shape.ad_id.describe("An approved creative of the account"),
  amount_cents: bidBody.shape.amount_cents.describe(
    "What is paid if the bid wins, VAT included; at most the mandate's " +
      "max_bid_cents, and for a raise more than the live bid",
  ),
  payment_method_id: z.string().regex(/^pm_/, "must begin with pm_").max(255)
    .optional().describe(
      "A saved card for a new bid; leave it out for the default card, and " +
        "always for a raise",
    ),
  idempotency_key: keyArgument,
});

/** An ApiError (contract §12.1). */
const badBody = z.strictObject({
  error: z.strictObject({
    code: z.string(),
    message: z.string(),
    retryable: z.boolean(),
  }),
}).describe("A refusal of the bid's shape; isError is true");

function place(services: Services): AdvertiserTool {
  return defineTool({
    name: "place_bid",
    title: "Place or raise a bid",
    description: "Spends money: places a sealed bid in the auction of a day, " +
      "or raises the account's own. The highest bid wins and pays what it " +
      "bid. A bid can't be taken back or lowered. Ask get_account with day, " +
      "ad_id and amount_cents first. After an uncertain outcome read " +
      "list_my_bids, then repeat the same arguments with the same " +
      "idempotency_key. Being accepted is not winning.",
    annotations: DESTROYS,
    scope: "bids:write",
    input: bidArguments,
    output: orProblem(z.union([auctionState, badBody])),
    async handle(wanted, { caller: { grant } }) {
      const placed = await placeBid(services, {
        by: { grant },
        idempotencyKey: parseIdempotencyKey(wanted.idempotency_key),
        day: wanted.day,
        adId: wanted.ad_id,
        amountCents: wanted.amount_cents,
        paymentMethodId: wanted.payment_method_id ?? null,
      });
      return objectOf(placed);
    },
  });
}
