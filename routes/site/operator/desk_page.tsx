import { troubleLine } from "../../../domain/alerts/alert.ts";
import { PAGES } from "../../../domain/pages.ts";
import type { Html } from "../../pages/html.ts";
import { Moment } from "../pages/moment.tsx";
import { Page } from "../pages/page.tsx";
import { Counts } from "../ui/counts.tsx";
import { DayTime } from "../ui/day_time.tsx";
import { Standing } from "./days_page.tsx";
import {
  COMPARED_DAYS,
  type Desk,
  type DeskDay,
  type OpenAlert,
} from "./desk_view.ts";
import { HoldNote } from "./hold_page.tsx";
import { dayPath, KEYS_PATH } from "./paths.ts";

/** `/operator`: how the service stands, and what waits for an operator. */
export function OperatorPage({ desk }: { desk: Desk }): Html {
  const { hold, tonight, lastNight, alerts, waiting } = desk;
  const isQuiet = waiting.every(({ found }) => found === 0);
  return (
    <Page title="Desk">
      <HoldNote hold={hold} />
      <Alerts alerts={alerts} />
      <h2>What waits for you</h2>
      <p>
        {isQuiet
          ? "Nothing."
          : `The books are those of the last ${COMPARED_DAYS} days.`}
      </p>
      <Counts of={waiting} />
      <Tonight of={tonight} />
      <LastNight of={lastNight} />
      <p class="quiet">
        Readers see{" "}
        <a href={PAGES.home}>today’s Spotlight</a>. Programs use the operator
        API with <a href={KEYS_PATH}>keys that you make</a>.
      </p>
    </Page>
  );
}

/** What operators were told of and is not over yet. */
function Alerts({ alerts }: { alerts: readonly OpenAlert[] }) {
  if (alerts.length === 0) return null;
  return (
    <section class="note error">
      <h2>What wants a person now</h2>
      <ul>
        {alerts.map(({ trouble, sinceMs }) => (
          <li>
            {troubleLine(trouble)}, since <Moment atMs={sinceMs} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Tonight({ of: { day, state } }: { of: DeskDay }) {
  const { phase, bidCount, closesAt, closedAt } = state;
  return (
    <>
      <h2>Tonight</h2>
      <p>
        The auction of <DayLink day={day} /> {phase === "OPEN" && (
          <>
            <strong>is open</strong> and closes{" "}
            <Moment atMs={Date.parse(closesAt ?? "")} />.
          </>
        )}
        {phase === "IDLE" && <strong>has not been opened.</strong>}
        {phase === "CLOSED" && (
          <>
            <strong>is closed</strong>
            {closedAt !== null && (
              <>
                , since <Moment atMs={Date.parse(closedAt)} />
              </>
            )}.
          </>
        )}{" "}
        {bidCount === 1
          ? "One advertiser bids"
          : `${bidCount} advertisers bid`}.
      </p>
    </>
  );
}

/** How the auction before ended. */
function LastNight({ of }: { of: DeskDay }) {
  const passedOver = (of.settlement?.candidates ?? [])
    .filter(({ step }) => step === "passed_over").length;
  return (
    <>
      <h2>Last night</h2>
      <p>
        <DayLink day={of.day} />: <Standing report={of} />
        {passedOver > 0 &&
          `; ${passedOver} ${
            passedOver === 1 ? "bid was" : "bids were"
          } passed over`}
      </p>
    </>
  );
}

function DayLink({ day }: Pick<DeskDay, "day">) {
  return (
    <a href={dayPath(day)}>
      <DayTime day={day} />
    </a>
  );
}
