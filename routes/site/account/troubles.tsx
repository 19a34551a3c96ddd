import type { Child } from "@hono/hono/jsx";
import type { Dispute } from "../../../domain/disputes/dispute.ts";
import { PAGES } from "../../../domain/pages.ts";
import type { Html } from "../../pages/html.ts";
import { showEuros } from "../../../domain/text/euros.ts";
import { Moment } from "../pages/moment.tsx";
import { Notice } from "../ui/notice.tsx";
import type { Dashboard } from "./dashboard_view.ts";

/** What no step of the owner's way to a first bid takes away, worst first. */
export function Troubles(
  { dashboard, askAt }: { dashboard: Dashboard; askAt: string },
): Html {
  const { reasons } = dashboard;
  const ask = <a href={`mailto:${askAt}`}>{askAt}</a>;
  return (
    <>
      {reasons.includes("operator_account") && <OperatorNote />}
      {reasons.includes("suspended") && (
        <Suspended dashboard={dashboard} ask={ask} />
      )}
      {reasons.includes("card_refused") && (
        <CardRefused dashboard={dashboard} ask={ask} />
      )}
      {reasons.includes("dispute_open") && (
        <DisputeOpen dashboard={dashboard} ask={ask} />
      )}
      {reasons.includes("dispute_lost") && (
        <DisputeLost dashboard={dashboard} ask={ask} />
      )}
    </>
  );
}

interface TroubleProps {
  dashboard: Dashboard;
  /** Whom to write to. */
  ask: Child;
}

function OperatorNote() {
  return (
    <Notice title="This is an operator’s account, which can never bid">
      <p>
        To advertise, sign out and sign in with another e-mail address.
        Operators work at <a href={PAGES.desk}>the desk</a>.
      </p>
    </Notice>
  );
}

function Suspended({ dashboard: { account }, ask }: TroubleProps) {
  const { suspendedAtMs, suspensionReason } = account;
  return (
    <Notice title="Your account is suspended">
      <p>
        Since {suspendedAtMs !== null && <Moment atMs={suspendedAtMs} />}{" "}
        it can’t bid or submit ads.
      </p>
      {suspensionReason !== undefined && (
        <p>
          Why: <span dir="auto">{suspensionReason}</span>
        </p>
      )}
      <p>
        To have it lifted, or if you think it is a mistake, write to {ask}.
      </p>
    </Notice>
  );
}

function CardRefused({ dashboard: { refused: [card] }, ask }: TroubleProps) {
  return (
    <Notice title="Your card was refused">
      <p>
        {card === undefined
          ? "A bid of yours won, and its card could not be charged."
          : (
            <>
              A bid of yours won on <Moment atMs={card.atMs} />, and {card.name}
              {" "}
              could not be charged.
            </>
          )}{" "}
        You can’t bid until you save another card, or choose one that you have
        for future bids. If your bank has fixed this and you have no other card,
        write to {ask}.
      </p>
      <p>
        <a class="button main" href={PAGES.billing}>Replace your card</a>
      </p>
    </Notice>
  );
}

function DisputeOpen({ dashboard: { disputes }, ask }: TroubleProps) {
  return (
    <Notice title="A payment of yours is disputed">
      {disputes.map((dispute) => <OpenDispute dispute={dispute} />)}
      <p>
        You can’t bid until the bank has decided. If you did not mean to dispute
        it, tell your bank that you withdraw; if something was wrong with the
        payment, write to {ask}.
      </p>
    </Notice>
  );
}

function OpenDispute({ dispute }: { dispute: Dispute }) {
  const { amountCents, openedAtMs } = dispute;
  return (
    <p>
      The card’s holder or bank objects to a charge of{" "}
      <strong>{showEuros(amountCents)}</strong>, since{" "}
      <Moment atMs={openedAtMs} />. <a href={PAGES.invoices}>Your invoices</a>
    </p>
  );
}

function DisputeLost({ dashboard: { account }, ask }: TroubleProps) {
  const { disputeLostAtMs } = account;
  return (
    <Notice title="A disputed payment was taken back">
      <p>
        {disputeLostAtMs === undefined ? "The" : (
          <>
            On <Moment atMs={disputeLostAtMs} /> the
          </>
        )}{" "}
        bank took back a payment for a day that you had won. You can’t bid until
        we lift this: write to {ask}.
      </p>
    </Notice>
  );
}
