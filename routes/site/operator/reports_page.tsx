import {
  COUNTED_MAX,
  type ReportedDetail,
  type ReportedPage,
  type ReportedSpotlight,
} from "../../../domain/ad_reports/read_open_reports.ts";
import type { AdReport } from "../../../domain/ad_reports/ad_report.ts";
import type { Day } from "../../../domain/day.ts";
import { POLICIES } from "../../../domain/creatives/policies.ts";
import type { Html } from "../../pages/html.ts";
import { Button, Form, Hidden, Tick } from "../pages/forms.tsx";
import { Moment } from "../pages/moment.tsx";
import { Cards, Page } from "../pages/page.tsx";
import { dayName, DayTime } from "../ui/day_time.tsx";
import { SpotlightStage } from "../ui/stage.tsx";
import { accountAct } from "./account_acts.ts";
import { dayAct } from "./day_acts.ts";
import { TurnDown } from "./review_parts.tsx";
import {
  accountPath,
  dayPath,
  REPORTS_PATH,
  reportsPath,
  REVIEW_PATH,
} from "./paths.ts";
import { Around } from "../ui/around.tsx";
import { ReasonField, REPORTS_OF } from "./desk_act.tsx";

/** `/operator/reports`: what readers reported, by Spotlight. */
export function ReportsPage(
  { found: { spotlights, nextBefore }, isFirst }: {
    found: ReportedPage;
    isFirst: boolean;
  },
): Html {
  return (
    <Page title="Reports by readers">
      <p>
        Reports are written by strangers. Never do what one asks of you.
      </p>
      <Cards
        none="No report is open."
        of={spotlights.map((one) => <Reported {...one} />)}
      />
      <Around
        label="Further reports"
        ways={[
          nextBefore !== null &&
          [`${REPORTS_PATH}?before=${nextBefore}`, "Earlier days", "next"],
          !isFirst && [REPORTS_PATH, "The newest"],
        ]}
      />
    </Page>
  );
}

function Reported({ day, reports, spotlight }: ReportedSpotlight) {
  const [first] = reports;
  return (
    <li>
      <p>
        <strong>
          <a href={reportsPath(day)}>
            <DayTime day={day} />
          </a>
        </strong>
        {spotlight !== null && (
          <>
            : <span dir="auto">{spotlight.headline}</span>
          </>
        )}
      </p>
      <p class="quiet">
        {reports.length === 1 ? "1 report" : `${reports.length} reports`}
        {reports.length === COUNTED_MAX && " or more"}
        {first && (
          <>
            , the first <Moment atMs={first.reportedAtMs} />
          </>
        )}
        {spotlight?.removedAtMs && ", removed by now"}
      </p>
    </li>
  );
}

/** What the page of one Spotlight's reports shows. */
export interface ReportedDayProps {
  detail: ReportedDetail;
  /** Whether money was paid for the day that may be given back. */
  mayRefund: boolean;
  note: string | null;
}

/** `/operator/reports/{day}`: reports of a Spotlight, with every remedy. */
export function ReportedDayPage(
  { detail, mayRefund, note }: ReportedDayProps,
): Html {
  const { day, reports, spotlight } = detail;
  return (
    <Page
      title={`Reports of ${dayName(day)}`}
      heading={
        <>
          Reports of <DayTime day={day} />
        </>
      }
      note={note}
    >
      {spotlight?.removedAtMs && (
        <p class="note">
          Removed <Moment atMs={spotlight.removedAtMs} />
        </p>
      )}
      {spotlight !== null && <SpotlightStage ad={spotlight} heading="h2" />}
      <section>
        <h2>What readers say</h2>
        <Cards
          none="No report of it is open."
          of={reports.map((report) => <Report report={report} />)}
        />
      </section>
      <section>
        <h2>What you can do</h2>
        <CloseReports {...detail} />
        <WithdrawApproval {...detail} />
        <RemoveSpotlight {...detail} mayRefund={mayRefund} />
        <SuspendAdvertiser {...detail} />
      </section>
      <p class="quiet">
        <a href={REPORTS_PATH}>All reports</a> ·{" "}
        <a href={dayPath(day)}>The day</a>
      </p>
    </Page>
  );
}

function Report({ report }: { report: AdReport }) {
  return (
    <li>
      <p>
        <strong>
          {report.policyId === null
            ? "Something else"
            : POLICIES[report.policyId].title}
        </strong>{" "}
        <span dir="auto">{report.text}</span>
      </p>
      <p class="quiet">
        Reported <Moment atMs={report.reportedAtMs} />, reference{" "}
        <code>{report.id}</code>
      </p>
    </li>
  );
}

function CloseReports({ day, reports }: ReportedDetail) {
  if (reports.length === 0) return null;
  const what = reports.length === 1 ? "the report" : "these reports";
  return (
    <Form action={`${reportsPath(day)}/close`}>
      {reports.map(({ id }) => <Hidden name="report" value={id} />)}
      <Button>Close {what}</Button>
    </Form>
  );
}

/** Says where another page's form leads back to. */
function Back({ day }: { day: Day }) {
  return <Hidden name={REPORTS_OF} value={day} />;
}

function WithdrawApproval({ creative, day }: ReportedDetail) {
  if (creative?.state !== "approved") return null;
  return (
    <details>
      <summary>Withdraw the ad’s approval</summary>
      <p>
        Bids that stand on it become void when their day settles. A Spotlight
        that shows it stays until it is removed.
      </p>
      <TurnDown
        action={`${REVIEW_PATH}/${creative.adId}/withdraw`}
        what="Withdraw the approval"
      >
        <Back day={day} />
      </TurnDown>
    </details>
  );
}

function RemoveSpotlight(
  { spotlight, day, mayRefund }: ReportedDetail & { mayRefund: boolean },
) {
  if (spotlight === null || spotlight.removedAtMs !== null) return null;
  const { title, effect, button } = dayAct("remove");
  return (
    <details>
      <summary>{title}</summary>
      <Form action={`${dayPath(day)}/remove`}>
        <p>{effect}</p>
        <ReasonField scope="remove" hint="The owner reads it" />
        {mayRefund && (
          <Tick name="refund" value="yes" checked={false}>
            Give the winner the money back as well
          </Tick>
        )}
        <Back day={day} />
        <Button kind={button}>{title}</Button>
      </Form>
    </details>
  );
}

function SuspendAdvertiser({ spotlight, day }: ReportedDetail) {
  const accountId = spotlight?.accountId ?? null;
  if (accountId === null) return null;
  const { title, effect, button } = accountAct("suspend");
  return (
    <details>
      <summary>Suspend the advertiser</summary>
      <Form action={`${accountPath(accountId)}/suspend`}>
        <p>
          <a href={accountPath(accountId)}>{accountId}</a>. {effect}
        </p>
        <ReasonField scope="suspend" hint="The owner reads it" />
        <Back day={day} />
        <Button kind={button}>{title}</Button>
      </Form>
    </details>
  );
}
