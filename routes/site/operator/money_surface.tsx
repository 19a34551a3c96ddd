import { retryArchiving } from "../../../domain/invoices/retry_archiving.ts";
import { readMoneyReport } from "../../../domain/reconciliation/read_money_report.ts";
import { findEvent, retryEvent } from "../../../domain/webhooks/retry_event.ts";
import { ID_MAX } from "../../http/bounded_text.ts";
import type { Surface } from "../../route_table.ts";
import type { AdvertiserParts } from "../advertiser_parts.ts";
import { operatorPage, type PageRequest } from "../pages/advertiser_page.ts";
import { doneNote } from "../pages/done_note.ts";
import { BOOKS_ROUTES } from "./books_routes.tsx";
import { showInvoices } from "./invoices_routes.tsx";
import { askThenAct, SENT_BEFORE } from "./desk_act.tsx";
import { MoneyPage, type UnknownDocument } from "./money_page.tsx";
import { ARCHIVE_PATH, INVOICES_PATH, MONEY_PATH } from "./paths.ts";

const NOTES: Readonly<Record<string, string>> = {
  ...SENT_BEFORE,
  event_done: "The event was processed. There is nothing left to do about it.",
  event_failed:
    "The event could not be processed. What is known is shown below.",
  document_stored: "The document is in the archive.",
  document_missing:
    "The document could not be archived. archive.failed in the log says why.",
};

/** The operator's page about money. */
export function moneySurface(parts: AdvertiserParts): Surface {
  return operatorPage(parts, {
    path: MONEY_PATH,
    get: {
      [MONEY_PATH]: (request) => showMoney(request),
      [INVOICES_PATH]: showInvoices,
      ...BOOKS_ROUTES,
    },
    post: {
      [`${MONEY_PATH}/events/:id/retry`]: retry,
      [ARCHIVE_PATH]: archiveAgain,
    },
    freshChanges: { fields: ["number"] },
  });
}

async function showMoney(
  request: PageRequest,
  unknown: UnknownDocument | null = null,
): Promise<Response> {
  const { services, account, show } = request;
  const report = await readMoneyReport(services, account);
  return show(
    <MoneyPage
      unknown={unknown}
      report={report}
      hold={await services.store.currentHold()}
      note={doneNote(request, NOTES)}
      retryPath={retryPath}
    />,
    { status: unknown === null ? 200 : 400 },
  );
}

function retryPath(eventId: string): string {
  return `${MONEY_PATH}/events/${encodeURIComponent(eventId)}/retry`;
}

async function retry(request: PageRequest): Promise<Response> {
  const { services, eventWork, param } = request;
  const eventId = param("id");
  return await askThenAct(request, {
    form: await request.form(),
    ask: async () => {
      const { type } = await findEvent(services, { eventId });
      return {
        title: "Process the event again",
        about: <code>{type}</code>,
        effect: "The processor is asked for what the event is about as it is " +
          "now, and our books follow what it says.",
        kind: "main",
        action: retryPath(eventId),
        fields: {},
        leave: MONEY_PATH,
      };
    },
    order: { act: "event.retry", subject: eventId },
    async act(acting) {
      const work = { ...eventWork, services: acting };
      const { state } = await retryEvent(work, { eventId });
      return state === "done" ? "event_done" : "event_failed";
    },
    next: { path: MONEY_PATH, done: "event_done" },
  });
}

async function archiveAgain(request: PageRequest): Promise<Response> {
  const form = await request.form();
  const number = form.text("number", ID_MAX);
  const { store } = request.services;
  if (number === "" || await store.archiveTasks.find(number) === null) {
    const error = number === ""
      ? "Type the number of the document."
      : "There is no document of this number.";
    return await showMoney(request, { number, error });
  }
  return await askThenAct(request, {
    form,
    ask: () => ({
      title: "Archive the document again",
      about: <code>{number}</code>,
      effect: "The processor is asked for it, and it is kept in the " +
        "archive. One that is there already stays as it is.",
      kind: "main",
      action: ARCHIVE_PATH,
      fields: { number },
      leave: MONEY_PATH,
    }),
    order: { act: "document.retry", subject: number },
    async act(acting) {
      const { state } = await retryArchiving(acting, { number });
      return state === "stored" ? "document_stored" : "document_missing";
    },
    next: { path: MONEY_PATH, done: "document_stored" },
  });
}
