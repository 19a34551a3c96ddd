import type { OperatorAct } from "../../../domain/audit/operator_act.ts";
import { PAGES } from "../../../domain/pages.ts";
import type { DeskDay } from "../../../domain/settlement/read_desk_day.ts";
import type { Html } from "../../pages/html.ts";
import { Button, Form, Tick } from "../pages/forms.tsx";
import { Page } from "../pages/page.tsx";
import { dayName, DayTime } from "../ui/day_time.tsx";
import { SpotlightStage } from "../ui/stage.tsx";
import { Timeline } from "../ui/timeline.tsx";
import { AuditLines } from "./audit_lines.tsx";
import {
  DAY_ACT_NAMES,
  dayAct,
  type DayActName,
  mayEndEarly,
  refundable,
} from "./day_acts.ts";
import { dayStepsOf } from "./day_steps.tsx";
import { Standing } from "./days_page.tsx";
import { accountPath, dayPath, DAYS_PATH } from "./paths.ts";
import { reasonFaults, ReasonField } from "./desk_act.tsx";

/** What comes back in a form of the page. */
export interface TypedDayAct {
  act: DayActName;
  reason: string;
  refund: boolean;
  /** What is wrong with the reason; null for nothing. */
  error: string | null;
}

/** What the page of a day shows. */
export interface DayPageProps {
  day: DeskDay;
  note: string | null;
  error: string | null;
  typed: TypedDayAct | null;
  /** What operators did about it last. */
  acts: readonly OperatorAct[];
}

/** `/operator/days/{day}`: how far a day is, and what can be done about it. */
export function DayPage({ day, note, error, typed, acts }: DayPageProps): Html {
  const offered = DAY_ACT_NAMES.filter((act) => dayAct(act).isOffered(day));
  const isHeldOpen = mayEndEarly(day) && day.before.isUnsettled;
  return (
    <Page
      title={`Day ${dayName(day.day)}`}
      heading={<DayTime day={day.day} />}
      note={note}
      error={error}
      faults={reasonFaults(typed)}
    >
      <p class="lead">
        <Standing report={day} />
      </p>
      <section>
        <h2>What happened</h2>
        <p class="quiet">
          Times are in UTC.
          {day.settledAtMs === null &&
            " Who bid, and how much, is sealed until the day has settled."}
        </p>
        <Timeline of={dayStepsOf(day)} />
      </section>
      <Shown day={day} />
      {(offered.length > 0 || isHeldOpen) && (
        <section>
          <h2>What you can do</h2>
          {isHeldOpen && <HeldOpen day={day} />}
          {offered.map((act) => <Act {...{ act, day, typed }} />)}
        </section>
      )}
      <AuditLines subject={day.day} acts={acts} />
      <p class="quiet">
        <a href={DAYS_PATH}>All days</a>
      </p>
    </Page>
  );
}

/** Why the auction can't be closed yet, and what to do. */
function HeldOpen({ day: { before } }: { day: DeskDay }) {
  return (
    <p>
      The auction can’t be closed before its hour yet:{" "}
      <a href={dayPath(before.day)}>{dayName(before.day)}</a>{" "}
      is not settled, and its winner’s time on show would end. Settle that
      first; else this one closes by itself.
    </p>
  );
}

function Shown({ day: { spotlight, day } }: { day: DeskDay }) {
  if (spotlight === null) return null;
  const { removedAtMs, accountId, adId } = spotlight;
  return (
    <section>
      <h2>{removedAtMs === null ? "What readers see" : "What readers saw"}</h2>
      <SpotlightStage ad={spotlight} heading="h3" />
      <ul>
        {removedAtMs === null && (
          <li>
            <a href={`/spotlights/${day}`}>Its page</a>
          </li>
        )}
        {adId !== null && (
          <li>
            <a href={`${PAGES.desk}/review/${adId}`}>Its ad at the desk</a>
          </li>
        )}
        {accountId !== null && (
          <li>
            <a href={accountPath(accountId)}>Its account</a>
          </li>
        )}
      </ul>
    </section>
  );
}

function Act(
  { act, day, typed }: Pick<DayPageProps, "day" | "typed"> & {
    act: DayActName;
  },
) {
  const { title, effect, button, takesReason, isReasonMailed, mayRefund } =
    dayAct(act);
  const back = typed?.act === act ? typed : null;
  return (
    <details open={back !== null}>
      <summary>{title}</summary>
      <Form action={`${dayPath(day.day)}/${act}`}>
        <p>{effect}</p>
        {takesReason && (
          <ReasonField
            scope={act}
            hint={isReasonMailed
              ? "The owner reads it"
              : "It is kept with the day"}
            value={back?.reason ?? ""}
            error={back?.error ?? null}
          />
        )}
        {mayRefund && refundable(day) !== null && (
          <Tick name="refund" value="yes" checked={back?.refund ?? false}>
            Give the winner the money back as well
          </Tick>
        )}
        <Button kind={button}>{title}</Button>
      </Form>
    </details>
  );
}
