import { HELD_BACK, type Payout } from "../../../domain/partners/payout.ts";
import {
  payoutRecord,
  type PayoutStatus,
} from "../../../domain/partners/payout_record.ts";
import type { Statement } from "../../../domain/partners/partner_balance.ts";
import type { MonthFigures } from "../../../domain/partners/read_figures.ts";
import type { Html } from "../../pages/html.ts";
import { showEuros, signedEuros } from "../../../domain/text/euros.ts";
import { PAGES } from "../../../domain/pages.ts";
import { Moment } from "../pages/moment.tsx";
import { monthName } from "../ui/day_time.tsx";
import { Table } from "../ui/table.tsx";

/** What a partner brought and earned, month by month. */
export function Months({ months }: { months: readonly MonthFigures[] }): Html {
  return (
    <section>
      <h2>Month by month</h2>
      {months.length === 0
        ? <p>Your first month is shown here once it is over.</p>
        : (
          <Table
            id="months"
            caption="What your links brought"
            columns={[
              { name: "Month" },
              { name: "Sign-ups", numeric: true },
              { name: "Commission", numeric: true },
            ]}
            rows={months.map((each) => [
              monthName(each.month),
              each.signUps,
              <Commission {...each} />,
            ])}
          />
        )}
      <p class="quiet">
        A month’s commission is told 30 days after its end, together with the
        months around it if it is of fewer than three invoices.
      </p>
    </section>
  );
}

function Commission(
  { month, commissionCents, fromMonth, reportedIn }: MonthFigures,
): Html {
  if (commissionCents !== null) {
    const isLonger = fromMonth !== null && fromMonth !== month;
    return (
      <>
        {signedEuros(commissionCents)}
        {isLonger && (
          <>
            <br />
            <span class="quiet">since {monthName(fromMonth)}</span>
          </>
        )}
      </>
    );
  }
  return (
    <span class="quiet">
      {reportedIn === null ? "pending" : `in ${monthName(reportedIn)}`}
    </span>
  );
}

const STATUSES: Readonly<Record<PayoutStatus, string>> = {
  requested: "Under way",
  paid: "Paid",
  failed: "Failed: it can be asked for again",
  canceled: "Not sent: too much was taken back meanwhile",
  returned: "Came back: it can be asked for again",
};

function PayoutState({ payout }: { payout: Payout }): Html {
  const { status } = payoutRecord(payout);
  const { returnedCents, trouble } = payout;
  if (status === "canceled" && trouble === HELD_BACK) {
    return <>Not sent: your account was suspended</>;
  }
  return (
    <>
      {STATUSES[status]}
      {status === "paid" && returnedCents > 0 && (
        <>; {showEuros(returnedCents)} of it came back</>
      )}
      {status === "failed" && trouble !== null && (
        <>
          <br />
          <span class="quiet">The processor says: {trouble}</span>
        </>
      )}
    </>
  );
}

/** What a partner asked for and was paid. */
export function Payouts({ payouts }: { payouts: readonly Payout[] }): Html {
  return (
    <section id="payouts">
      <h2>Payouts</h2>
      {payouts.length === 0 ? <p>Nothing was paid out so far.</p> : (
        <Table
          id="payouts-table"
          caption="Payouts, newest first"
          columns={[
            { name: "Asked for" },
            { name: "Amount", numeric: true },
            { name: "Status" },
          ]}
          rows={payouts.map((payout) => [
            <Moment atMs={payout.requestedAtMs} />,
            showEuros(payout.amountCents),
            <PayoutState payout={payout} />,
          ])}
        />
      )}
    </section>
  );
}

/** The statements of a partner, to be kept. */
export function Statements(
  { statements }: { statements: readonly Statement[] },
): Html | null {
  if (statements.length === 0) return null;
  return (
    <section id="statements">
      <h2>Statements</h2>
      <Table
        id="statements-table"
        caption="Statements, newest first"
        columns={[
          { name: "Months" },
          { name: "Total", numeric: true },
          { name: "Printed" },
        ]}
        rows={statements.map((statement) => [
          monthsOf(statement),
          signedEuros(statement.amountCents),
          <a
            href={`${PAGES.partner}/statements/${statement.number}/pdf`}
            download
          >
            PDF <span class="unseen">of {monthsOf(statement)}</span>
          </a>,
        ])}
      />
    </section>
  );
}

/** The months that a statement is of, in words. */
export function monthsOf({ fromMonth, throughMonth }: Statement): string {
  return fromMonth === throughMonth
    ? monthName(throughMonth)
    : `${monthName(fromMonth)} to ${monthName(throughMonth)}`;
}
