import type { AuctionHours } from "../../../domain/auction/auction.ts";
import type { Callback } from "../../../domain/callbacks/callback.ts";
import { PAGES } from "../../../domain/pages.ts";
import { showEuros } from "../../../domain/text/euros.ts";
import { Button, Form } from "../pages/forms.tsx";
import type { Html } from "../../pages/html.ts";
import { LINES_MAX } from "../../../domain/oauth/lines.ts";
import { lastDayOf } from "../../../domain/mandates/mandate_check.ts";
import { Moment, WholeDay } from "../pages/moment.tsx";
import type { AgentView } from "./agents_view.ts";
import { Facts } from "../pages/page.tsx";
import { LiveBids } from "../pages/live_bids.tsx";

/** Where what an agent may do is changed. */
export function changePath(grantId: string): string {
  return `${PAGES.agents}/${encodeURIComponent(grantId)}`;
}

/** A connected agent with what it may do and the way to end it. */
export function AgentCard(
  { agent, callback, hours }: {
    agent: AgentView;
    callback: Callback | null;
    hours: AuctionHours;
    key?: string;
  },
): Html {
  const { name, sees, changes, mandate, liveBids } = agent;
  return (
    <li class="agent">
      <h2>
        <bdi>{name}</bdi>
      </h2>
      <About agent={agent} callback={callback} />
      {sees.length > 0 && <Permissions title="It may see" labels={sees} />}
      {changes.length > 0 && (
        <Permissions title="It may change" labels={changes} />
      )}
      {mandate !== null && <MandateFacts mandate={mandate} />}
      {liveBids.length > 0 && (
        <LiveBids bids={liveBids} hours={hours} heading="h3" />
      )}
      <p class="buttons">
        <a class="button" href={changePath(agent.grantId)}>
          Change what it may do <span class="unseen">({name})</span>
        </a>
        <a href={`${changePath(agent.grantId)}/webhook`}>
          Webhook <span class="unseen">of {name}</span>
        </a>
      </p>
      <Revoke agent={agent} />
    </li>
  );
}

/** What tells it from others: who vouches for it, its times and its webhook. */
function About(
  { agent, callback }: { agent: AgentView; callback: Callback | null },
) {
  return (
    <p class="quiet">
      <Origin agent={agent} />. Connected <Moment atMs={agent.createdAtMs} />,
      {" "}
      {agent.lastUsedAtMs === null ? "not used yet" : (
        <>
          last used <Moment atMs={agent.lastUsedAtMs} />
        </>
      )}.
      <Installations agent={agent} />
      {callback !== null && <WebhookNote callback={callback} />}
      {agent.isNamesake && (
        <>
          {" "}Another has this name: this one is <code>{agent.grantId}</code>
          {" "}
          in the API.
        </>
      )}
    </p>
  );
}

/** In how many places it is connected, each of which its owner allowed. */
function Installations({ agent }: { agent: AgentView }) {
  const { installations, oneEndedAtMs } = agent;
  return (
    <>
      {installations !== null && (
        <>
          {" "}Installations: {installations.count}, the last connected{" "}
          <Moment atMs={installations.lastAtMs} />.
        </>
      )}
      {oneEndedAtMs !== null && (
        <>
          {" "}On <Moment atMs={oneEndedAtMs} />{" "}
          the one that was not used for longest was disconnected for a new one:
          there are {LINES_MAX} at most.
        </>
      )}
    </>
  );
}

/** Where it is told of events, or was. */
function WebhookNote({ callback: { url, off } }: { callback: Callback }) {
  const host = <bdi>{new URL(url).host}</bdi>;
  return off === null
    ? <>{" "}Its webhook sends events to {host}.</>
    : <>{" "}Its webhook to {host} is switched off.</>;
}

function Origin({ agent: { host, redirectHost } }: { agent: AgentView }) {
  return (
    <>
      {host === null ? "Unverified registration" : <>Known by {host}</>}
      {redirectHost !== null && `, answers go to ${redirectHost}`}
    </>
  );
}

function Permissions(
  { title, labels }: { title: string; labels: readonly string[] },
) {
  return (
    <>
      <h3>{title}</h3>
      <ul>
        {labels.map((label) => <li>{label}</li>)}
      </ul>
    </>
  );
}

function MandateFacts(
  { mandate }: { mandate: NonNullable<AgentView["mandate"]> },
) {
  const { total } = mandate;
  return (
    <>
      <h3>Spending limits</h3>
      <Facts
        of={[
          ["Highest single bid", showEuros(mandate.maxBidCents)],
          ["Most on one day", showEuros(mandate.dailyCapCents)],
          [
            "Used today (UTC)",
            `${showEuros(mandate.usedCents)}, ` +
            `${showEuros(mandate.leftCents)} left`,
          ],
          total !== null && ["Most in all", showEuros(total.capCents)],
          total !== null && [
            "Used in all",
            `${showEuros(total.usedCents)}, ${showEuros(total.leftCents)} left`,
          ],
          [
            lastDayOf(mandate) === null ? "May bid until" : "May bid through",
            <End mandate={mandate} />,
          ],
        ]}
      />
    </>
  );
}

/** Its last day, as it was typed, where it ends with a day. */
function End({ mandate }: { mandate: NonNullable<AgentView["mandate"]> }) {
  const lastDay = lastDayOf(mandate);
  return lastDay === null
    ? <Moment atMs={mandate.validUntilMs} />
    : <WholeDay day={lastDay} />;
}

/** Opens without a script; the button inside says what it does. */
function Revoke({ agent }: { agent: AgentView }) {
  const { grantId, name, liveBids } = agent;
  return (
    <details>
      <summary>
        Revoke… <span class="unseen">(the access of {name})</span>
      </summary>
      <p>
        Its next request is refused, and it has to ask you again.
        {liveBids.length > 0 &&
          " Its bids listed above stand: the winning one is charged."}
      </p>
      <Form action={`${changePath(grantId)}/revoke`}>
        <Button kind="danger">
          Revoke access of <bdi>{name}</bdi>
        </Button>
      </Form>
    </details>
  );
}
