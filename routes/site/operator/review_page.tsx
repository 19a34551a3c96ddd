import type { Creative } from "../../../domain/creatives/creative.ts";
import type { CreativeActor } from "../../../domain/creatives/creative_note.ts";
import type { CreativeNote } from "../../../domain/creatives/creative_note.ts";
import { POLICIES } from "../../../domain/creatives/policies.ts";
import type {
  CreativeForReview,
  ReviewedCreative,
  ReviewQueue,
} from "../../../domain/creatives/read_review_queue.ts";
import type { RejectionText } from "../../../domain/creatives/read_rejection.ts";
import type { Hold } from "../../../domain/hold/hold.ts";
import { Why } from "../creatives/creative_parts.tsx";
import { STATE_WORDS } from "../creatives/creative_words.ts";
import { Preview } from "../creatives/preview.tsx";
import { DayTime } from "../ui/day_time.tsx";
import { Button, Form, Hidden, StatusNote, TextArea } from "../pages/forms.tsx";
import type { Html } from "../../pages/html.ts";
import { HoldNote } from "./hold_page.tsx";
import { Moment } from "../pages/moment.tsx";
import { PolicyField } from "../pages/policy_field.tsx";
import { accountPath } from "./accounts_page.tsx";
import { Cards, Facts, Page } from "../pages/page.tsx";

/** Where an operator decides about advertisements. */
export const REVIEW_PATH = "/operator/review";

/** `/operator/review`: what waits for an operator. */
export function DeskPage(
  { desk, hold, note }: {
    desk: ReviewQueue;
    /** Why the store does not act; null when it does. */
    hold: Hold | null;
    note: string | null;
  },
): Html {
  return (
    <Page title="Review">
      <HoldNote hold={hold} />
      {note !== null && <StatusNote>{note}</StatusNote>}
      <p>
        Copy is a stranger’s text: what it says to do is not for us to do.
      </p>
      <section>
        <h2>Submitted</h2>
        <Cards
          none="Nothing waits to be reviewed."
          of={desk.submitted.map((item) => <Submitted item={item} />)}
        />
      </section>
      <Reports reports={desk.reports} />
    </Page>
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
          <a href={`${REVIEW_PATH}/${adId}`} dir="auto">{headline}</a>
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

function Reports({ reports }: { reports: ReviewQueue["reports"] }): Html {
  return (
    <section id="reports">
      <h2>Reported by readers</h2>
      <Cards
        none="No report is open."
        of={reports.map(({ report, adId }) => (
          <li>
            <p>
              <a href={`/spotlights/${report.day}`}>
                Spotlight of <DayTime day={report.day} />
              </a>
              {adId !== null && (
                <>
                  , <a href={`${REVIEW_PATH}/${adId}`}>its advertisement</a>
                </>
              )}
            </p>
            <p>
              <strong>
                {report.policyId === null
                  ? "Something else"
                  : POLICIES[report.policyId].title}
              </strong>{" "}
              <span dir="auto">{report.text}</span>
            </p>
            <p class="quiet">
              Reported <Moment atMs={report.reportedAtMs} />
            </p>
            <Form action={`${REVIEW_PATH}/reports/close`}>
              <Hidden name="report" value={report.id} />
              <Button kind="plain">
                Close <span class="unseen">the report of {report.day}</span>
              </Button>
            </Form>
          </li>
        ))}
      />
    </section>
  );
}

/** What the page of one creative shows. */
export interface ReviewPageProps {
  item: CreativeForReview;
  typed: RejectionText;
  /** By the name of the field. */
  errors: Readonly<Record<string, string>>;
  error: string | null;
}

/** `/operator/review/{ad_id}`: a creative as readers will see it, to decide. */
export function ReviewPage(props: ReviewPageProps): Html {
  const { item: { creative, advertiser, revised, notes }, error } = props;
  const { adId, accountId, state, targetUrl } = creative;
  return (
    <Page title="Review an advertisement" error={error}>
      <p>
        <strong>{STATE_WORDS[state]}.</strong> As readers see it:
      </p>
      <Preview copy={creative} advertiser={advertiser} heading="h2" />
      <Facts
        of={[
          ["Shown as", <ShownAs {...props.item} />],
          ["Leads to", <code>{targetUrl}</code>],
          ["Id", <code>{adId}</code>],
          ...revised === null
            ? []
            : [["Version of", <Revised creative={revised} />] as const],
          ["Account", <a href={accountPath(accountId)}>{accountId}</a>],
        ]}
      />
      <Why creative={creative} />
      <Decisions {...props} />
      <History notes={notes} />
      <p class="quiet">
        <a href={REVIEW_PATH}>All that waits</a>
      </p>
    </Page>
  );
}

/** What it is a new version of, and why that was turned down, if it was. */
function Revised(
  { creative: { adId, state, rejection } }: { creative: Creative },
) {
  return (
    <>
      <a href={`${REVIEW_PATH}/${adId}`}>
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
  const { item: { creative: { adId, state }, advertiser } } = props;
  const own = `${REVIEW_PATH}/${adId}`;
  if (state === "submitted") {
    return (
      <>
        <Form action={`${own}/approve`}>
          <Hidden name="advertiser" value={advertiser} />
          <Button>Approve</Button>
        </Form>
        <TurnDown {...props} action={`${own}/reject`} what="Reject" />
      </>
    );
  }
  if (state !== "approved") return null;
  return (
    <>
      <p>
        Bids that stand on it become void when their day settles, without the
        approval. A Spotlight that it became already stays until it is removed.
      </p>
      <TurnDown
        {...props}
        action={`${own}/withdraw`}
        what="Withdraw the approval"
      />
    </>
  );
}

function TurnDown(
  { typed, errors, action, what }: ReviewPageProps & {
    action: string;
    what: string;
  },
) {
  return (
    <section>
      <h2>{what}</h2>
      <Form action={action}>
        <PolicyField
          label="Policy"
          none="Choose a policy"
          value={typed.policyId}
          error={errors.policy_id ?? null}
        />
        <TextArea
          name="message"
          label="What is wrong"
          hint="A sentence about this advertisement. Its advertiser, and their agents, read it beside the policy"
          value={typed.message}
          error={errors.message ?? null}
        />
        <TextArea
          name="remedy"
          label="What to do about it"
          hint="Left empty, the policy’s own words are sent"
          value={typed.remedy}
          error={errors.remedy ?? null}
        />
        <Button kind="danger">{what}</Button>
      </Form>
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
