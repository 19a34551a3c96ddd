import { z } from "zod";
import type { Day } from "../../domain/day.ts";
import type { Json } from "../../domain/idempotency/canonical_json.ts";
import { MAX_BID_CENTS, MIN_BID_CENTS } from "../../domain/limits.ts";
import { refuse } from "../../domain/refusal.ts";
import { ID_MAX, judgedText } from "../http/bounded_text.ts";
import { everyIssue } from "../http/every_issue.ts";
import { day } from "../http/query.ts";

/** Longest `payment_method_id`, characters (contract §7.7). */
export const PAYMENT_METHOD_MAX = 255;

const amount = `must be an integer from ${MIN_BID_CENTS} to ${MAX_BID_CENTS}`;

/** The body of POST /v1/agent/bids: "no other properties". */
export const bidBody = z.strictObject({
  day,
  ad_id: judgedText(
    ID_MAX,
    "must be a string: the ad_id of an approved creative, as " +
      "GET /v1/agent/creatives lists them",
  ).describe(
    "The ad_id of an approved creative of the account, from list_creatives " +
      "(GET /v1/agent/creatives)",
  ),
  amount_cents: z.int(amount).min(MIN_BID_CENTS, amount)
    .max(MAX_BID_CENTS, amount).describe(
      "What is paid if the bid wins, VAT included; at most the mandate's " +
        "max_bid_cents, and for a raise more than the live bid",
    ),
  currency: z.literal("EUR", "must be EUR"),
  payment_method_id: z.string("must be a string")
    .startsWith("pm_", "must begin with pm_")
    .max(
      PAYMENT_METHOD_MAX,
      `must be of ${PAYMENT_METHOD_MAX} characters at most`,
    )
    .optional(),
});

/** A bid as it is asked for, parsed. */
export interface BidBody {
  day: Day;
  adId: string;
  amountCents: number;
  paymentMethodId: string | null;
}

/**
 * Reads the body of a bid.
 *
 * @throws {Refused} `bad_bid_body` for JSON of another shape
 */
export function parseBidBody(body: Json): BidBody {
  const parsed = bidBody.safeParse(body);
  if (!parsed.success) {
    const { issues } = parsed.error;
    const message = `Cannot place the bid: ${everyIssue(issues, sayOf)}`;
    refuse({ code: "bad_bid_body", message });
  }
  const { data } = parsed;
  return {
    day: data.day,
    adId: data.ad_id,
    amountCents: data.amount_cents,
    paymentMethodId: data.payment_method_id ?? null,
  };
}

/** What a bid says, whether it names a card or leaves it out. */
export function hashedBid(bid: BidBody): Json {
  return {
    day: bid.day,
    ad_id: bid.adId,
    amount_cents: bid.amountCents,
    currency: "EUR",
    payment_method_id: bid.paymentMethodId,
  };
}

/** Names the member and what is wanted of it. */
function sayOf(issue: z.core.$ZodIssue): string {
  if (issue.code === "unrecognized_keys") {
    return "the body has members besides day, ad_id, amount_cents, " +
      "currency and payment_method_id";
  }
  const [name] = issue.path;
  if (name === undefined) return "the body must be a JSON object";
  return `${String(name)} ${issue.message}`;
}
