import type { AuctionHours } from "../../../domain/auction/auction.ts";
import { PAGES } from "../../../domain/pages.ts";
import { ShownDay } from "../ui/shown_window.tsx";
import { Button, Form, Hidden } from "../pages/forms.tsx";
import type { Html } from "../../pages/html.ts";
import {
  leadsOn,
  NextStep,
  type StepAhead,
} from "../first_steps/next_step.tsx";
import type { BillingView, CardView } from "./billing_view.ts";
import { Cards, Page } from "../pages/page.tsx";

/** What the page says beside the cards. */
export interface BillingPageProps {
  view: BillingView;
  hours: AuctionHours;
  /** What has just happened; null for nothing. */
  note: string | null;
  error: string | null;
  /** Where the way to a first bid goes on; null where only bidding is left. */
  next: StepAhead | null;
}

/** `/billing`: the cards of an account, and the way to the processor's pages. */
export function BillingPage(
  { view, hours, note, error, next }: BillingPageProps,
): Html {
  return (
    <Page title="Your cards" note={note} error={error}>
      <Warnings {...view} />
      <NextStep step={next} />
      <p>
        Nothing is charged when you bid. If your bid wins, its card is charged
        exactly what you bid, once the auction has closed.
      </p>
      {!view.cards.some(({ isEnding }) => !isEnding) && (
        <p>No card is saved. Bidding needs one.</p>
      )}
      <Cards
        of={view.cards.map((card) => <Card card={card} hours={hours} />)}
      />
      <SaveCard
        view={view}
        isNext={!leadsOn(next) &&
          (view.cards.length === 0 || view.cardRefused)}
      />
      {view.isOnboarded && view.cards.length > 0 && <Portal />}
    </Page>
  );
}

function Warnings(
  { cardRefused, disputeOpen, disputeLost, askAt }: BillingView,
) {
  return (
    <>
      {cardRefused && (
        <p class="note warning">
          <strong>You can’t bid for now:</strong>{" "}
          a bid of yours won, and its card was refused. Save another card, or
          use one that you have for future bids. The refused number stays
          refused when it is saved again; if your bank has fixed this and you
          have no other card, write to <a href={`mailto:${askAt}`}>{askAt}</a>.
        </p>
      )}
      {disputeOpen && (
        <p class="note warning">
          <strong>You can’t bid for now:</strong>{" "}
          a payment of yours is disputed at the bank. Please settle that with
          your bank; this page shows when it is over.
        </p>
      )}
      {disputeLost && (
        <p class="note warning">
          <strong>You can’t bid for now:</strong>{" "}
          your bank has taken back a payment for a day that you had won, and the
          dispute is decided. An operator lifts this block: write to{" "}
          <a href={`mailto:${askAt}`}>{askAt}</a>.
        </p>
      )}
    </>
  );
}

function Card({ card, hours }: { card: CardView; hours: AuctionHours }) {
  const { id, name, expires, isEnding, isDefault, isRefused } = card;
  return (
    <li>
      <p>
        <strong>{name}</strong>
        {isDefault && " – charged when a bid wins"}
      </p>
      <p class="quiet">
        {card.isExpired ? "Expired" : "Expires"} {expires}
        {isRefused && ", was refused"}
      </p>
      <Bids card={card} hours={hours} />
      {card.isOffered && (
        <Form action={`${PAGES.billing}/default`}>
          <Hidden name="card" value={id} />
          <Button kind="plain">
            Use for future bids <span class="unseen">({name})</span>
          </Button>
        </Form>
      )}
      {!isEnding && card.days.length === 0 && (
        <details>
          <summary>
            Remove <span class="unseen">{name}</span>
          </summary>
          <Form action={`${PAGES.billing}/remove`}>
            <Hidden name="card" value={id} />
            <Button kind="danger">
              Remove this card <span class="unseen">({name})</span>
            </Button>
          </Form>
        </details>
      )}
    </li>
  );
}

/** Which bids are charged to the card if they win. */
function Bids(
  { card, hours }: { card: CardView; hours: AuctionHours },
) {
  const { days, isEnding, isDefault, isRefused } = card;
  if (days.length === 0) return isEnding ? <p>It is being removed.</p> : null;
  const named = days.map((day, at) => (
    <>
      {at > 0 && ", "}
      <ShownDay day={day} hours={hours} />
    </>
  ));
  const [bid, stands] = days.length === 1
    ? ["bid", "stands"]
    : ["bids", "stand"];
  if (isEnding) {
    return (
      <p>
        It was removed at our payment provider, while your {bid} for {named}
        {" "}
        {stands} on it. A charge to it will fail.
      </p>
    );
  }
  return (
    <p>
      Your {bid} for {named} {stands}{" "}
      on it, so it stays until that auction has settled.
      {isRefused && !isDefault && (
        <>{" "}A bid that you raise moves to the card for future bids.</>
      )}
    </p>
  );
}

function SaveCard(
  { view: { isOnboarded, isFull, cards }, isNext }: {
    view: BillingView;
    /** It is what the account needs first. */
    isNext: boolean;
  },
) {
  if (!isOnboarded) {
    return (
      <p>
        Before you save a card,{" "}
        <a href={PAGES.onboarding}>enter your company details</a>: the card is
        saved for it.
      </p>
    );
  }
  if (isFull) {
    return <p>You have as many cards as can be saved.</p>;
  }
  return (
    <section>
      <h2>{cards.length === 0 ? "Save a card" : "Save another card"}</h2>
      <p>
        You enter it on a page of Stripe, our payment provider, and come back
        here. We never see its number.
      </p>
      <Form action={`${PAGES.billing}/set-up`}>
        <Button kind={isNext ? "main" : "plain"}>
          {cards.length === 0 ? "Save a card" : "Save another card"}
        </Button>
      </Form>
    </section>
  );
}

function Portal() {
  return (
    <section>
      <h2>Billing portal</h2>
      <p>
        Stripe also has a page of its own with your cards. One that you remove
        there while a bid stands on it can’t be charged: the bid then fails.
      </p>
      <Form action={`${PAGES.billing}/portal`}>
        <Button kind="plain">Open the billing portal</Button>
      </Form>
    </section>
  );
}
