import { type OwnPdf, readOwnPdf } from "../../domain/invoices/own_pdf.ts";
import type { Services } from "../../domain/ports.ts";
import { isNoneMatch } from "./if_none_match.ts";
import { respond, respondEmpty } from "./respond.ts";
import { savedAs } from "./saved_file.ts";

/**
 * A printed document to be saved by who asked for it, and by nobody on the way.
 * It never changes, so who has it already is told so without it being read.
 */
export async function pdfAnswer(
  services: Pick<Services, "archive">,
  request: Request,
  pdf: OwnPdf,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const etag = `"${pdf.sha256}"`;
  const all = { "cache-control": "private, no-cache", etag, ...headers };
  const ifNoneMatch = request.headers.get("if-none-match");
  if (ifNoneMatch !== null && isNoneMatch(ifNoneMatch, etag)) {
    return respondEmpty(304, all);
  }
  const bytes = await readOwnPdf(services, pdf);
  const saved = savedAs(pdf.fileName, "application/pdf");
  return respond(bytes, { headers: { ...all, ...saved } });
}
