import { PAGES } from "../../../domain/pages.ts";
import type { Html } from "../../pages/html.ts";
import { Preview } from "../creatives/preview.tsx";
import { DayTime } from "../ui/day_time.tsx";
import { ShownDay, ShownTimes } from "../ui/shown_window.tsx";
import { AUCTION_PAGE } from "../pages/auction_page.tsx";
import { MIN_BID_CENTS } from "../../../domain/limits.ts";
import { showEuros } from "../pages/euros.ts";
import { Button, Field, Form, Hidden, Select } from "../pages/forms.tsx";
import { Moment } from "../pages/moment.tsx";
import { Cards, Page } from "../pages/page.tsx";
import { NextStep } from "../first_steps/next_step.tsx";
import { COUNTDOWN_SCRIPTS } from "../pages/script_routes.ts";
import { TimeLeft } from "../ui/time_left.tsx";
import { REVIEW_PATH, type TypedBid } from "./bid_form.ts";
import { type BidProblem, By, Outcome } from "./bid_words.tsx";
import type {
  AdChoice,
  BidsView,
  BidView,
  CardChoice,
  OpenAuction,
} from "./bids_view.ts";

/** What the page says beside the bids. */
export interface BidsPageProps {
  view: BidsView;
  /** What the form holds. */
  typed: TypedBid;
  note: string | null;
  /** Why nothing was placed; null where nothing was in the way. */
  problem: BidProblem | null;
}

/** `/bids`: the auction that is open, one's own bid, and what became of others. */
export function BidsPage(props: BidsPageProps): Html {
  const { view, note, problem } = props;
  const { open, past, earlier } = view;
  return (
    <Page
      title="Your bids"
      scripts={COUNTDOWN_SCRIPTS}
      note={note}
      error={problem === null ? null : problem.says}
    >
      {open === null
        ? <NotOpen {...view} />
        : <Auction {...props} open={open} />}
      <section>
        <h2>Earlier bids</h2>
        <Cards
          of={past.map((bid) => <PastBid bid={bid} view={view} />)}
          none={earlier === null
            ? "You have not bid before."
            : "You did not bid in these 60 days."}
        />
        {earlier !== null && (
          <p>
            <a href={`${PAGES.bids}?through=${earlier}`}>
              Bids of <DayTime day={earlier} /> and before
            </a>
          </p>
        )}
      </section>
      <p class="quiet">
        <a href={AUCTION_PAGE}>How the auction works</a>
      </p>
    </Page>
  );
}

function NotOpen({ nextOpensAtMs }: BidsView) {
  return (
    <section>
      <h2>No auction is open</h2>
      <p>
        The next one opens on <Moment atMs={nextOpensAtMs} />.
      </p>
    </section>
  );
}

function Auction(props: BidsPageProps & { open: OpenAuction }) {
  const { view, open } = props;
  const { day, closesAtMs, shown, standing } = open;
  return (
    <section class="auction">
      <h2>
        Auction for <DayTime day={day} />
      </h2>
      <dl class="facts">
        <dt>Closes</dt>
        <dd>
          <Moment atMs={closesAtMs} />, in{" "}
          <TimeLeft untilMs={closesAtMs} nowMs={view.nowMs} />
        </dd>
        <dt>Winner is shown</dt>
        <dd>
          <ShownTimes {...shown} />
        </dd>
        <dt>Your bid</dt>
        <dd>
          {standing === null ? "You have not bid." : <Standing {...standing} />}
        </dd>
      </dl>
      <BidOrStep {...props} />
    </section>
  );
}

function Standing(view: BidView) {
  const { bid, headline } = view;
  return (
    <>
      <strong>{showEuros(bid.amountCents)}</strong>
      {headline !== null && (
        <>
          {" "}for <bdi>{headline}</bdi>
        </>
      )}, placed <By {...view} /> on <Moment atMs={bid.placedAtMs} />
    </>
  );
}

/** The form; in its place what has to be done before. */
function BidOrStep(props: BidsPageProps & { open: OpenAuction }) {
  const { obstacle, next, ads } = props.view;
  if (obstacle !== null) {
    return (
      <p class="note warning">
        You can’t bid for now: <a href={obstacle.page}>{obstacle.label}</a>
      </p>
    );
  }
  if (next !== null) return <NextStep step={next} />;
  if (ads.length === 0) {
    return (
      <p class="note warning">
        Before you can bid, an advertisement of yours has to be approved:{" "}
        <a href={PAGES.creatives}>your advertisements</a>
      </p>
    );
  }
  return <BidForm {...props} />;
}

/** The ad of the bid that stands, if it may still be bid with, or the first. */
function adOf({ ads }: BidsView, standing: OpenAuction["standing"]) {
  const ids = ads.map(({ creative }) => creative.adId);
  return ids.find((id) => id === standing?.bid.adId) ?? ids[0];
}

function BidForm({ view, open, typed, problem }:
  & BidsPageProps
  & { open: OpenAuction }) {
  const { standing, day } = open;
  const isRaise = standing !== null;
  const chosen = typed.ad === "" ? adOf(view, standing) : typed.ad;
  const errorOf = (field: BidProblem["field"]) =>
    problem !== null && problem.field === field;
  return (
    <Form action={REVIEW_PATH}>
      <h3>{isRaise ? "Raise your bid" : "Place a bid"}</h3>
      <Hidden name="day" value={day} />
      <Field
        name="amount"
        label="Amount in euros"
        hint={isRaise
          ? `More than ${showEuros(standing.bid.amountCents)}`
          : `What you pay if you win: ${
            showEuros(MIN_BID_CENTS)
          } or more, such as 99.00`}
        value={typed.amount}
        inputmode="decimal"
        invalid={errorOf("amount")}
        maxlength={20}
        required
      />
      <fieldset>
        <legend>Advertisement</legend>
        {view.ads.map((ad) => (
          <AdRadio ad={ad} checked={ad.creative.adId === chosen} />
        ))}
      </fieldset>
      <CardOfBid
        cards={view.cards}
        isRaise={isRaise}
        chosen={typed.card}
        isWrong={errorOf("card")}
      />
      <Button>Review the {isRaise ? "raise" : "bid"}</Button>
    </Form>
  );
}

function AdRadio({ ad, checked }: { ad: AdChoice; checked: boolean }) {
  const { creative, advertiser } = ad;
  return (
    <>
      <label class="tick">
        <input
          type="radio"
          name="ad"
          value={creative.adId}
          checked={checked}
          required
        />
        <span>
          <bdi>{creative.headline}</bdi>
        </span>
      </label>
      <details>
        <summary>
          Preview <span class="unseen">of {creative.headline}</span>
        </summary>
        <Preview copy={creative} advertiser={advertiser} heading="h3" />
      </details>
    </>
  );
}

interface CardOfBidProps {
  cards: readonly CardChoice[];
  /** A raise is charged to the default card, whatever the bid was placed with. */
  isRaise: boolean;
  chosen: string;
  isWrong: boolean;
}

/** Which card a bid costs, and when: chosen where there is a choice. */
function CardOfBid({ cards, isRaise, chosen, isWrong }: CardOfBidProps) {
  const charged = cards.find(({ isDefault }) => isDefault);
  const hasChoice = !isRaise && (cards.length > 1 || charged === undefined);
  const card = hasChoice ? undefined : charged;
  return (
    <>
      {(hasChoice || isWrong) && (
        <CardSelect cards={cards} chosen={chosen} isWrong={isWrong} />
      )}
      <p>
        If it wins,{" "}
        {card === undefined ? "the card" : <strong>{card.name}</strong>}{" "}
        is charged what you bid, once the auction has closed.{" "}
        {!hasChoice && <a href={PAGES.billing}>Use another card</a>}
      </p>
      <p class="quiet">
        A bid can be raised, but neither lowered nor withdrawn.
      </p>
    </>
  );
}

function CardSelect(
  { cards, chosen, isWrong }: Omit<CardOfBidProps, "isRaise">,
) {
  return (
    <Select
      name="card"
      label="Card that is charged if it wins"
      error={isWrong ? "Choose one of your saved cards." : null}
    >
      {cards.map(({ id, name }) => (
        <option value={id} selected={id === chosen}>{name}</option>
      ))}
    </Select>
  );
}

function PastBid(
  { bid: own, view: { hours, shown } }: { bid: BidView; view: BidsView },
) {
  const { bid, headline, status } = own;
  return (
    <li>
      <p>
        <strong>
          {status === "won"
            ? (
              <ShownDay
                day={bid.day}
                hours={hours}
                closed={shown.get(bid.day) ?? {}}
              />
            )
            : <DayTime day={bid.day} />}
        </strong>: {showEuros(bid.amountCents)}
        {headline !== null && (
          <>
            {" "}for <bdi>{headline}</bdi>
          </>
        )}
      </p>
      <p>
        <Outcome {...own} />
      </p>
      <p class="quiet">
        Placed <By {...own} /> on <Moment atMs={bid.placedAtMs} />
      </p>
    </li>
  );
}
