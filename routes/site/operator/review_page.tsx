import type { Creative } from "../../../domain/creatives/creative.ts";
import type { CreativeActor } from "../../../domain/creatives/creative_note.ts";
import type { CreativeNote } from "../../../domain/creatives/creative_note.ts";
import { readTargetUrl } from "../../../domain/creatives/target_url.ts";
import { POLICIES } from "../../../domain/creatives/policies.ts";
import type {
  CreativeForReview,
  ReviewedCreative,
} from "../../../domain/creatives/read_review_queue.ts";
import type { RejectionText } from "../../../domain/creatives/read_rejection.ts";
import type { Hold } from "../../../domain/hold/hold.ts";
import { Why } from "../creatives/creative_parts.tsx";
import { STATE_WORDS } from "../creatives/creative_words.ts";
import { Preview } from "../creatives/preview.tsx";
import { Button, faultsOf, Form, Hidden } from "../pages/forms.tsx";
import type { Html } from "../../pages/html.ts";
import { HoldNote } from "./hold_page.tsx";
import { Moment } from "../pages/moment.tsx";
import { DESK_SCRIPTS } from "../pages/script_routes.ts";
import { Cards, Facts, Page } from "../pages/page.tsx";
import { TURN_DOWN_IDS, TURN_DOWN_LABELS, TurnDown } from "./review_parts.tsx";
import { accountPath, REVIEW_PATH, reviewPath } from "./paths.ts";
import { Around } from "../ui/around.tsx";

/** `/operator/review`: the ads that wait for an operator. */
export function DeskPage(
  { submitted, hold, note }: {
    /** Longest waiting first. */
    submitted: readonly ReviewedCreative[];
    /** Why the store does not act; null when it does. */
    hold: Hold | null;
    note: string | null;
  },
): Html {
  return (
    <Page title="Review" note={note} scripts={DESK_SCRIPTS}>
      <HoldNote hold={hold} />
      <p>
        Ads are written by strangers. Never do what one asks of you.
      </p>
      <section data-keys="list">
        <h2>Submitted</h2>
        <Cards
          none="Nothing waits to be reviewed."
          of={submitted.map((item) => <Submitted item={item} />)}
        />
      </section>
      <KeysHelp />
    </Page>
  );
}

/** What the keys of a keyboard do, where scripts run. */
function KeysHelp() {
  return (
    <details data-keys="help" hidden>
      <summary>Keys</summary>
      <Facts
        of={[
          [<kbd>j</kbd>, "The next ad"],
          [<kbd>k</kbd>, "The one before"],
          [<kbd>Enter</kbd>, "Open it"],
          [<kbd>a</kbd>, "Approve it, which asks once"],
          [<kbd>r</kbd>, "Reject it: begin with the policy"],
          [<kbd>?</kbd>, "Show this, or hide it"],
        ]}
      />
    </details>
  );
}

function Submitted(
  { item: { creative, advertiser } }: { item: ReviewedCreative },
) {
  const { adId, headline, revises, submittedAtMs } = creative;
  return (
    <li>
      <p>
        <strong>
          <a href={reviewPath(adId)} dir="auto">{headline}</a>
        </strong>
      </p>
      <p class="quiet">
        From <bdi>{advertiser}</bdi>
        {submittedAtMs !== undefined && (
          <>
            , submitted <Moment atMs={submittedAtMs} />
          </>
        )}
        {revises !== undefined && ", a new version"}
      </p>
    </li>
  );
}

/** What the page of one creative shows. */
export interface ReviewPageProps {
  item: CreativeForReview;
  /** Its neighbours in the queue. */
  around: { before: string | null; next: string | null };
  /** What was just done; null for nothing. */
  note: string | null;
  typed: RejectionText;
  /** By the name of the field. */
  errors: Readonly<Record<string, string>>;
  error: string | null;
}

/** `/operator/review/{ad_id}`: a creative as readers will see it, to decide. */
export function ReviewPage(props: ReviewPageProps): Html {
  const { item, around: { before, next }, note, error } = props;
  const { creative, advertiser, revised, notes, earlier } = item;
  const { adId, accountId, state } = creative;
  return (
    <Page
      title="Review an advertisement"
      note={note}
      error={error}
      faults={faultsOf(props.errors, TURN_DOWN_IDS, TURN_DOWN_LABELS)}
      scripts={DESK_SCRIPTS}
    >
      <p>
        <strong>{STATE_WORDS[state]}.</strong> As readers see it:
      </p>
      <Preview copy={creative} advertiser={advertiser} heading="h2" />
      <Facts
        of={[
          ["Shown as", <ShownAs {...item} />],
          ["Leads to", <Target creative={creative} />],
          ["Id", <code>{adId}</code>],
          ...revised === null
            ? []
            : [["Version of", <Revised creative={revised} />] as const],
          ["Account", <a href={accountPath(accountId)}>{accountId}</a>],
        ]}
      />
      <Why creative={creative} />
      <Decisions {...props} />
      <Earlier creatives={earlier} />
      <History notes={notes} />
      <Around
        label="The queue"
        ways={[
          before !== null && [reviewPath(before), "The one before", "prev"],
          [REVIEW_PATH, "All that waits"],
          next !== null && [reviewPath(next), "The next", "next"],
        ]}
      />
      <KeysHelp />
    </Page>
  );
}

/** Opened beside the desk; the site learns neither who looks nor from where. */
function Target({ creative: { targetUrl } }: { creative: Creative }) {
  const target = readTargetUrl(targetUrl);
  if (!target.ok) return <code>{targetUrl}</code>;
  return (
    <>
      <code>{targetUrl}</code>{" "}
      <a href={target.url} target="_blank" rel="nofollow noopener noreferrer">
        Open it in a new tab
      </a>
    </>
  );
}

/** What was decided about the advertiser's other ads. */
function Earlier({ creatives }: { creatives: readonly Creative[] }) {
  return (
    <section>
      <h2>Decided before</h2>
      <Cards
        none="Nothing of this advertiser was decided before."
        of={creatives.map((creative) => <EarlierOne creative={creative} />)}
      />
    </section>
  );
}

function EarlierOne({ creative }: { creative: Creative }) {
  const { adId, headline, state, reviewedAtMs, rejection } = creative;
  return (
    <li>
      <p>
        <a href={reviewPath(adId)} dir="auto">{headline}</a>
      </p>
      <p class="quiet">
        {STATE_WORDS[state]}
        {reviewedAtMs !== undefined && (
          <>
            , decided <Moment atMs={reviewedAtMs} />
          </>
        )}
        {rejection !== undefined && (
          <>
            : {POLICIES[rejection.policyId].title},{" "}
            <q dir="auto">{rejection.message}</q>
          </>
        )}
      </p>
    </li>
  );
}

/** What it is a new version of, and why that was turned down, if it was. */
function Revised(
  { creative: { adId, state, rejection } }: { creative: Creative },
) {
  return (
    <>
      <a href={reviewPath(adId)}>
        <code>{adId}</code>
      </a>
      {rejection === undefined ? `: ${STATE_WORDS[state]}` : (
        <>
          , rejected for {POLICIES[rejection.policyId].title}:{" "}
          <q dir="auto">{rejection.message}</q>
        </>
      )}
    </>
  );
}

function ShownAs({ advertiser, requestedName }: ReviewedCreative) {
  return (
    <>
      <bdi>{advertiser}</bdi>, which the approval freezes
      {requestedName !== null && (
        <>
          ; it asks to be called{" "}
          <bdi>{requestedName}</bdi>, which is decided at the account
        </>
      )}
    </>
  );
}

function Decisions(props: ReviewPageProps) {
  const { item: { creative: { adId, state }, advertiser }, typed, errors } =
    props;
  const own = reviewPath(adId);
  if (state === "submitted") {
    return (
      <>
        <Form action={`${own}/approve`} class="stacked approve">
          <Hidden name="advertiser" value={advertiser} />
          <Button>Approve</Button>
        </Form>
        <section>
          <h2>Reject</h2>
          <TurnDown
            action={`${own}/reject`}
            what="Reject"
            typed={typed}
            errors={errors}
          />
        </section>
      </>
    );
  }
  if (state !== "approved") return null;
  return (
    <section>
      <h2>Withdraw the approval</h2>
      <p>
        Bids that stand on it become void when their day settles, without the
        approval. A Spotlight that it became already stays until it is removed.
      </p>
      <TurnDown
        action={`${own}/withdraw`}
        what="Withdraw the approval"
        typed={typed}
        errors={errors}
      />
    </section>
  );
}

const EVENTS: Readonly<Record<CreativeNote["event"], string>> = {
  created: "Made",
  submitted: "Submitted",
  approved: "Approved",
  rejected: "Rejected",
  approval_withdrawn: "Approval withdrawn",
  archived: "Archived",
};

function History({ notes }: { notes: readonly CreativeNote[] }) {
  if (notes.length === 0) return null;
  return (
    <section>
      <h2>History</h2>
      <ol>
        {notes.map(({ event, by, atMs, rejection }) => (
          <li>
            {EVENTS[event]} {actorWords(by)}, <Moment atMs={atMs} />
            {rejection && ` (${rejection.policyId})`}
          </li>
        ))}
      </ol>
    </section>
  );
}

function actorWords(by: CreativeActor): string {
  switch (by.kind) {
    case "advertiser":
      return by.grantId === null
        ? "by the advertiser"
        : "by an agent of the advertiser";
    case "operator":
      return `by operator ${by.accountId}`;
    case "operator_key":
      return "through the operator API";
  }
}
