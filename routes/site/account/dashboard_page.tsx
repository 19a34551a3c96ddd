import { PAGES } from "../../../domain/pages.ts";
import type { Html } from "../../pages/html.ts";
import type { AgentView } from "../agents/agents_view.ts";
import { By } from "../bids/bid_words.tsx";
import { ShownTimes } from "../ui/shown_window.tsx";
import type { BidView, OpenAuction } from "../bids/bids_view.ts";
import { showEuros, thousands } from "../../../domain/text/euros.ts";
import { Moment } from "../pages/moment.tsx";
import { Cards, Facts, Page } from "../pages/page.tsx";
import { COUNTDOWN_SCRIPTS } from "../pages/script_routes.ts";
import { reportPath } from "../reports/reports_page.tsx";
import { costOfClick, keptCents } from "../reports/reports_view.ts";
import { DayTime } from "../ui/day_time.tsx";
import { Stats } from "../ui/stats.tsx";
import { Steps } from "../ui/steps.tsx";
import { ClosesAt } from "../bids/closes_at.tsx";
import type { Dashboard, LastWon } from "./dashboard_view.ts";
import { firstStepsOf } from "../first_steps/first_steps.ts";
import { Troubles } from "./troubles.tsx";

/** Agents that are shown; the page of agents has all. */
const AGENTS_SHOWN = 5;

/** `/account`: what is in the way, what is next, and how it goes. */
export function DashboardPage(
  { dashboard, askAt }: { dashboard: Dashboard; askAt: string },
): Html {
  const { account, agents, lastWon } = dashboard;
  const isOperator = dashboard.reasons.includes("operator_account");
  return (
    <Page
      title="Dashboard"
      heading={<bdi>{account.company?.name ?? "Welcome"}</bdi>}
      scripts={COUNTDOWN_SCRIPTS}
    >
      <Troubles dashboard={dashboard} askAt={askAt} />
      {!isOperator && (
        <>
          <Next dashboard={dashboard} />
          {lastWon !== null && <LastDay {...lastWon} />}
          <Agents agents={agents} />
        </>
      )}
      <p class="quiet">
        You are signed in as{" "}
        <strong>{account.email}</strong>. Your company, mails, passkeys and
        browsers are in <a href={PAGES.settings}>Settings</a>.
      </p>
    </Page>
  );
}

/** The way to a first bid, or tonight's auction once that is behind. */
function Next({ dashboard }: { dashboard: Dashboard }) {
  const steps = firstStepsOf(dashboard);
  if (steps === null || dashboard.tonight.open?.standing) {
    return <Tonight dashboard={dashboard} />;
  }
  const done = steps.filter(({ isDone }) => isDone).length;
  return (
    <section>
      <h2>Until your first bid</h2>
      <p class="quiet">{done} of {steps.length} steps done</p>
      <Steps of={steps} />
    </section>
  );
}

function Tonight({ dashboard }: { dashboard: Dashboard }) {
  const { tonight: { open, nextOpensAtMs }, nowMs, reasons } = dashboard;
  if (open === null) {
    return (
      <section>
        <h2>No auction is open</h2>
        <p>
          The next one opens on <Moment atMs={nextOpensAtMs} />.{" "}
          <a href={PAGES.bids}>Your bids</a>
        </p>
      </section>
    );
  }
  return (
    <section class="auction">
      <h2>Tonight’s auction</h2>
      <Facts
        of={[
          [
            "Closes",
            <ClosesAt atMs={open.closesAtMs} nowMs={nowMs} />,
          ],
          ["Winner is shown", <ShownTimes {...open.shown} />],
          ["Your bid", <OwnBid standing={open.standing} />],
        ]}
      />
      <BidButton open={open} mayBid={reasons.length === 0} />
    </section>
  );
}

function OwnBid({ standing }: { standing: BidView | null }) {
  if (standing === null) return <>You have not bid.</>;
  return (
    <>
      <strong>{showEuros(standing.bid.amountCents)}</strong>, placed{" "}
      <By {...standing} />
      {standing.headline !== null && (
        <>
          , for <bdi>{standing.headline}</bdi>
        </>
      )}
    </>
  );
}

/** Nobody is led to a form that would refuse them. */
function BidButton(
  { open, mayBid }: { open: OpenAuction; mayBid: boolean },
) {
  if (!mayBid) return null;
  return (
    <p>
      {open.standing === null
        ? <a class="button main" href={PAGES.bids}>Place a bid</a>
        : <a class="button" href={PAGES.bids}>Raise your bid</a>}
    </p>
  );
}

function Removed(
  { removedAtMs, removalReason }: LastWon["report"],
) {
  if (removedAtMs === null) return null;
  return removalReason === null ? <>– we removed this Spotlight</> : (
    <>
      – we removed this Spotlight: <bdi>{removalReason}</bdi>
    </>
  );
}

function LastDay({ report, shown }: LastWon) {
  const { day, headline, humanClicks, spend, final } = report;
  const paidCents = keptCents(spend);
  const back = spend.refundedCents;
  return (
    <section>
      <h2>Your last Spotlight</h2>
      <p>
        <a href={reportPath(day)}>
          <DayTime day={day} />
        </a>
        : <bdi>{headline}</bdi> <Removed {...report} />
        <br />
        <span class="quiet">
          Shown <ShownTimes {...shown} />
        </span>
      </p>
      <Stats
        of={[
          {
            name: "Human clicks",
            value: thousands(`${humanClicks}`),
            hint: final ? null : "so far",
          },
          {
            name: "Cost of a human click",
            value: costOfClick(paidCents, humanClicks) ?? "–",
          },
          {
            name: "Spent",
            value: showEuros(paidCents),
            hint: back === 0 ? null : `${showEuros(back)} was given back`,
          },
        ]}
      />
    </section>
  );
}

function Agents({ agents }: { agents: readonly AgentView[] }) {
  const more = agents.length - AGENTS_SHOWN;
  return (
    <section>
      <h2>Agents</h2>
      <Cards
        none="No agent is connected. One can bid for you, within limits that you set."
        of={agents.slice(0, AGENTS_SHOWN).map((agent) => (
          <Agent
            agent={agent}
          />
        ))}
      />
      <p>
        <a href={PAGES.agents}>
          {agents.length === 0
            ? "Connect an agent"
            : more > 0
            ? `All ${agents.length} agents`
            : "Limit or stop them"}
        </a>
      </p>
    </section>
  );
}

function Agent({ agent: { name, mandate } }: { agent: AgentView }) {
  return (
    <li>
      <p>
        <strong>
          <bdi>{name}</bdi>
        </strong>
      </p>
      <p class="quiet">
        {mandate === null
          ? "May not bid"
          : `${showEuros(mandate.usedCents)} used today, ` +
            `${showEuros(mandate.leftCents)} left`}
      </p>
    </li>
  );
}
