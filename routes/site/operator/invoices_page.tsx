import type { Day } from "../../../domain/day.ts";
import type { Invoice } from "../../../domain/invoices/invoice.ts";
import type { Html } from "../../pages/html.ts";
import { signedEuros } from "../../../domain/text/euros.ts";
import { Button, Field, Select } from "../pages/forms.tsx";
import { Moment } from "../pages/moment.tsx";
import { Page } from "../pages/page.tsx";
import { DayTime } from "../ui/day_time.tsx";
import { Table } from "../ui/table.tsx";
import { accountPath, dayPath, INVOICES_PATH, paymentPath } from "./paths.ts";
import { Around } from "../ui/around.tsx";

/** How invoices stand, as they are looked for. */
export const INVOICE_STATES_SHOWN = {
  open: "Open",
  paid: "Paid",
  uncollectible: "Uncollectible",
  void: "Void",
  refunding: "Being refunded",
  refunded: "Refunded",
  refund_failed: "Refund failed",
  written_off: "Taken by disputes",
} as const;

/** How invoices are looked for. */
export type InvoiceStateShown = keyof typeof INVOICE_STATES_SHOWN;

/** What the page shows. */
export interface InvoicesPageProps {
  invoices: readonly Invoice[];
  /** What is asked for, as it was typed. */
  from: string;
  until: string;
  state: string;
  /** The last day of the next page; null on the last. */
  next: Day | null;
  error: string | null;
}

/** `/operator/money/invoices`: every invoice, by the day that it is for. */
export function InvoicesPage(props: InvoicesPageProps): Html {
  const { invoices, next, error } = props;
  return (
    <Page title="Invoices" error={error}>
      <Filter {...props} />
      {invoices.length === 0
        ? (
          <p>
            {next === null ? "There is none." : "None in these two months."}
          </p>
        )
        : (
          <Table
            id="invoices"
            caption="Invoices, those of the newest day first"
            columns={[
              { name: "Invoice" },
              { name: "Day" },
              { name: "Total", numeric: true },
              { name: "How it stands" },
              { name: "Payment", roomy: true },
            ]}
            rows={invoices.map(rowOf)}
          />
        )}
      <Around
        label="Pages of invoices"
        ways={[next !== null && [olderPath(props, next), "Older", "next"]]}
      />
    </Page>
  );
}

function olderPath({ from, state }: InvoicesPageProps, until: Day): string {
  return `${INVOICES_PATH}?${new URLSearchParams({ from, until, state })}`;
}

function rowOf(invoice: Invoice) {
  const { number, day, accountId, totalCents, paymentId } = invoice;
  return [
    <>
      {number}
      <span class="quiet">
        <Moment atMs={invoice.finalizedAtMs} />,{" "}
        <a href={accountPath(accountId)}>{accountId}</a>
      </span>
    </>,
    <a href={dayPath(day)}>
      <DayTime day={day} short />
    </a>,
    signedEuros(totalCents),
    INVOICE_STATES_SHOWN[standingOf(invoice)],
    paymentId === null ? "none" : (
      <a href={paymentPath(paymentId)}>
        <code>{paymentId}</code>
      </a>
    ),
  ];
}

/** What became of its money says more than that it was paid. */
export function standingOf({ state, money }: Invoice): InvoiceStateShown {
  return Object.hasOwn(INVOICE_STATES_SHOWN, money)
    ? money as InvoiceStateShown
    : state;
}

function Filter({ from, until, state }: InvoicesPageProps) {
  return (
    <form class="search" method="get" action={INVOICES_PATH}>
      <Field name="from" label="Of days from" type="date" value={from} />
      <Field name="until" label="until" type="date" value={until} />
      <Select name="state" label="State">
        <option value="">Any</option>
        {Object.entries(INVOICE_STATES_SHOWN).map(([value, name]) => (
          <option value={value} selected={value === state}>{name}</option>
        ))}
      </Select>
      <Button kind="plain">Show</Button>
    </form>
  );
}
