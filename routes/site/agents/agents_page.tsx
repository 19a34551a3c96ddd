import type { AuctionHours } from "../../../domain/auction/auction.ts";
import type { Callback } from "../../../domain/callbacks/callback.ts";
import { PAGES } from "../../../domain/pages.ts";
import { showEuros } from "../../../domain/text/euros.ts";
import type { Html } from "../../pages/html.ts";
import { Moment } from "../pages/moment.tsx";
import { AgentCard } from "./agent_card.tsx";
import type { AgentsView, PastAgentView } from "./agents_view.ts";
import { DOCUMENT_SCRIPTS } from "../pages/script_routes.ts";
import { NoAgent } from "./no_agent.tsx";
import { ShownDay } from "../ui/shown_window.tsx";
import { Cards, Page } from "../pages/page.tsx";

/** `/agents`: who acts for the account, within what, and how to end it. */
export function AgentsPage(
  { view, callbacks, hours, authUrl, done }: {
    view: AgentsView;
    /** Where events are sent, by the agent that is told. */
    callbacks: ReadonlyMap<string, Callback>;
    hours: AuctionHours;
    authUrl: string;
    done: string | null;
  },
): Html {
  const { connected, past, otherBids } = view;
  return (
    <Page
      title="Your agents"
      note={done}
      {...connected.length === 0 && { scripts: DOCUMENT_SCRIPTS }}
    >
      {connected.length === 0 ? <NoAgent authUrl={authUrl} /> : (
        <>
          <p>
            These act for you here. Revoking one refuses its next request; it
            does not take back bids that were already accepted.
          </p>
          <Cards
            of={connected.map((agent) => (
              <AgentCard
                agent={agent}
                callback={callbacks.get(agent.grantId) ?? null}
                hours={hours}
              />
            ))}
          />
        </>
      )}
      {otherBids.length > 0 && <OtherBids bids={otherBids} hours={hours} />}
      {past.length > 0 && <Past agents={past} />}
      <section>
        <h2>Something looks wrong?</h2>
        <p>
          If somebody else may have used your account, sign out everywhere on
          {" "}
          <a href={PAGES.settings}>the page of settings</a>: that ends the
          sign-in of every browser and revokes every agent at once.
        </p>
      </section>
    </Page>
  );
}

function OtherBids(
  { bids, hours }: { bids: AgentsView["otherBids"]; hours: AuctionHours },
) {
  return (
    <section>
      <h2>Other bids that stand</h2>
      <p>Placed by you, or by agents that are no longer connected.</p>
      <ul>
        {bids.map(({ bid, by }) => (
          <li>
            {showEuros(bid.amountCents)} for the Spotlight of{" "}
            <ShownDay day={bid.day} hours={hours} />, by <bdi>{by}</bdi>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Past({ agents }: { agents: readonly PastAgentView[] }) {
  return (
    <section>
      <h2>No longer connected</h2>
      <ul class="quiet">
        {agents.map(({ name, host, ending, endedAtMs }) => (
          <li>
            <bdi>{name}</bdi>
            {host !== null && ` (${host})`}: {ending}
            {endedAtMs !== null && (
              <>
                {" "}
                <Moment atMs={endedAtMs} />
              </>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
