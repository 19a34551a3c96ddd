import { PRACTICE_DAY } from "../../../domain/sandbox/practice_records.ts";
import { ACCOUNT_EXAMPLES } from "./account_examples.ts";
import type { Examples } from "./example_shape.ts";

const { AccountSummary, AuctionState, Bid } = ACCOUNT_EXAMPLES;

const BID = {
  ...Bid,
  day: PRACTICE_DAY,
  ad_id: "ad_practice",
  placed_at: "2025-01-01T12:00:00.000Z",
};

/** Of rehearsals: the same as of an account, marked. */
export const REHEARSAL_EXAMPLES: Examples<
  "RehearsedAccount" | "RehearsedAuction" | "RehearsedBids" | "RehearsedBid"
> = {
  RehearsedAccount: { sandbox: true, ...AccountSummary },
  RehearsedAuction: {
    sandbox: true,
    ...AuctionState,
    day: PRACTICE_DAY,
    openedAt: "2025-01-01T00:00:00.000Z",
    closesAt: "2025-01-01T23:55:00.000Z",
  },
  RehearsedBids: { sandbox: true, bids: [BID] },
  RehearsedBid: { sandbox: true, ...BID },
};
