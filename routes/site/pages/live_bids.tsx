import type { AuctionHours } from "../../../domain/auction/auction.ts";
import type { Bid } from "../../../domain/bids/bid.ts";
import { showEuros } from "../../../domain/text/euros.ts";
import { ShownDay } from "../ui/shown_window.tsx";
import type { Html } from "../../pages/html.ts";
import { Moment } from "./moment.tsx";

/** Bids that stand, whatever becomes of the agent that placed them. */
export function LiveBids(
  { bids, hours, heading: Heading, agentOf }: {
    bids: readonly Bid[];
    hours: AuctionHours;
    heading: "h2" | "h3";
    /** Who placed or last raised it; left out where that is clear. */
    agentOf?: (bid: Bid) => string;
  },
): Html {
  return (
    <section>
      <Heading>Bids that stand</Heading>
      <ul>
        {bids.map((bid) => (
          <li>
            {showEuros(bid.amountCents)} for the Spotlight of{" "}
            <ShownDay day={bid.day} hours={hours} />, placed{" "}
            <Moment atMs={bid.placedAtMs} />
            {agentOf !== undefined && (
              <>
                {" "}by <bdi>{agentOf(bid)}</bdi>
              </>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
