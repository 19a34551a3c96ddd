import { actorOf } from "../../../domain/audit/operator_act.ts";
import type { Hold } from "../../../domain/hold/hold.ts";
import {
  type AccountTotals,
  type MoneyReport,
  REPORT_DAYS,
} from "../../../domain/reconciliation/read_money_report.ts";
import type { Invoice } from "../../../domain/invoices/invoice.ts";
import type { LedgerEntry } from "../../../domain/ledger/entry.ts";
import type { UnderSeal } from "../../../domain/settlement/under_seal.ts";
import type { Dispute } from "../../../domain/disputes/dispute.ts";
import { ID_MAX } from "../../http/bounded_text.ts";
import { Button, Field, Form, Hidden, StatusNote } from "../pages/forms.tsx";
import type { Html } from "../../pages/html.ts";
import { Moment } from "../pages/moment.tsx";
import { signedEuros } from "../../../domain/text/euros.ts";
import { DayTime } from "../ui/day_time.tsx";
import { Table } from "../ui/table.tsx";
import { HoldNote } from "./hold_page.tsx";
import { Reconciliations } from "./reconciliations.tsx";
import { count, WebhookEvents } from "./webhook_events.tsx";
import { Page } from "../pages/page.tsx";
import {
  accountPath,
  ACCOUNTS_PATH,
  ARCHIVE_PATH,
  BOOKS_PATH,
  dayPath,
  INVOICES_PATH,
} from "./paths.ts";

/** A document that was to be archived again, and that nobody ever archived. */
export interface UnknownDocument {
  /** As it was typed. */
  number: string;
  error: string;
}

/** `/operator/money`: whether the books are right, and what is under way. */
export function MoneyPage(
  { report, hold, note, unknown, retryPath }: {
    report: MoneyReport;
    /** Why the store does not act; null when it does. */
    hold: Hold | null;
    /** What came of what the operator asked for; null for nothing. */
    note: string | null;
    unknown: UnknownDocument | null;
    /** The address to which a form posts to retry an event. */
    retryPath: (eventId: string) => string;
  },
): Html {
  return (
    <Page
      title="Money"
      faults={unknown === null ? [] : [["number", unknown.error]]}
    >
      <HoldNote hold={hold} />
      {note !== null && <StatusNote>{note}</StatusNote>}
      <Reconciliations reports={report.reconciliations} />
      <UnderWay report={report} unknown={unknown} />
      <WebhookEvents
        found={report.troubledEvents}
        nowMs={report.readAtMs}
        retryPath={retryPath}
      />
      <Totals totals={report.totals} isPartial={report.isPartial} />
      <Entries entries={report.entries} />
    </Page>
  );
}

function UnderWay(
  { report, unknown }: {
    report: MoneyReport;
    unknown: UnknownDocument | null;
  },
): Html {
  const { openDisputes, refundsUnderWay, refundsFailed, unarchived } = report;
  const { refundRequests, sealed } = report;
  const isQuiet = openDisputes.length + refundsUnderWay.length +
      refundRequests.length + refundsFailed.length + unarchived.length === 0;
  return (
    <section>
      <h2>Under way</h2>
      {isQuiet && (
        <p>
          No dispute is open, no money waits to be given back, and every
          document is in the archive.
        </p>
      )}
      <p>
        Accounts that a lost dispute blocks wait under{" "}
        <a href={ACCOUNTS_PATH}>Accounts</a>, where the block is lifted.
      </p>
      {report.isCut && (
        <p>
          There are more than are named; they follow when some of these are done
          with.
        </p>
      )}
      <ul>
        {openDisputes.map((dispute) => (
          <OpenDispute dispute={dispute} sealed={sealed} />
        ))}
        {refundRequests.map(({ day, by, note, expiresAtMs }) => (
          <li>
            <strong>Refund to confirm</strong> of{" "}
            <a href={dayPath(day)}>
              <DayTime day={day} />
            </a>
            , asked for by <bdi>{actorOf(by)}</bdi>:{" "}
            <span dir="auto">{note}</span>. Another operator has to ask for it
            too, until <Moment atMs={expiresAtMs} />.
          </li>
        ))}
        {refundsUnderWay.map((invoice) => (
          <RefundUnderWay invoice={invoice} sealed={sealed} />
        ))}
        {refundsFailed.map((invoice) => <FailedRefund invoice={invoice} />)}
        {unarchived.map(({ number, attempts, dueAtMs }) => (
          <li>
            Document <code>{number}</code> is not archived,{" "}
            {count(attempts, "attempt")} so far, next <Moment atMs={dueAtMs} />
            <Form action={ARCHIVE_PATH}>
              <Hidden name="number" value={number} />
              <Button kind="plain">
                Archive it again<span class="unseen">: {number}</span>
              </Button>
            </Form>
          </li>
        ))}
      </ul>
      <ArchiveAgain unknown={unknown} />
    </section>
  );
}

function RefundUnderWay(
  { invoice, sealed }: { invoice: Invoice; sealed: UnderSeal },
): Html {
  const { number, day, totalCents, attempts, dueAtMs } = invoice;
  return (
    <li>
      Refund{!sealed.days.has(day) && ` of ${signedEuros(totalCents)}`}{" "}
      for invoice <code>{number}</code>, {count(attempts, "attempt")}{" "}
      so far, next <Moment atMs={dueAtMs} />
    </li>
  );
}

function FailedRefund({ invoice }: { invoice: Invoice }): Html {
  const { id, number, refundTrouble } = invoice;
  return (
    <li>
      <strong>Refund failed</strong> for invoice <code>{number}</code> (
      <code>{id}</code>, {refundTrouble}
      ): it is not tried any more. Give the money back at the processor, or
      order the refund again.
    </li>
  );
}

/** For a document that was given up, which only the log names. */
function ArchiveAgain(
  { unknown }: { unknown: UnknownDocument | null },
): Html {
  return (
    <details open={unknown !== null}>
      <summary>Archive a document again</summary>
      <Form action={ARCHIVE_PATH}>
        <Field
          name="number"
          label="Number of the invoice or credit note"
          hint="archive.impossible in the log names those that are not tried any more"
          value={unknown?.number ?? ""}
          error={unknown?.error ?? null}
          maxlength={ID_MAX}
          required
        />
        <Button kind="plain">Archive it again</Button>
      </Form>
    </details>
  );
}

/** Of a day that has not settled neither amount nor payer is told. */
function OpenDispute(
  { dispute, sealed }: { dispute: Dispute; sealed: UnderSeal },
): Html {
  const { id, amountCents, reason, openedAtMs, accountId } = dispute;
  const isSealed = sealed.paymentIds.has(dispute.paymentId);
  return (
    <li>
      Dispute <code>{id}</code>
      {!isSealed && ` over ${signedEuros(amountCents)}`} ({reason}), opened{" "}
      <Moment atMs={openedAtMs} />
      {accountId !== null && !isSealed && (
        <>
          , of <a href={accountPath(accountId)}>{accountId}</a>
        </>
      )}
    </li>
  );
}

function Totals(
  { totals, isPartial }: {
    totals: readonly AccountTotals[];
    isPartial: boolean;
  },
): Html {
  return (
    <section>
      <h2>Booked in the last {REPORT_DAYS} days</h2>
      {isPartial && <p>There is more than this page adds up.</p>}
      {totals.length === 0 ? <p>Nothing was booked.</p> : (
        <Table
          id="sums"
          caption="What each account holds"
          columns={[
            { name: "Account" },
            { name: "Debit", numeric: true },
            { name: "Credit", numeric: true },
            { name: "Balance", numeric: true },
          ]}
          rows={totals.map(({ account, debitCents, creditCents }) => [
            <code>{account}</code>,
            signedEuros(debitCents),
            signedEuros(creditCents),
            signedEuros(debitCents - creditCents),
          ])}
        />
      )}
    </section>
  );
}

function Entries({ entries }: { entries: readonly LedgerEntry[] }): Html {
  return (
    <section>
      <h2>Latest entries</h2>
      <p>
        <a href={BOOKS_PATH}>The books by month</a>, also for your bookkeeper,
        and <a href={INVOICES_PATH}>every invoice</a>.
      </p>
      {entries.length === 0 ? <p>Nothing was booked.</p> : (
        <ul class="quiet">
          {entries.map(({ id, atMs, lines }) => (
            <li>
              <Moment atMs={atMs} /> <code>{id}</code>:{" "}
              {lines.map(({ account, amountCents }) =>
                `${account} ${signedEuros(amountCents)}`
              ).join(", ")}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
