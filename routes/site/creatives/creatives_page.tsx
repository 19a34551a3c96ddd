import type { Child } from "@hono/hono/jsx";
import type { Creative } from "../../../domain/creatives/creative.ts";
import { PAGES } from "../../../domain/pages.ts";
import { Button, ErrorNote, Form, StatusNote } from "../pages/forms.tsx";
import type { Html } from "../../pages/html.ts";
import { Layout } from "../../pages/layout.tsx";
import { Moment } from "../pages/moment.tsx";
import { Confirmed, Why } from "./creative_parts.tsx";
import { POLICIES_URL, STATE_HINTS, STATE_WORDS } from "./creative_words.ts";
import { Preview } from "./preview.tsx";

const PATH = PAGES.creatives;

/** `/creatives`: an account's advertisements, newest first. */
export function CreativesPage(
  { creatives, isFurtherOn, nextCursor }: {
    creatives: readonly Creative[];
    /** Whether newer ones were left behind. */
    isFurtherOn: boolean;
    nextCursor: string | null;
  },
): Html {
  return (
    <Layout title="Your advertisements – Spotlight">
      <h1>Your advertisements</h1>
      <p>
        A bid names one of these that was approved. Submit a draft once your
        identity is checked, and we look at it by our{" "}
        <a href={POLICIES_URL}>creative policies</a>.
      </p>
      <p>
        <a class="button" href={`${PATH}/new`}>Write an advertisement</a>
      </p>
      {creatives.length === 0 && <p>You have no advertisements here yet.</p>}
      {creatives.length > 0 && (
        <ul class="cards">
          {creatives.map((creative) => <Item creative={creative} />)}
        </ul>
      )}
      <nav class="around" aria-label="Pages of the list">
        {isFurtherOn && <a href={PATH}>Newest advertisements</a>}
        {nextCursor !== null && (
          <a href={`${PATH}?cursor=${nextCursor}`}>Older advertisements</a>
        )}
      </nav>
      <p class="quiet">
        <a href={PAGES.account}>Your account</a>
      </p>
    </Layout>
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
        <Moment atMs={updatedAtMs ?? createdAtMs} />
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
    <Layout title="Your advertisement – Spotlight">
      <h1>Your advertisement</h1>
      {note !== null && <StatusNote>{note}</StatusNote>}
      {error !== null && <ErrorNote>{error}</ErrorNote>}
      <p>
        <strong>{STATE_WORDS[state]}.</strong> {STATE_HINTS[state]}
      </p>
      <Why creative={creative} />
      <Preview copy={creative} advertiser={advertiser} heading="h2" />
      <Actions creative={creative} />
      <Facts creative={creative} />
      <p class="quiet">
        <a href={PATH}>Your advertisements</a>
      </p>
    </Layout>
  );
}

function Actions({ creative: { adId, state } }: { creative: Creative }) {
  const own = `${PATH}/${adId}`;
  const isDraft = state === "draft";
  const isDecided = state === "approved" || state === "rejected";
  return (
    <section>
      {isDraft && (
        <Form action={`${own}/submit`}>
          <Button>Submit for review</Button>
        </Form>
      )}
      {(isDraft || isDecided) && (
        <p>
          <a class="button" href={`${own}/edit`}>
            {isDraft ? "Edit the draft" : "Make a new version"}
          </a>
        </p>
      )}
      {state !== "archived" && (
        <Confirmed
          action={`${own}/archive`}
          what="Archive"
          button="Archive this advertisement"
        />
      )}
    </section>
  );
}

function Facts({ creative }: { creative: Creative }) {
  const { adId, revises, createdAtMs, submittedAtMs, reviewedAtMs } = creative;
  return (
    <dl class="facts">
      <dt>Id for agents</dt>
      <dd>
        <code>{adId}</code>
      </dd>
      <dt>Made</dt>
      <dd>
        <Moment atMs={createdAtMs} />
      </dd>
      {submittedAtMs !== undefined && (
        <>
          <dt>Submitted</dt>
          <dd>
            <Moment atMs={submittedAtMs} />
          </dd>
        </>
      )}
      {reviewedAtMs !== undefined && (
        <>
          <dt>Reviewed</dt>
          <dd>
            <Moment atMs={reviewedAtMs} />
          </dd>
        </>
      )}
      {revises !== undefined && (
        <>
          <dt>Version of</dt>
          <dd>
            <a href={`${PATH}/${revises}`}>
              <code>{revises}</code>
            </a>
          </dd>
        </>
      )}
    </dl>
  );
}
