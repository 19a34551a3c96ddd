import type { AuctionHours } from "../../../domain/auction/auction.ts";
import type { Bid } from "../../../domain/bids/bid.ts";
import type { Consent } from "../../../domain/oauth/authorize/open_authorization.ts";
import type { Scope } from "../../../domain/oauth/grant.ts";
import type { GrantOverview } from "../../../domain/oauth/list_grants.ts";
import type { Spender } from "../../../domain/oauth/list_spenders.ts";
import { PAGES } from "../../../domain/pages.ts";
import { LiveBids } from "../pages/live_bids.tsx";
import { faultsOf, Form, Hidden, Tick } from "../pages/forms.tsx";
import type { Html } from "../../pages/html.ts";
import { Moment } from "../pages/moment.tsx";
import { Facts, Page } from "../pages/page.tsx";
import type { ConsentDraft, ConsentErrors } from "./consent_form.ts";
import {
  MANDATE_IDS,
  MANDATE_LABELS,
  MandateFields,
} from "./mandate_fields.tsx";
import { ScopeChoices, WithheldScopes } from "./scope_choices.tsx";
import { StandingNote } from "./standing_note.tsx";

/** What the consent page shows. */
export interface ConsentPageProps {
  consent: Consent;
  /** Who is signed in. */
  account: { email: string; companyName: string | null };
  /** The connection that Allow changes; null where it makes one. */
  standing: GrantOverview | null;
  /** The scopes that can be granted. */
  offered: readonly Scope[];
  draft: ConsentDraft;
  errors: ConsentErrors;
  /** Ties the form to this request in this browser. */
  token: string;
  /** The person has signed in again and finds the form as it was. */
  resumed: boolean;
  /** Some of what is asked takes a sign-in that is not there. */
  needsSignIn: boolean;
  /** What stands whatever becomes of the agent; asked for bidding only. */
  liveBids: readonly Bid[];
  hours: AuctionHours;
  /** The other agents that may spend; asked for bidding only. */
  spenders: readonly Spender[];
  /** What it used today before it was disconnected, cents. */
  usedBeforeCents: number;
  /** The days a mandate may end on. */
  days: { first: string; last: string };
  /** Whether a page in between is up to the person. */
  offersPage: boolean;
}

/** `/connect/{areq}`: what an agent asks for, to be allowed or denied. */
export function ConsentPage(props: ConsentPageProps): Html {
  const { consent, errors, offered } = props;
  const { name } = consent.client;
  const faulty = Object.keys(errors).length > 0;
  const withheld = consent.scopes.filter((scope) => !offered.includes(scope));
  return (
    <Page
      title="Connect an agent"
      heading={
        <>
          Connect <bdi>{name}</bdi>
          {props.standing === null ? "?" : " again?"}
        </>
      }
      note={props.resumed && !faulty
        ? "You are signed in again. The form is as you left it: check it and " +
          "press Allow."
        : null}
      error={faulty ? "Nothing has been allowed yet:" : null}
      faults={faultsOf(errors, MANDATE_IDS, MANDATE_LABELS)}
    >
      <p>It asks to act for you here. You decide what it may do.</p>
      <ConsentFacts consent={consent} account={props.account} />
      {props.standing !== null && (
        <StandingNote standing={props.standing} offered={offered} />
      )}
      <Form action={`/connect/${consent.requestId}`} class="consent stacked">
        <Hidden name="token" value={props.token} />
        <ScopeChoices
          offered={offered}
          ticked={props.draft.scopes}
          error={errors.scopes ?? null}
        />
        <WithheldScopes scopes={withheld} />
        {offered.includes("bids:write") && (
          <MandateFields
            draft={props.draft}
            errors={errors}
            days={props.days}
            spenders={props.spenders}
            usedBeforeCents={props.usedBeforeCents}
          />
        )}
        <Afterwards {...props} />
        <Decision {...props} />
      </Form>
    </Page>
  );
}

/** What revoking does and does not do. */
function Afterwards({ offered, liveBids, hours }: ConsentPageProps) {
  return (
    <section>
      <h2>Afterwards</h2>
      <p>
        Your <a href={PAGES.agents}>agents page</a>{" "}
        shows what it may do, what it has spent today, and lets you change or
        revoke this at any time. Once revoked, its next request is refused.
      </p>
      {offered.includes("bids:write") && (
        <p>
          Revoking, and the end of the spending limits, do not take back bids
          that were already accepted: they stand, and the winning one is
          charged.
        </p>
      )}
      {liveBids.length > 0 && (
        <LiveBids bids={liveBids} hours={hours} heading="h3" />
      )}
    </section>
  );
}

function Decision(props: ConsentPageProps) {
  const { consent, draft, offered } = props;
  const canAllow = offered.length > 0;
  return (
    <section class="decision">
      {canAllow && props.needsSignIn && (
        <p class="note">
          Some of these permissions take a sign-in of the last 10 minutes. If
          you keep them ticked, Allow first leads to the sign-in and then back
          here, with the form as you left it.
        </p>
      )}
      {props.offersPage && canAllow && <ViaPage ticked={draft.viaPage} />}
      <p class="quiet">
        This request ends at <Moment atMs={consent.expiresAtMs} />.
      </p>
      <div class="buttons">
        {canAllow && (
          <button type="submit" name="decision" value="allow" class="main">
            Allow
          </button>
        )}
        <button type="submit" name="decision" value="deny" class="plain">
          {canAllow ? "Deny" : "Go back without connecting"}
        </button>
      </div>
    </section>
  );
}

/** For agents whose own page hands over to a program. */
function ViaPage({ ticked }: { ticked: boolean }) {
  return (
    <details open={ticked}>
      <summary>Did nothing happen after Allow?</summary>
      <p>
        Some browsers stop on the way when an agent’s site passes you on to a
        program. Begin again in the agent, tick this box and press Allow.
      </p>
      <Tick name="via" value="page" checked={ticked}>
        Go back by a page in between
      </Tick>
    </details>
  );
}

/** Who asks, for whose account, and where the answer goes. */
function ConsentFacts(
  { consent, account }: {
    consent: Consent;
    account: { email: string; companyName: string | null };
  },
): Html {
  const { client, redirectHost, redirectsToLoopback } = consent;
  return (
    <>
      <Facts
        of={[
          ["Agent", <bdi>{client.name}</bdi>],
          ["Known by", <KnownBy host={client.host} />],
          ["Sends you back to", <strong>{redirectHost}</strong>],
          [
            "Your account",
            <>
              {account.companyName !== null && (
                <>
                  <bdi>{account.companyName}</bdi>,{" "}
                </>
              )}
              {account.email}
            </>,
          ],
        ]}
      />
      {redirectsToLoopback && (
        <p class="note warning">
          This leads to a program on this computer ({redirectHost}). We can’t
          tell which one. Allow it only if you have just started it yourself.
        </p>
      )}
    </>
  );
}

function KnownBy({ host }: { host: string | null }) {
  if (host !== null) return <strong>{host}</strong>;
  return (
    <>
      <strong>unverified registration</strong>: it chose its name itself
    </>
  );
}
