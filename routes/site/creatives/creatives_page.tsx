import type { Child } from "@hono/hono/jsx";
import type { Creative } from "../../../domain/creatives/creative.ts";
import { PAGES } from "../../../domain/pages.ts";
import { Button, Form } from "../pages/forms.tsx";
import type { Html } from "../../pages/html.ts";
import { Moment } from "../pages/moment.tsx";
import { Confirmed, Why } from "./creative_parts.tsx";
import { POLICIES_URL, STATE_HINTS, STATE_WORDS } from "./creative_words.ts";
import { Preview } from "./preview.tsx";
import { Cards, Facts, Page } from "../pages/page.tsx";
import { Around } from "../ui/around.tsx";

const PATH = PAGES.creatives;

/** `/creatives`: an account's advertisements, newest first. */
export function CreativesPage(
  { note, creatives, isFurtherOn, nextCursor }: {
    /** What was done on the page before; null for nothing. */
    note: string | null;
    creatives: readonly Creative[];
    /** Whether newer ones were left behind. */
    isFurtherOn: boolean;
    nextCursor: string | null;
  },
): Html {
  return (
    <Page title="Your advertisements" note={note}>
      <p>
        You bid with an ad that we have approved. Submit a draft once your
        identity is verified; we review it by our{" "}
        <a href={POLICIES_URL}>creative policies</a>, usually within a day.
      </p>
      <p>
        <a class="button main" href={`${PATH}/new`}>Write an advertisement</a>
      </p>
      <Cards
        none="You have not written an ad yet."
        of={creatives.map((creative) => <Item creative={creative} />)}
      />
      <Around
        label="Pages of the list"
        ways={[
          nextCursor !== null &&
          [`${PATH}?cursor=${nextCursor}`, "Older advertisements", "next"],
          isFurtherOn && [PATH, "Newest advertisements"],
        ]}
      />
    </Page>
  );
}

function Item({ creative }: { creative: Creative }) {
  const { adId, headline, state, createdAtMs, updatedAtMs } = creative;
  return (
    <li>
      <p>
        <strong>
          <a href={`${PATH}/${adId}`} dir="auto">{headline}</a>
        </strong>
      </p>
      <p class="quiet">
        {STATE_WORDS[state]}, last changed{" "}
        <Moment atMs={updatedAtMs ?? createdAtMs} /> ·{" "}
        <span class="unseen">Id for agents:</span> <code>{adId}</code>
      </p>
      {state === "rejected" && creative.rejection && (
        <p>{creative.rejection.message}</p>
      )}
    </li>
  );
}

/** What the page of one advertisement shows. */
export interface CreativePageProps {
  creative: Creative;
  advertiser: string;
  note: string | null;
  /** What was in the way, with the way out of it; null for nothing. */
  error: Child;
}

/** `/creatives/{ad_id}`: one advertisement, and what can be done with it. */
export function CreativePage(props: CreativePageProps): Html {
  const { creative, advertiser, note, error } = props;
  const { state } = creative;
  return (
    <Page title="Your advertisement" note={note} error={error}>
      <p>
        <strong>{STATE_WORDS[state]}.</strong> {STATE_HINTS[state]}
      </p>
      <Why creative={creative} />
      <Preview copy={creative} advertiser={advertiser} heading="h2" />
      <Actions creative={creative} />
      <KnownOf creative={creative} />
      <p class="quiet">
        <a href={PATH}>Your advertisements</a>
      </p>
    </Page>
  );
}

function Actions({ creative: { adId, state } }: { creative: Creative }) {
  const own = `${PATH}/${adId}`;
  const isDraft = state === "draft";
  const isDecided = state === "approved" || state === "rejected";
  return (
    <section>
      <div class="buttons">
        {isDraft && (
          <Form action={`${own}/submit`} class="at-once">
            <Button>Submit for review</Button>
          </Form>
        )}
        {state === "approved" && (
          <a class="button main" href={PAGES.bids}>Bid with it</a>
        )}
        {(isDraft || isDecided) && (
          <a class="button" href={`${own}/edit`}>
            {isDraft ? "Edit the draft" : "Make a new version"}
          </a>
        )}
      </div>
      {state !== "archived" && (
        <Confirmed
          action={`${own}/archive`}
          what="Archive this advertisement"
          button="Archive it"
        />
      )}
    </section>
  );
}

function KnownOf({ creative }: { creative: Creative }) {
  const { adId, revises, createdAtMs, submittedAtMs, reviewedAtMs } = creative;
  return (
    <Facts
      of={[
        ["Id for agents", <code>{adId}</code>],
        ["Written", <Moment atMs={createdAtMs} />],
        submittedAtMs !== undefined &&
        ["Submitted", <Moment atMs={submittedAtMs} />],
        reviewedAtMs !== undefined &&
        ["Reviewed", <Moment atMs={reviewedAtMs} />],
        revises !== undefined &&
        [
          "Version of",
          <a href={`${PATH}/${revises}`}>
            <code>{revises}</code>
          </a>,
        ],
      ]}
    />
  );
}
