import { PAGES } from "../../../domain/pages.ts";
import type { Html } from "../../pages/html.ts";
import { Preview } from "../creatives/preview.tsx";
import { DayTime } from "../ui/day_time.tsx";
import { ShownTimes } from "../ui/shown_window.tsx";
import { showEuros } from "../../../domain/text/euros.ts";
import { Button, Form, Hidden } from "../pages/forms.tsx";
import { Moment } from "../pages/moment.tsx";
import { Facts, Page } from "../pages/page.tsx";
import { PLACE_PATH, type TypedBid } from "./bid_form.ts";
import type { AdChoice, CardChoice, OpenAuction } from "./bids_view.ts";

/** A bid as it is about to be placed. */
export interface ReviewProps {
  typed: TypedBid;
  amountCents: number;
  open: OpenAuction;
  ad: AdChoice;
  card: CardChoice;
  /** Names this rendering: the form places one bid, however often it is sent. */
  token: string;
}

/** What a bid would mean, said once more before it is placed. */
export function ReviewPage(
  { typed, amountCents, open, ad, card, token }: ReviewProps,
): Html {
  const { standing, day, closesAtMs, shown } = open;
  const isRaise = standing !== null;
  const amount = showEuros(amountCents);
  const action = isRaise
    ? `Raise the bid to ${amount}`
    : `Place the bid of ${amount}`;
  return (
    <Page
      title={isRaise ? "Raise your bid" : "Place your bid"}
      heading={isRaise ? `Raise your bid to ${amount}?` : `Bid ${amount}?`}
    >
      <p>
        If it wins, <strong>{card.name}</strong> is charged{" "}
        <strong>{amount}</strong>{" "}
        after the auction closes, any VAT included. A bid can be raised, but
        neither lowered nor withdrawn.
      </p>
      <Facts
        of={[
          ["Spotlight of", <DayTime day={day} />],
          ["Winner is shown", <ShownTimes {...shown} />],
          ["Auction closes", <Moment atMs={closesAtMs} />],
          isRaise && ["Your bid now", showEuros(standing.bid.amountCents)],
        ]}
      />
      <Form action={PLACE_PATH}>
        <Typed {...typed} />
        <Hidden name="reviewed_card" value={card.id} />
        <Hidden name="token" value={token} />
        <Button>{action}</Button>
      </Form>
      <p>
        <a href={PAGES.bids}>Don’t {isRaise ? "raise it" : "bid"}</a>
      </p>
      <Preview copy={ad.creative} advertiser={ad.advertiser} heading="h2" />
    </Page>
  );
}

function Typed({ day, amount, ad, card }: TypedBid) {
  return (
    <>
      <Hidden name="day" value={day} />
      <Hidden name="amount" value={amount} />
      <Hidden name="ad" value={ad} />
      <Hidden name="card" value={card} />
    </>
  );
}
