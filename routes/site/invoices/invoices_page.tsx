import { PAGES } from "../../../domain/pages.ts";
import type { Html } from "../../pages/html.ts";
import { Select } from "../pages/forms.tsx";
import { Page } from "../pages/page.tsx";
import { DayTime } from "../ui/day_time.tsx";
import { dayOf } from "../../../domain/day.ts";
import { Table } from "../ui/table.tsx";
import { type InvoiceView, STATUS_WORDS } from "./invoices_view.ts";
import { PdfLink } from "./pdf_link.tsx";
import type { Period } from "./period.ts";
import { Around } from "../ui/around.tsx";

/** Which invoices are asked for; empty texts for all. */
export interface AskedInvoices {
  /** A year or a month. */
  period: string;
  status: string;
}

/** What the page shows. */
export interface InvoicesPageProps {
  invoices: readonly InvoiceView[];
  asked: AskedInvoices;
  /** Years and months that may be asked for. */
  periods: readonly Period[];
  /** Whether newer ones are on pages before this one. */
  isFurtherOn: boolean;
  /** Leads to older ones; null on the last page. */
  nextCursor: string | null;
}

/** `/invoices`: what was charged, what came back, and the papers for it. */
export function InvoicesPage(props: InvoicesPageProps): Html {
  const { invoices } = props;
  return (
    <Page title="Your invoices">
      <Filter {...props} />
      {invoices.length === 0 ? <None {...props} /> : (
        <Table
          id="invoices"
          caption="Invoices in euros, the newest first"
          columns={[
            { name: "Invoice" },
            { name: "Issued", roomy: true },
            { name: "Net", numeric: true, roomy: true },
            { name: "VAT", numeric: true, roomy: true },
            { name: "Total", numeric: true },
            { name: "State" },
            { name: "PDF", roomy: true },
          ]}
          rows={invoices.map(rowOf)}
        />
      )}
      <Further {...props} />
    </Page>
  );
}

function rowOf(invoice: InvoiceView) {
  const { number, path, day, finalizedAtMs, net, vat, total } = invoice;
  return [
    <>
      <a href={path}>{number}</a>
      <span class="quiet">
        Spotlight of <DayTime day={day} short />
      </span>
    </>,
    <DayTime day={dayOf(finalizedAtMs)} short />,
    net,
    vat,
    total,
    invoice.status,
    <PdfLink document={invoice} what="invoice" short />,
  ];
}

function Filter({ asked, periods }: InvoicesPageProps) {
  return (
    <form class="search" method="get" action={PAGES.invoices}>
      <Select name="period" label="Issued in">
        <option value="">Any time</option>
        {periods.map(({ value, name }) => (
          <option value={value} selected={value === asked.period}>
            {name}
          </option>
        ))}
      </Select>
      <Select name="status" label="State">
        <option value="">Any</option>
        {Object.entries(STATUS_WORDS).map(([value, name]) => (
          <option value={value} selected={value === asked.status}>
            {name}
          </option>
        ))}
      </Select>
      <button type="submit">Show</button>
    </form>
  );
}

function Further(props: InvoicesPageProps) {
  const { isFurtherOn, nextCursor } = props;
  return (
    <Around
      label="Pages of invoices"
      ways={[
        nextCursor !== null &&
        [addressOf(props, nextCursor), "Older invoices", "next"],
        isFurtherOn && [addressOf(props, null), "Newest invoices"],
      ]}
    />
  );
}

/** The same list from another place on. */
function addressOf({ asked }: InvoicesPageProps, cursor: string | null) {
  const query = new URLSearchParams(
    Object.entries({ ...asked, cursor: cursor ?? "" })
      .filter(([, value]) => value !== ""),
  ).toString();
  return query === "" ? PAGES.invoices : `${PAGES.invoices}?${query}`;
}

function None({ asked, isFurtherOn }: InvoicesPageProps) {
  if (isFurtherOn) return <p>There are no older invoices.</p>;
  if (asked.period !== "" || asked.status !== "") {
    return (
      <p>
        No invoice is like that. <a href={PAGES.invoices}>All invoices</a>
      </p>
    );
  }
  return (
    <p>
      You have no invoice yet. There is one for each day that you win, made when
      its auction is over, for exactly what you bid.{" "}
      <a href="/how-the-auction-works">How the auction works</a>
    </p>
  );
}
