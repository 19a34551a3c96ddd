import type { Html } from "../../pages/html.ts";
import type { DocumentView } from "./invoices_view.ts";

/** Leads to a printed document, or says why there is none to be had. */
export function PdfLink(
  { document, what, short = false }: {
    document: DocumentView;
    what: string;
    /** For a table, whose rows lead to pages that say the rest. */
    short?: boolean;
  },
): Html | null {
  const { number, pdf } = document;
  if (pdf === null) return null;
  if (short && typeof pdf === "string") return <>–</>;
  if (pdf === "soon") {
    return <span class="quiet">The PDF will be here in a few minutes.</span>;
  }
  if (pdf === "missing") {
    return <span class="quiet">Please ask us for the PDF.</span>;
  }
  return (
    <a href={pdf.path} download>
      {short ? "PDF" : "Download PDF"}{" "}
      <span class="unseen">of {what} {number}</span>
    </a>
  );
}
