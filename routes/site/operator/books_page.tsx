import {
  type EntryPlace,
  LEDGER_ACCOUNTS,
  type LedgerEntry,
} from "../../../domain/ledger/entry.ts";
import type { MonthBooks } from "../../../domain/reconciliation/read_month_books.ts";
import type { Html } from "../../pages/html.ts";
import type { Period } from "../invoices/period.ts";
import { signedEuros } from "../../../domain/text/euros.ts";
import { Select } from "../pages/forms.tsx";
import { Moment } from "../pages/moment.tsx";
import { Page } from "../pages/page.tsx";
import { DayTime } from "../ui/day_time.tsx";
import { Table } from "../ui/table.tsx";
import type { EntryView } from "./books_view.ts";
import {
  BOOKS_PATH,
  dayPath,
  invoicesPath,
  paymentPath,
  placeText,
} from "./paths.ts";
import { Around } from "../ui/around.tsx";

/** What kinds of entries are called. */
export const ENTRY_KINDS: Readonly<Record<LedgerEntry["kind"], string>> = {
  sale: "Sales",
  late_payment: "Late payments",
  refund: "Refunds",
  dispute: "Disputes",
  commission: "Commissions",
  payout: "Payouts",
};

/** What the page shows. */
export interface BooksPageProps {
  books: MonthBooks;
  /** A part of the month's entries, newest first. */
  views: readonly EntryView[];
  /** Of this kind alone; empty for all. */
  kind: string;
  months: readonly Period[];
  /** Nothing newer is on another page. */
  isFirst: boolean;
  /** Where the next page begins; null on the last. */
  older: EntryPlace | null;
}

/** `/operator/money/entries`: the books of a month. */
export function BooksPage(props: BooksPageProps): Html {
  const { books: { month, opening, closing }, views, kind } = props;
  const accounts = LEDGER_ACCOUNTS.filter((account) =>
    opening[account] !== undefined || closing[account] !== undefined
  );
  return (
    <Page title={`Books of ${month}`}>
      <Filter {...props} />
      <Table
        id="balances"
        caption="What each account held"
        columns={[
          { name: "Account" },
          { name: "Before", numeric: true },
          { name: "After", numeric: true },
        ]}
        rows={accounts.map((account) => [
          <code>{account}</code>,
          signedEuros(opening[account] ?? 0),
          signedEuros(closing[account] ?? 0),
        ])}
      />
      <p>
        <a href={`${BOOKS_PATH}/csv?month=${month}`} download>
          Download the month as CSV
        </a>
      </p>
      {views.length === 0 ? <p>Nothing was booked.</p> : (
        <Entries
          caption={kind === "" ? "Entries, the newest first" : "Such entries"}
          views={views}
        />
      )}
      <Further {...props} />
    </Page>
  );
}

/** `/operator/money/payments/{id}`: what was booked of one payment. */
export function PaymentPage(
  { paymentId, views }: { paymentId: string; views: readonly EntryView[] },
): Html {
  return (
    <Page title="Payment">
      <p>
        <code>{paymentId}</code> at the processor.
      </p>
      <Entries caption="What was booked of it" views={views} />
      <p>
        <a href={BOOKS_PATH}>The books by month</a>
      </p>
    </Page>
  );
}

function Entries(
  { caption, views }: { caption: string; views: readonly EntryView[] },
) {
  return (
    <Table
      id="entries"
      caption={caption}
      columns={[
        { name: "Entry" },
        { name: "Of" },
        { name: "Payment", roomy: true },
        { name: "Debits and credits" },
      ]}
      rows={views.map(rowOf)}
    />
  );
}

function rowOf({ entry, day, invoice }: EntryView) {
  return [
    <>
      {ENTRY_KINDS[entry.kind]}
      <span class="quiet">
        <Moment atMs={entry.atMs} />, <code>{entry.id}</code>
      </span>
    </>,
    <>
      {day !== null && (
        <a href={dayPath(day)}>
          <DayTime day={day} short />
        </a>
      )}
      {invoice !== null && day !== null && (
        <div class="quiet">
          <a href={invoicesPath(day)}>Invoice {invoice}</a>
        </div>
      )}
    </>,
    entry.paymentId === null ? "none" : (
      <a href={paymentPath(entry.paymentId)}>
        <code>{entry.paymentId}</code>
      </a>
    ),
    <>
      {entry.lines.map(({ account, amountCents }) => (
        <div class="quiet">
          {account} {signedEuros(amountCents)}
        </div>
      ))}
    </>,
  ];
}

function Filter({ books: { month }, kind, months }: BooksPageProps) {
  return (
    <form class="search" method="get" action={BOOKS_PATH}>
      <Select name="month" label="Month">
        {months.map(({ value, name }) => (
          <option value={value} selected={value === month}>{name}</option>
        ))}
      </Select>
      <Select name="kind" label="What">
        <option value="">Everything</option>
        {Object.entries(ENTRY_KINDS).map(([value, name]) => (
          <option value={value} selected={value === kind}>{name}</option>
        ))}
      </Select>
      <button type="submit">Show</button>
    </form>
  );
}

function Further(props: BooksPageProps) {
  const { isFirst, older, books: { month }, kind } = props;
  const to = (more: Record<string, string>) =>
    `${BOOKS_PATH}?${new URLSearchParams({ month, kind, ...more })}`;
  return (
    <Around
      label="Pages of entries"
      ways={[
        older !== null && [to({ before: placeText(older) }), "Older", "next"],
        !isFirst && [to({}), "Newest"],
      ]}
    />
  );
}
