import type { Child } from "@hono/hono/jsx";
import type { ShownWindow } from "../../../domain/auction/auction.ts";
import { isoTime } from "../../../domain/day.ts";
import { PAGES } from "../../../domain/pages.ts";
import type { Html } from "../../pages/html.ts";
import { signInPath } from "../../middleware/next_path.ts";
import { Preview } from "../creatives/preview.tsx";
import { DayTime } from "../ui/day_time.tsx";
import { shortMoment, ShownTimes } from "../ui/shown_window.tsx";
import { AUCTION_PAGE } from "../pages/auction_page.tsx";
import { MIN_BID_CENTS } from "../../../domain/limits.ts";
import { showEuros } from "../../../domain/text/euros.ts";
import { Button, Field, Form, Hidden, Select } from "../pages/forms.tsx";
import { Moment } from "../pages/moment.tsx";
import { Page } from "../pages/page.tsx";
import { NextStep } from "../first_steps/next_step.tsx";
import { COUNTDOWN_SCRIPTS } from "../pages/script_routes.ts";
import { ClosesAt } from "./closes_at.tsx";
import { WayOut } from "../ui/way_out.tsx";
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
  /** A bid takes a newer sign-in than there is. */
  needsSignIn: boolean;
  /** What the form holds. */
  typed: TypedBid;
  note: string | null;
  /** Why nothing was placed; null where nothing was in the way. */
  problem: BidProblem | null;
}

/** `/bids`: the auction that is open, one's own bid, and what became of others. */
export function BidsPage(props: BidsPageProps): Html {
  const { view, note, problem } = props;
  const { open, earlier } = view;
  const field = problem?.field ?? null;
  return (
    <Page
      title="Your bids"
      scripts={COUNTDOWN_SCRIPTS}
      note={note}
      error={field === null ? problem?.says ?? null : null}
      faults={field === null ? [] : [[field, problem?.says]]}
    >
      {open === null
        ? <NotOpen {...view} />
        : <Auction {...props} open={open} />}
      {view.ahead.length > 0 && <Ahead {...view} />}
      {(view.past.length > 0 || earlier !== null) && (
        <section>
          <h2>Earlier bids</h2>
          <History {...view} />
          {earlier !== null && (
            <p>
              <a href={`${PAGES.bids}?through=${earlier}`}>
                Bids of <DayTime day={earlier} /> and before
              </a>
            </p>
          )}
        </section>
      )}
      <p class="quiet">
        Bids are sealed: nobody sees another’s, before or after.{" "}
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
          <ClosesAt atMs={closesAtMs} nowMs={view.nowMs} />
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
        You can’t bid for now. <WayOut step={obstacle} />
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

/** Asks before anything is typed, which would have to be carried over. */
function SignInFirst() {
  return (
    <p class="note">
      You signed in more than 10 minutes ago.{" "}
      <a href={signInPath(PAGES.bids)}>Confirm that it is you</a>{" "}
      before you bid.
    </p>
  );
}

function BidForm({ view, open, typed, problem, needsSignIn }:
  & BidsPageProps
  & { open: OpenAuction }) {
  const { standing, day } = open;
  const isRaise = standing !== null;
  const chosen = typed.ad === "" ? adOf(view, standing) : typed.ad;
  const errorOf = (field: BidProblem["field"]) =>
    problem !== null && problem.field === field ? problem.says : null;
  return (
    <Form action={REVIEW_PATH}>
      <h3>{isRaise ? "Raise your bid" : "Place a bid"}</h3>
      {needsSignIn && <SignInFirst />}
      <Hidden name="day" value={day} />
      <Field
        name="amount"
        label="Amount in euros"
        hint={isRaise
          ? `More than ${showEuros(standing.bid.amountCents)}`
          : `All you pay us if you win, any VAT included: ${
            showEuros(MIN_BID_CENTS)
          } or more, such as 99.00`}
        value={typed.amount}
        inputmode="decimal"
        error={errorOf("amount")}
        maxlength={20}
        required
      />
      <AdChoices ads={view.ads} chosen={chosen} error={errorOf("ad")} />
      <CardOfBid
        cards={view.cards}
        isRaise={isRaise}
        chosen={typed.card}
        error={errorOf("card")}
      />
      <Button>Review the {isRaise ? "raise" : "bid"}</Button>
    </Form>
  );
}

/** Which advertisement is shown if the bid wins. */
function AdChoices(
  { ads, chosen, error }: {
    ads: readonly AdChoice[];
    chosen: string | undefined;
    error: Child | null;
  },
) {
  const isWrong = error !== null;
  return (
    <fieldset
      id="ad"
      role="radiogroup"
      aria-describedby={isWrong ? "ad-error" : undefined}
      aria-invalid={isWrong ? "true" : undefined}
    >
      <legend>Advertisement</legend>
      {isWrong && <p class="error" id="ad-error">{error}</p>}
      {ads.map((ad) => (
        <AdRadio
          ad={ad}
          checked={ad.creative.adId === chosen}
        />
      ))}
    </fieldset>
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
  error: Child | null;
}

/** Which card a bid costs, and when: chosen where there is a choice. */
function CardOfBid({ cards, isRaise, chosen, error }: CardOfBidProps) {
  const charged = cards.find(({ isDefault }) => isDefault);
  const hasChoice = !isRaise && (cards.length > 1 || charged === undefined);
  const card = hasChoice ? undefined : charged;
  return (
    <>
      {(hasChoice || error !== null) && (
        <CardSelect cards={cards} chosen={chosen} error={error} />
      )}
      <p>
        If it wins,{" "}
        {card === undefined ? "the card" : <strong>{card.name}</strong>}{" "}
        is charged what you bid, once the auction has closed. A bid can be
        raised, but neither lowered nor withdrawn.{" "}
        {!hasChoice && <a href={PAGES.billing}>Use another card</a>}
      </p>
    </>
  );
}

function CardSelect(
  { cards, chosen, error }: Omit<CardOfBidProps, "isRaise">,
) {
  return (
    <Select
      name="card"
      label="Card that is charged if it wins"
      error={error}
    >
      {cards.map(({ id, name }) => (
        <option value={id} selected={id === chosen}>{name}</option>
      ))}
    </Select>
  );
}

/** Bids that an agent placed for later: only the next auction is bid in here. */
function Ahead({ ahead }: BidsView) {
  return (
    <section>
      <h2>Bids for days to come</h2>
      <ul class="history">
        {ahead.map(({ closesAtMs, ...view }) => (
          <BidLine view={view}>
            It stands. Its auction closes on <Moment atMs={closesAtMs} />.
          </BidLine>
        ))}
      </ul>
      <p class="quiet">
        Each can be raised here once its auction is the next to close, and by an
        agent that may bid before that.
      </p>
    </section>
  );
}

/** Bids of earlier days, a line each: a list that is looked through. */
function History({ past, shown }: BidsView) {
  if (past.length === 0) return <p>You did not bid in these 60 days.</p>;
  return (
    <ul class="history">
      {past.map((bid) => <PastBid bid={bid} shown={shown.get(bid.bid.day)} />)}
    </ul>
  );
}

function PastBid(
  { bid: view, shown }: { bid: BidView; shown: ShownWindow | undefined },
) {
  const isShown = view.status === "won" && shown !== undefined;
  return (
    <BidLine
      view={view}
      rest={isShown && (
        <>
          , shown <ShownTimes {...shown} />
        </>
      )}
    >
      <Outcome {...view} />
    </BidLine>
  );
}

/** A bid: its day, its amount, how it stands, and whose and what it is. */
function BidLine(
  { view, rest, children }: { view: BidView; rest?: Child; children?: Child },
) {
  const { bid, headline } = view;
  return (
    <li>
      <p>
        <strong>
          <DayTime day={bid.day} short />
        </strong>
      </p>
      <p class="number">{showEuros(bid.amountCents)}</p>
      <div>
        <p>{children}</p>
        <p class="quiet">
          {headline !== null && (
            <>
              <bdi>{headline}</bdi> ·{" "}
            </>
          )}
          <By {...view} />,{" "}
          <time datetime={isoTime(bid.placedAtMs)}>
            {shortMoment(bid.placedAtMs)}
          </time>{" "}
          UTC
          {rest}
        </p>
      </div>
    </li>
  );
}
