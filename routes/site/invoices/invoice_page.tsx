import type { Child } from "@hono/hono/jsx";
import type { Company } from "../../../domain/accounts/account.ts";
import type { ShownWindow } from "../../../domain/auction/auction.ts";
import { brandName } from "../../../domain/cards/brand_name.ts";
import { dayOf } from "../../../domain/day.ts";
import type { InvoiceDetails } from "../../../domain/invoices/invoice_details.ts";
import type { Seller } from "../../../domain/invoices/seller.ts";
import { PAGES } from "../../../domain/pages.ts";
import { refundedCents } from "../../../domain/payments/returned.ts";
import { countryName } from "../../../domain/tax/countries.ts";
import type { VatTreatment } from "../../../domain/tax/invoice_vat.ts";
import type { Html } from "../../pages/html.ts";
import { showEuros } from "../../../domain/text/euros.ts";
import { Moment } from "../pages/moment.tsx";
import { type Fact, Facts, Page } from "../pages/page.tsx";
import { DayTime } from "../ui/day_time.tsx";
import { ShownTimes } from "../ui/shown_window.tsx";
import { Table } from "../ui/table.tsx";
import type { CreditNoteView, InvoiceView } from "./invoices_view.ts";
import { PdfLink } from "./pdf_link.tsx";

/** Why there is no VAT in an amount, in the words that books want. */
const NO_VAT: Readonly<Record<VatTreatment, string | null>> = {
  domestic: null,
  reverse_charge:
    "Reverse charge, Article 196 Council Directive 2006/112/EC: " +
    "the recipient accounts for the VAT.",
  outside_scope: "Outside the scope of EU VAT, Article 44 Council Directive " +
    "2006/112/EC: the service is supplied where the recipient is established.",
};

/** What the page shows. */
export interface InvoicePageProps {
  view: InvoiceView;
  details: InvoiceDetails;
  shown: ShownWindow;
  seller: Seller;
  /** The buyer; null for an account that has no company any more. */
  company: Company | null;
}

/** `/invoices/{number}`: one invoice with all that a bookkeeper asks for. */
export function InvoicePage(props: InvoicePageProps): Html {
  const { view } = props;
  return (
    <Page title={`Invoice ${view.number}`}>
      <p class={view.isCancelled ? "note warning" : "note"}>
        <strong>{view.status}</strong>
        {view.hint !== null && `. ${view.hint}`}
      </p>
      <article class={view.isCancelled ? "invoice cancelled" : "invoice"}>
        <Facts
          of={[
            ["Invoice number", view.number],
            ["Date of issue", <DayTime day={dayOf(view.finalizedAtMs)} />],
            ["Date of supply", <ShownTimes {...props.shown} withYear />],
          ]}
        />
        <Parties {...props} />
        <Amounts {...props} />
        <Payment {...props} />
        <CreditNotes notes={view.creditNotes} />
      </article>
      <Ways {...props} />
    </Page>
  );
}

function Parties({ seller, company }: InvoicePageProps) {
  return (
    <div class="parties">
      <section>
        <h2>Seller</h2>
        <address>
          {seller.name}
          <br />
          {seller.address}, {countryName(seller.country)}
        </address>
        <p>VAT id {seller.vatId}</p>
        <p>
          <a href={`mailto:${seller.email}`}>{seller.email}</a>
        </p>
      </section>
      <section>
        <h2>Buyer</h2>
        {company === null
          ? <p>As named on the PDF.</p>
          : <Buyer {...company} />}
      </section>
    </div>
  );
}

/** The row of an invoice doesn't keep whom it names; its document does. */
function Buyer({ name, country, vatId, address }: Company) {
  return (
    <>
      <address>
        <bdi>{name}</bdi>
        <br />
        <bdi>{address.line1}</bdi>
        <br />
        {address.postalCode} <bdi>{address.city}</bdi>, {countryName(country)}
      </address>
      {vatId !== null && <p>VAT id {vatId}</p>}
      <p class="quiet">
        Your company as it is today. The PDF has it as it was when the invoice
        was issued.
      </p>
    </>
  );
}

function Amounts({ view, details: { vat } }: InvoicePageProps) {
  const rate = vat?.treatment === "domestic" && vat.contained !== null
    ? ` (${vat.contained.rate / 100}%)`
    : "";
  const note = vat === null ? null : NO_VAT[vat.treatment];
  return (
    <>
      <Table
        id="amounts"
        caption="What was sold"
        columns={[
          { name: "Item" },
          { name: "EUR", numeric: true },
        ]}
        rows={[
          [<SoldItem {...view} />, view.net],
          [`VAT${rate}`, view.vat],
          [<strong>Total</strong>, <strong>{view.total}</strong>],
        ]}
      />
      {note !== null && <p>{note}</p>}
    </>
  );
}

function SoldItem({ day }: InvoiceView) {
  return (
    <>
      Featured ad, Spotlight of <DayTime day={day} />
    </>
  );
}

function Payment({ view, details: { invoice, card } }: InvoicePageProps) {
  const { paidAtMs } = view;
  const facts: Fact[] = [
    paidAtMs !== null && [
      "Paid",
      <>
        EUR {view.total} by{" "}
        {card === null
          ? "card"
          : `${brandName(card.brand)} ending in ${card.last4}`} on{" "}
        <Moment atMs={paidAtMs} />
      </>,
    ],
    amountFact("Refunded", refundedCents(invoice)),
    amountFact("Held by your bank in a dispute", invoice.disputedCents),
    amountFact("Taken back by your bank", invoice.lostCents),
  ];
  return facts.some((fact) => fact !== false)
    ? (
      <section>
        <h2>Payment</h2>
        <Facts of={facts} />
      </section>
    )
    : null;
}

function amountFact(name: string, cents: number): Fact {
  return cents > 0 && [name, showEuros(cents)];
}

function CreditNotes({ notes }: { notes: readonly CreditNoteView[] }) {
  if (notes.length === 0) return null;
  return (
    <section>
      <h2>Credit notes</h2>
      {notes.map((note) => (
        <p>
          {note.number} of <Moment atMs={note.createdAtMs} />: {note.total}{" "}
          less.{" "}
          <span class="screen">
            <PdfLink document={note} what="credit note" />
          </span>
        </p>
      ))}
    </section>
  );
}

/** Where the invoice leads. */
function Ways({ view, details: { hasWon } }: InvoicePageProps) {
  const { day } = view;
  const ways: (readonly [string, Child])[] = [
    ...hasWon
      ? [[`${PAGES.reports}/${day}`, "Report of the day"] as const]
      : [],
    [`${PAGES.bids}?through=${day}`, "Your bids until this day"],
    [PAGES.invoices, "All invoices"],
  ];
  return (
    <>
      {!view.isCancelled && (
        <p class="screen">
          <PdfLink document={view} what="invoice" />
        </p>
      )}
      <p class="quiet screen">
        {ways.map(([href, name], at) => (
          <>
            {at > 0 && " · "}
            <a href={href}>{name}</a>
          </>
        ))}
      </p>
    </>
  );
}
