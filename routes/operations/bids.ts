import { z } from "zod";
import { placeBid } from "../../domain/bidding/place_bid.ts";
import { findBid } from "../../domain/bids/find_bid.ts";
import { listMyBids, type OwnBid } from "../../domain/bids/list_my_bids.ts";
import { isoTime } from "../../domain/day.ts";
import { ID_MAX, judgedText } from "../http/bounded_text.ts";
import { DESTROYS } from "../mcp/effects.ts";
import { dayArgument } from "../mcp/tool_arguments.ts";
import {
  type BidBody,
  bidBody,
  hashedBid,
  parseBidBody,
} from "../shapes/bid_body.ts";
import { type AgentOperation, change, reading } from "./operation.ts";
import { dayParameter } from "./parameters.ts";
import { ERROR_SCHEMAS } from "../shapes/error_schemas.ts";
import { auctionState, type bid } from "../shapes/records.ts";

/** What is done with `bids:read` and `bids:write`. */
export const BID_OPERATIONS: readonly AgentOperation[] = [
  reading({
    at: "GET /bids",
    scope: "bids:read",
    id: "listBids",
    summary: "List your bids of a day",
    docs: "`{bids}`: your own bids on a `day`.",
    tool: "list_my_bids",
    title: "Own bids of a day",
    description: "Lists the account's own bids of a day: none or one, " +
      "wherever it was placed; name the day, such as today's. What place_bid " +
      "did is read here, also after an uncertain one, before the same call is " +
      "repeated with the same idempotency_key. Events name the days of " +
      "earlier bids.",
    schema: "BidList",
    action: "Cannot list the bids of a day",
    query: { day: dayParameter("The day of the auction, such as today's") },
    async read(services, { grant: { accountId }, query: { day } }) {
      const own = await listMyBids(services, { accountId, day });
      return { bids: own.map(bidRecord) };
    },
  }),
  reading({
    at: "GET /bids/{id}",
    scope: "bids:read",
    id: "readBid",
    summary: "Read a bid of yours",
    docs: "One of your own bids.",
    tool: "get_bid",
    title: "One own bid",
    description: "Reads one of the account's own bids: its amount, when it " +
      "was placed, and what became of it.",
    argument: [
      "id",
      judgedText(ID_MAX).describe(
        "The bid's id, from list_my_bids or an event",
      ),
    ],
    schema: "Bid",
    read: async (services, { grant: { accountId }, id: bidId }) =>
      bidRecord(await findBid(services, { accountId, bidId })),
  }),
  change<BidBody>({
    at: "POST /bids",
    scope: "bids:write",
    id: "placeBid",
    summary: "Place or raise a bid",
    docs: "Places or raises your bid on a day; the state of the auction. " +
      "`Link` says where your bid is read.",
    tool: "place_bid",
    title: "Place or raise a bid",
    description: "Spends money: places a sealed bid in the auction of a day, " +
      "or raises the account's own. The highest bid wins and pays what it " +
      "bid. A bid can't be taken back or lowered. Ask get_account with day, " +
      "ad_id and amount_cents first. Answers the state of the auction: " +
      "list_my_bids of that day shows the bid itself. After an uncertain " +
      "outcome read that, then repeat the same arguments with the same " +
      "idempotency_key. Being accepted is not winning.",
    effects: DESTROYS,
    output: z.union([
      auctionState,
      ERROR_SCHEMAS.ApiError.describe(
        "A refusal of the bid's shape; isError is true",
      ),
    ]),
    schema: "AuctionState",
    answers: {
      400: {
        description: "The request is invalid, or its body is of another shape",
        content: {
          "application/problem+json": "AgentProblem",
          "application/json": ["ApiError", "OAuthBearerError"],
        },
      },
    },
    key: "required",
    isBid: true,
    body: {
      schema: "PlaceBid",
      arguments: {
        ...bidBody.shape,
        day: dayArgument,
        payment_method_id: z.string().regex(/^pm_/, "must begin with pm_")
          .max(255).optional().describe(
            "A saved card, from list_payment_methods, for a new bid; leave it " +
              "out for the default card, and always for a raise",
          ),
      },
      parse: parseBidBody,
      bound: hashedBid,
    },
    readBack: ({ day }) => `day=${day}`,
    change: (services, { grant, body, binding }) =>
      placeBid(services, { by: { grant }, binding, ...body }),
  }),
];

/** A bid as its own advertiser's agents read it. */
export function bidRecord({ bid: own, status }: OwnBid): z.infer<typeof bid> {
  return {
    id: own.id,
    day: own.day,
    ad_id: own.adId,
    amount_cents: own.amountCents,
    currency: "EUR",
    status,
    placed_at: isoTime(own.placedAtMs),
  };
}
