import { LINK_NAME } from "../../../domain/partners/create_link.ts";
import { LINKS_MAX } from "../../../domain/partners/limits.ts";
import { leastPayoutCents } from "../../../domain/partners/payout_balance.ts";
import type { Partner } from "../../../domain/partners/partner.ts";
import type { ReferralLink } from "../../../domain/partners/referral_link.ts";
import { PAGES } from "../../../domain/pages.ts";
import type { Html } from "../../pages/html.ts";
import { showEuros, signedEuros } from "../../../domain/text/euros.ts";
import { Button, faultsOf, Field, Form, Hidden } from "../pages/forms.tsx";
import { Moment } from "../pages/moment.tsx";
import { Cards, Page } from "../pages/page.tsx";
import { COUNTER_SCRIPTS, DOCUMENT_SCRIPTS } from "../pages/script_routes.ts";
import { Stats } from "../ui/stats.tsx";
import { ApplyForm, Programme } from "./apply_form.tsx";
import { FIELD_IDS, LABELS, type PartnerForm } from "./partner_form.ts";
import { Months, Payouts, Statements } from "./partner_tables.tsx";
import { SetUp } from "./set_up.tsx";
import type { PartnerView } from "./partner_view.ts";

/** What the page is given. */
interface PartnerPageProps {
  view: PartnerView;
  note: string | null;
  error: string | null;
  form: PartnerForm;
  /** Of this rendering: a form that is sent twice makes one link. */
  token: string;
}

/** `/partner`: recommending Spotlight, from asking to be a partner to payouts. */
export function PartnerPage(
  { view, note, error, form, token }: PartnerPageProps,
): Html {
  const { partner } = view;
  const isAsking = partner === null || partner.state === "refused";
  return (
    <Page
      title="Partner programme"
      note={note}
      error={error}
      faults={faultsOf(form.errors, FIELD_IDS, LABELS)}
      scripts={[...DOCUMENT_SCRIPTS, ...COUNTER_SCRIPTS]}
    >
      {partner !== null && <Standing partner={partner} view={view} />}
      {isAsking && <Programme />}
      {isAsking && <ApplyForm {...form} />}
      {!isAsking && partner.state !== "applied" && (
        <Figures view={view} form={form} token={token} />
      )}
    </Page>
  );
}

function Standing(
  { partner, view }: { partner: Partner; view: PartnerView },
): Html | null {
  const { state, appliedAtMs, decidedAtMs, reason } = partner;
  const why = reason !== null && (
    <>
      {" "}
      The operator wrote: <q dir="auto">{reason}</q>
    </>
  );
  const since = <Moment atMs={decidedAtMs ?? appliedAtMs} />;
  switch (state) {
    case "applied":
      return (
        <p>
          You asked to be a partner on{" "}
          <Moment atMs={appliedAtMs} />. We read it and tell you by mail. You
          wrote: <q dir="auto">{partner.pitch}</q>
        </p>
      );
    case "refused":
      return (
        <p class="note warning">
          You were not approved as a partner on {since}.{why}{" "}
          You can ask again below.
        </p>
      );
    case "ended":
      return (
        <p class="note warning">
          Your partnership ended on {since}: links no longer count.{why}
        </p>
      );
    case "approved":
      return view.isVerified
        ? null
        : <p class="note">You are approved since {since}.{why}</p>;
  }
}

function Figures(
  { view, form, token }: Pick<PartnerPageProps, "view" | "form" | "token">,
): Html {
  const { balance, months, payouts, statements, partner } = view;
  const { payableCents, requestedCents, paidCents, openPayoutId } = balance;
  const leastCents = leastPayoutCents(partner);
  const canAsk = !view.isSuspended && openPayoutId === null &&
    payableCents >= leastCents &&
    partner?.connectedAccount?.payoutsEnabled === true;
  return (
    <>
      {view.isSuspended && (
        <p class="note">
          Your account is suspended. Commission goes on counting, and payouts
          wait until that is lifted. <a href={PAGES.account}>Your account</a>
          {" "}
          says why, and whom to ask.
        </p>
      )}
      <SetUp account={partner?.connectedAccount ?? null} form={form} />
      <Stats
        of={[
          {
            name: "To pay out",
            value: signedEuros(payableCents),
            hint: payableCents < 0
              ? "Taken back; later commissions make it up"
              : `From ${showEuros(leastCents)} on`,
          },
          { name: "Under way", value: showEuros(requestedCents) },
          { name: "Paid", value: showEuros(paidCents) },
        ]}
      />
      {canAsk && (
        <Form action={`${PAGES.partner}/payouts`}>
          <Button>Ask for a payout</Button>
        </Form>
      )}
      <Links view={view} form={form} token={token} />
      <Months months={months} />
      <Payouts payouts={payouts} />
      <Statements statements={statements} />
      <p class="quiet">
        What the programme pays, and why you see totals of several invoices
        only: <a href="/affiliate">the terms of the programme</a>.
      </p>
    </>
  );
}

function Links(
  { view, form: { typed, errors }, token }: Pick<
    PartnerPageProps,
    "view" | "form" | "token"
  >,
): Html {
  const { links, partner, baseUrl } = view;
  const error = errors.name ?? null;
  return (
    <section id="links">
      <h2>Your links</h2>
      <Cards
        none="You have no link yet."
        of={links.map((link) => <Link link={link} baseUrl={baseUrl} />)}
      />
      {partner?.state === "approved" && links.length < LINKS_MAX && (
        <details open={error !== null}>
          <summary>Make another link</summary>
          <Form action={`${PAGES.partner}/links`}>
            <Hidden name="token" value={token} />
            <Field
              name="name"
              label="Name"
              hint="Only you see it, such as the place where you put the link."
              value={typed.name}
              error={error}
              counted={LINK_NAME.max}
              required
            />
            <Button>Make the link</Button>
          </Form>
        </details>
      )}
    </section>
  );
}

function Link(
  { link: { code, name, state, endedAtMs }, baseUrl }: {
    link: ReferralLink;
    baseUrl: string;
  },
): Html {
  return (
    <li>
      <p>
        <strong dir="auto">{name}</strong>
      </p>
      {state === "active"
        ? (
          <>
            <div class="paste">
              <pre tabindex={0}><code>{`${baseUrl}/r/${code}`}</code></pre>
            </div>
            <details>
              <summary>End this link</summary>
              <Form action={`${PAGES.partner}/links/end`}>
                <p>
                  Sign-ups by it no longer count; those before it stay yours. It
                  can’t be undone.
                </p>
                <Hidden name="code" value={code} />
                <Button kind="danger">End the link</Button>
              </Form>
            </details>
          </>
        )
        : (
          <p class="quiet">
            Ended {endedAtMs !== null && <Moment atMs={endedAtMs} />}
          </p>
        )}
    </li>
  );
}
