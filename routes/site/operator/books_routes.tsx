import type { LedgerEntry } from "../../../domain/ledger/entry.ts";
import { type Month, monthOf, parseMonth } from "../../../domain/month.ts";
import {
  readMonthBooks,
  readMonthEntries,
  readMonthPage,
} from "../../../domain/reconciliation/read_month_books.ts";
import {
  readUnderSeal,
  unsealedEntries,
} from "../../../domain/settlement/under_seal.ts";
import { refuse } from "../../../domain/refusal.ts";
import { csvFile } from "../../http/saved_file.ts";
import { periodsBetween } from "../invoices/period.ts";
import type { PageHandler, PageRequest } from "../pages/advertiser_page.ts";
import { BooksPage, ENTRY_KINDS, PaymentPage } from "./books_page.tsx";
import { booksCsv, entryViews } from "./books_view.ts";
import { BOOKS_PATH, PAYMENTS_PATH, placeIn } from "./paths.ts";

/** Entries on a page. */
const PAGE_MAX = 50;
/** Longest id of a payment that is looked for. */
const PAYMENT_ID_MAX = 255;

/** The books of a month, as a page and as a table for a bookkeeper. */
export const BOOKS_ROUTES: Readonly<Record<string, PageHandler>> = {
  [BOOKS_PATH]: showBooks,
  [`${BOOKS_PATH}/csv`]: sendBooks,
  [`${PAYMENTS_PATH}/:id`]: showPayment,
};

/** The month that is asked for; what is none is the present one. */
function monthIn({ services, query }: PageRequest): Month {
  const present = monthOf(services.clock.now());
  const asked = parseMonth(query("month") ?? "");
  return asked !== null && asked <= present ? asked : present;
}

async function showBooks(request: PageRequest): Promise<Response> {
  const { services, query, show } = request;
  const month = monthIn(request);
  const kind = kindOf(query("kind"));
  const before = placeIn(query("before"));
  const nowMs = services.clock.now();
  const [books, { entries, next }, [first]] = await Promise.all([
    readMonthBooks(services, month),
    readMonthPage(services, month, { kind, before, limit: PAGE_MAX }),
    services.store.listLedgerBetween(0, nowMs, { limit: 1 }),
  ]);
  return show(
    <BooksPage
      books={books}
      views={await entryViews(services, entries)}
      kind={kind ?? ""}
      months={periodsBetween(first?.atMs ?? nowMs, nowMs)
        .filter(({ value }) => value.length > 4)}
      isFirst={before === null}
      older={next}
    />,
  );
}

/** What was booked of one payment. */
async function showPayment(request: PageRequest): Promise<Response> {
  const { services, param, show } = request;
  const paymentId = param("id");
  const booked = paymentId.length > PAYMENT_ID_MAX
    ? []
    : await services.store.listLedgerOfPayment(paymentId, { limit: PAGE_MAX });
  const entries = unsealedEntries(await readUnderSeal(services), booked);
  if (entries.length === 0) {
    refuse({ code: "not_found", message: "Cannot find the payment" });
  }
  const views = await entryViews(services, entries);
  return show(<PaymentPage paymentId={paymentId} views={views} />);
}

function kindOf(asked: string | null): LedgerEntry["kind"] | null {
  return asked !== null && Object.hasOwn(ENTRY_KINDS, asked)
    ? asked as LedgerEntry["kind"]
    : null;
}

async function sendBooks(request: PageRequest): Promise<Response> {
  const { services } = request;
  const month = monthIn(request);
  const books = await readMonthBooks(services, month);
  const entries = await readMonthEntries(services, month);
  const views = await entryViews(services, entries);
  return csvFile(booksCsv(books, views), `books-${month}.csv`);
}
