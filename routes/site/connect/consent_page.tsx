import type { Bid } from "../../../domain/bids/bid.ts";
import type { Consent } from "../../../domain/oauth/authorize/open_authorization.ts";
import type { Scope } from "../../../domain/oauth/grant.ts";
import { PAGES } from "../../../domain/pages.ts";
import { LiveBids } from "../agents/live_bids.tsx";
import {
  ErrorNote,
  Field,
  Form,
  Hidden,
  StatusNote,
  Tick,
} from "../pages/forms.tsx";
import type { Html } from "../../pages/html.ts";
import { Layout } from "../../pages/layout.tsx";
import { Moment } from "../pages/moment.tsx";
import { Facts } from "../pages/page.tsx";
import type { ConsentDraft, ConsentErrors } from "./consent_form.ts";
import { ScopeChoice, ScopeChoices, WithheldScopes } from "./scope_choices.tsx";

/** What the consent page shows. */
export interface ConsentPageProps {
  consent: Consent;
  /** Who is signed in. */
  account: { email: string; companyName: string | null };
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
    <Layout title="Connect an agent – Spotlight">
      <h1>
        Connect <bdi>{name}</bdi>?
      </h1>
      {faulty && (
        <ErrorNote>
          Nothing has been allowed yet. Please correct the fields marked below.
        </ErrorNote>
      )}
      {props.resumed && !faulty && (
        <StatusNote>
          You are signed in again. The form is as you left it: check it and
          press Allow.
        </StatusNote>
      )}
      <p>It asks to act for you here. You decide what it may do.</p>
      <ConsentFacts consent={consent} account={props.account} />
      <Form action={`/connect/${consent.requestId}`} class="consent stacked">
        <Hidden name="token" value={props.token} />
        <ScopeChoices
          offered={offered}
          ticked={props.draft.scopes}
          error={errors.scopes ?? null}
        />
        {withheld.length > 0 && <WithheldScopes scopes={withheld} />}
        {offered.includes("bids:write") && (
          <MandateFields
            draft={props.draft}
            errors={errors}
            days={props.days}
          />
        )}
        <Afterwards {...props} />
        <Decision {...props} />
      </Form>
    </Layout>
  );
}

/** What revoking does and does not do. */
function Afterwards({ offered, liveBids }: ConsentPageProps) {
  return (
    <section>
      <h2>Afterwards</h2>
      <p>
        Your <a href={PAGES.agents}>agents page</a>{" "}
        shows what it may do, what it has spent today, and lets you revoke this
        at any time. Its next request is then refused.
      </p>
      {offered.includes("bids:write") && (
        <p>
          Revoking, and the end of the spending limits, do not take back bids
          that were already accepted: they stand, and the winning one is
          charged.
        </p>
      )}
      {liveBids.length > 0 && <LiveBids bids={liveBids} heading="h3" />}
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

/**
 * Whether the agent may spend, and how much. No amount is proposed: the person
 * says it.
 */
function MandateFields(
  { draft, errors, days }: {
    draft: ConsentDraft;
    errors: ConsentErrors;
    days: { first: string; last: string };
  },
): Html {
  return (
    <fieldset class="mandate">
      <legend>It may spend</legend>
      <ScopeChoice
        scope="bids:write"
        ticked={draft.scopes.includes("bids:write")}
      />
      <p>
        You pay what a winning bid says. It can bid no more than this: of the
        two amounts the smaller one counts. Untick it if it should not spend
        anything.
      </p>
      <Field
        name="max_bid"
        label="Highest single bid, in euros"
        hint="For one day’s Spotlight, such as 12.50"
        value={draft.maxBid}
        error={errors.maxBid ?? null}
        inputmode="decimal"
        maxlength={20}
      />
      <Field
        name="daily_cap"
        label="Most it may bid on one day, in euros"
        hint="All its bids of a day (UTC) together; a raise counts by what it adds"
        value={draft.dailyCap}
        error={errors.dailyCap ?? null}
        inputmode="decimal"
        maxlength={20}
      />
      <Field
        name="valid_until"
        type="date"
        label="Last day it may bid"
        hint={`From ${days.first} to ${days.last}, to the end of the day in UTC`}
        value={draft.validUntil}
        error={errors.validUntil ?? null}
      />
    </fieldset>
  );
}
