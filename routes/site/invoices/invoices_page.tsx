import { PAGES } from "../../../domain/pages.ts";
import { DayTime } from "../ui/day_time.tsx";
import type { Html } from "../../pages/html.ts";
import { Moment } from "../pages/moment.tsx";
import type { DocumentView, InvoiceView } from "./invoices_view.ts";
import { Cards, Page } from "../pages/page.tsx";

/** What the page shows. */
export interface InvoicesPageProps {
  invoices: readonly InvoiceView[];
  /** Whether newer ones are on pages before this one. */
  isFurtherOn: boolean;
  /** Leads to older ones; null on the last page. */
  nextCursor: string | null;
}

/** `/invoices`: what was charged, what came back, and the papers for it. */
export function InvoicesPage(props: InvoicesPageProps): Html {
  const { invoices, isFurtherOn, nextCursor } = props;
  return (
    <Page title="Your invoices">
      {invoices.length === 0 && <None isFurtherOn={isFurtherOn} />}
      <Cards of={invoices.map((each) => <InvoiceCard invoice={each} />)} />
      <Around isFurtherOn={isFurtherOn} nextCursor={nextCursor} />
    </Page>
  );
}

function Around(
  { isFurtherOn, nextCursor }: Omit<InvoicesPageProps, "invoices">,
) {
  if (!isFurtherOn && nextCursor === null) return null;
  return (
    <nav class="around" aria-label="Pages of invoices">
      {nextCursor !== null && (
        <a href={`${PAGES.invoices}?cursor=${nextCursor}`} rel="next">
          Older invoices
        </a>
      )}
      {isFurtherOn && <a href={PAGES.invoices}>Newest invoices</a>}
    </nav>
  );
}

function None({ isFurtherOn }: { isFurtherOn: boolean }) {
  return isFurtherOn ? <p>There are no older invoices.</p> : (
    <p>
      You have no invoice yet. There is one for each day that you win, made when
      its auction is over, for exactly what you bid.{" "}
      <a href="/how-the-auction-works">How the auction works</a>
    </p>
  );
}

/** A component with a key, which is not written into the page. */
function InvoiceCard({ invoice }: { invoice: InvoiceView; key?: string }) {
  const { number, day, status, hint, total, tax, creditNotes } = invoice;
  return (
    <li>
      <p>
        <strong>{total}</strong> for the Spotlight of <DayTime day={day} />
      </p>
      <p>
        <strong>{status}</strong>
        {hint !== null && `. ${hint}`}
      </p>
      <p class="quiet">
        Invoice {number}, {tax}. Made <Moment atMs={invoice.finalizedAtMs} />
        {invoice.paidAtMs !== null && (
          <>
            , paid <Moment atMs={invoice.paidAtMs} />
          </>
        )}.
      </p>
      <p>
        <Pdf document={invoice} what="invoice" />
      </p>
      {creditNotes.map((note) => (
        <p>
          Credit note {note.number} of <Moment atMs={note.createdAtMs} />:{" "}
          {note.total} less. <Pdf document={note} what="credit note" />
        </p>
      ))}
    </li>
  );
}

function Pdf({ document, what }: { document: DocumentView; what: string }) {
  const { number, pdf } = document;
  if (pdf === "soon") {
    return <span class="quiet">The PDF will be here in a few minutes.</span>;
  }
  if (pdf === "missing") {
    return <span class="quiet">Please ask us for the PDF.</span>;
  }
  return (
    <a href={pdf.path} download>
      Download PDF <span class="unseen">of {what} {number}</span>
    </a>
  );
}
