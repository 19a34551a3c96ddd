import type { Child } from "@hono/hono/jsx";
import type { BidStatus } from "../../../domain/bids/bid.ts";
import { MAX_BID_CENTS, MIN_BID_CENTS } from "../../../domain/limits.ts";
import { PAGES } from "../../../domain/pages.ts";
import type { Refusal, RefusalOf } from "../../../domain/refusal.ts";
import { invoicePath } from "../invoices/invoices_view.ts";
import { DayTime } from "../ui/day_time.tsx";
import { WayOut } from "../ui/way_out.tsx";
import { EUROS_WANTED } from "../pages/parse_euros.ts";
import { showEuros } from "../../../domain/text/euros.ts";
import type { TypedBid } from "./bid_form.ts";
import type { BidView } from "./bids_view.ts";

/** What was done before the page was shown. */
export const NOTES = {
  placed: "Your bid stands. Whether it won is told here soon after the " +
    "auction closes.",
} as const;

/** What is wrong with a bid: a sentence, and the field that it speaks of. */
export interface BidProblem {
  field: keyof TypedBid | null;
  says: Child;
  /** 400 for what can't be read, 409 for what stands in its way now. */
  status: 400 | 409;
}

/** What no amount in euros is told. */
export const NO_AMOUNT: BidProblem = {
  field: "amount",
  says: `Type ${EUROS_WANTED}.`,
  status: 400,
};

/** What a form is told that names no day, or no advertisement. */
export const INCOMPLETE: BidProblem = {
  field: "ad",
  says: "Choose the advertisement that is shown if you win.",
  status: 400,
};

/** What is told of a form that was used for another bid before. */
const USED_UP: BidProblem = {
  field: null,
  says: "This form was used before. Your bid is shown below as it stands now.",
  status: 409,
};

/** The default card was changed between the review and the bid. */
const CARD_CHANGED: BidProblem = {
  field: null,
  says: "Nothing was placed: your default card has changed since you looked " +
    "at the bid. Review it again to see which card is charged.",
  status: 409,
};

/** Why a bid was not placed; null for what no bid of a person meets. */
export function problemOf(refusal: Refusal): BidProblem | null {
  switch (refusal.code) {
    case "bad_bid_body":
      return {
        field: "amount",
        says: `A bid is from ${showEuros(MIN_BID_CENTS)} to ` +
          `${showEuros(MAX_BID_CENTS)}.`,
        status: 400,
      };
    case "bid_not_higher":
      return {
        field: "amount",
        says:
          `Your bid stands at ${showEuros(refusal.liveCents)}. It can only ` +
          "be raised.",
        status: 409,
      };
    case "auction_not_open":
    case "auction_closed":
      return { field: null, says: <NotOpen {...refusal} />, status: 409 };
    case "human_step_required":
      return {
        field: null,
        says: refusal.bid?.dayState === "closed"
          ? <NotOpen code="auction_closed" day={refusal.bid.day} />
          : <NextStep {...refusal} />,
        status: 409,
      };
    case "creative_not_found":
      return INCOMPLETE;
    case "payment_method_not_found":
      return {
        field: "card",
        says: "Choose one of your saved cards.",
        status: 400,
      };
    case "reviewed_card_changed":
      return CARD_CHANGED;
    case "payment_method_on_raise":
      return {
        field: null,
        says: "You placed a bid for this day meanwhile. Raise it below.",
        status: 409,
      };
    case "idempotency_conflict":
      return USED_UP;
    default:
      return null;
  }
}

function NotOpen(
  { day, code }: Pick<
    RefusalOf<"auction_not_open" | "auction_closed">,
    "day" | "code"
  >,
) {
  return (
    <>
      The bid was not placed: the auction of <DayTime day={day} />{" "}
      {code === "auction_closed" ? "has closed" : "has not opened yet"}.
    </>
  );
}

function NextStep(
  { reasons, actionUrl }: Extract<Refusal, { code: "human_step_required" }>,
) {
  const [step] = reasons;
  return (
    <>
      The bid was not placed. {step && <WayOut step={step} page={actionUrl} />}
    </>
  );
}

/** Who placed or last raised a bid. */
export function By({ agent }: Pick<BidView, "agent">) {
  return agent === null ? <>by you</> : (
    <>
      by your agent <bdi>{agent}</bdi>
    </>
  );
}

/** What became of a bid, and where that leads. */
export function Outcome(
  { bid, status, invoiceNumber }: Pick<
    BidView,
    "bid" | "status" | "invoiceNumber"
  >,
) {
  return (
    <>
      {OUTCOMES[status](bid.day)}
      {invoiceNumber !== null && (
        <>
          {" "}·{" "}
          <a href={invoicePath(invoiceNumber)}>Invoice {invoiceNumber}</a>
        </>
      )}
    </>
  );
}

const OUTCOMES: Readonly<Record<BidStatus, (day: string) => Child>> = {
  active: () => "The auction is being settled.",
  won: (day) => (
    <>
      <strong>Won.</strong> <a href={`${PAGES.reports}/${day}`}>Report</a> ·
      {" "}
      <a href={`/spotlights/${day}`}>See it as readers did</a>
    </>
  ),
  lost: () => "Lost. Nothing was charged.",
  payment_failed: () => (
    <>
      Not won: its card could not be charged.{" "}
      <a href={PAGES.billing}>See your cards</a>
    </>
  ),
  void: () =>
    "Not won: when its day was settled, the account or the advertisement did " +
    "not qualify, or its time on show was over. You pay nothing for it.",
};
