import { renderOperator } from "../../errors/operator_surface.ts";
import { onThisMachine } from "../../middleware/this_machine.ts";
import {
  type Route,
  route,
  type RouteContext,
  type Surface,
} from "../../route_table.ts";
import { accountRoutes } from "./account_routes.ts";
import { auctionRoutes } from "./auction_routes.ts";
import { holdRoutes } from "./hold_routes.ts";
import { houseAdRoutes } from "./house_ad_routes.ts";
import { jobRoutes } from "./job_routes.ts";
import { keyRoutes } from "./key_routes.ts";
import type { OperatorParts } from "./operator_parts.ts";
import { reviewRoutes } from "./review_routes.ts";
import type { ArchiveTask } from "../../../domain/invoices/archive_task.ts";
import {
  findArchiveTask,
  retryArchiving,
} from "../../../domain/invoices/retry_archiving.ts";
import { operation, OPERATOR_PREFIX } from "./operation.ts";
import { z } from "zod";
import { orderRefund } from "../../../domain/invoices/order_refund.ts";
import { reconcileDay } from "../../../domain/reconciliation/reconcile_day.ts";
import { respondJson, respondStream, withHeaders } from "../../http/respond.ts";
import { actAs } from "../../../domain/audit/act_as.ts";
import { requiredText } from "../../http/bounded_text.ts";
import { isoOrNull, isoTime } from "../../../domain/day.ts";
import { listTroubledEvents } from "../../../domain/webhooks/list_troubled_events.ts";
import { retryEvent } from "../../../domain/webhooks/retry_event.ts";
import type { WebhookEvent } from "../../../domain/webhooks/webhook_event.ts";
import { TROUBLE_WORDS } from "./webhook_events.tsx";
import type { Services } from "../../../domain/ports.ts";
import { requireOperatorKey } from "../../middleware/operator_key.ts";

/**
 * The operator's hand on days, Spotlights, accounts and the store, under
 * `{base_url}/operator/v1`.
 *
 * @param localRoutes further routes, for whoever asks from this machine
 */
export function operatorApi(
  parts: OperatorParts,
  localRoutes: (parts: OperatorParts) => readonly Route[] = () => [],
): Surface {
  return {
    prefix: OPERATOR_PREFIX,
    enter: [requireOperatorKey(parts)],
    routes: [
      ...accountRoutes(parts),
      ...archiveRoutes(parts),
      ...auctionRoutes(parts),
      ...holdRoutes(parts),
      ...houseAdRoutes(parts),
      ...jobRoutes(parts),
      ...keyRoutes(parts),
      ...moneyRoutes(parts),
      ...reviewRoutes(parts),
      ...standingRoutes(parts),
      ...storeRoutes(parts),
      ...webhookEventRoutes(parts),
      ...localRoutes(parts).map(onThisMachine),
    ],
    answers: { refused: renderOperator },
  };
}

/** The operator's hand on the archive of printed documents. */
function archiveRoutes({ services }: OperatorParts): Route[] {
  const one = "/archive/:number";
  return [
    operation("GET", one, async ({ param }) => {
      const number = param("number");
      return toTaskRecord(await findArchiveTask(services, { number }));
    }),
    operation("POST", `${one}/retry`, async ({ param, by }) => {
      const number = param("number");
      const task = await actAs(
        services,
        { by, act: "document.retry", subject: number },
        (acting) => retryArchiving(acting, { number }),
      );
      return toTaskRecord(task);
    }),
  ];
}

function toTaskRecord(task: ArchiveTask): Record<string, unknown> {
  const { number, kind, documentId, state, attempts, bytes, sha256 } = task;
  return {
    number,
    kind,
    document_id: documentId,
    state,
    attempts,
    due_at: state === "waiting" ? isoOrNull(task.dueAtMs) : null,
    bytes,
    sha256,
  };
}

const NOTE_MAX = 500;

const refund = z.strictObject({ note: requiredText(NOTE_MAX) });

/** The operator's hand on money: give back, compare a day. */
function moneyRoutes({ services }: OperatorParts): Route[] {
  return [
    operation("POST", "/spotlights/:day/refund", async (asked) => {
      const day = asked.day();
      const { note } = await asked.body(refund, "Cannot give the money back");
      const { by } = asked;
      const { invoice, request } = await actAs(
        services,
        { by, act: "spotlight.refund", subject: day, reason: note },
        (acting) => orderRefund(acting, { day, note, by }),
      );
      const { number, money, totalCents, creditNotes } = invoice;
      return {
        day,
        invoice: number,
        money,
        total_cents: totalCents,
        credit_notes: creditNotes.map((each) => each.number),
        waits_for_another_operator_until: isoOrNull(request?.expiresAtMs),
      };
    }),
    operation(
      "POST",
      "/reconciliations/:day",
      ({ day, by }) => {
        const subject = day();
        return actAs(
          services,
          { by, act: "books.compare", subject },
          (acting) => reconcileDay(acting, subject),
        );
      },
    ),
  ];
}

/** Most entries of X-Forwarded-For that are told, and the longest of them. */
const FORWARDED = { most: 16, length: 64 };

/** What is running, over what, and how a request comes to it. */
function standingRoutes(
  { version, schema, trustedProxyHops }: OperatorParts,
): Route[] {
  return [
    route("GET", `${OPERATOR_PREFIX}/service`, async (context) => {
      const { headers } = context.req.raw;
      const entries = (headers.get("x-forwarded-for") ?? "").split(",")
        .map((entry) => entry.trim().slice(0, FORWARDED.length))
        .filter((entry) => entry !== "");
      const body = {
        version,
        schema: await schema(),
        trusted_proxy_hops: trustedProxyHops,
        forwarded_for: entries.slice(-FORWARDED.most),
      };
      return respondJson(body, { headers: { "cache-control": "no-store" } });
    }),
  ];
}

/** The whole store to take away, and its indexes anew. */
function storeRoutes(
  { services, dump, reindex }: OperatorParts,
): Route[] {
  return [
    route("GET", `${OPERATOR_PREFIX}/backup`, async (context) => {
      await actOnStore(context, services, "store.back_up");
      return withHeaders(ndjson(dump()), {
        "content-disposition": 'attachment; filename="spotlight.ndjson"',
      });
    }),
    route(
      "POST",
      `${OPERATOR_PREFIX}/reindex`,
      async (context) => {
        await actOnStore(context, services, "store.reindex");
        return ndjson(ReadableStream.from(linesOf(reindex())));
      },
    ),
  ];
}

/** What takes the whole store is written down before it begins. */
function actOnStore(
  context: RouteContext,
  services: Services,
  act: "store.back_up" | "store.reindex",
): Promise<void> {
  const order = { by: context.get("operator"), act, subject: null };
  return actAs(services, order, () => Promise.resolve());
}

function ndjson(body: ReadableStream<Uint8Array>): Response {
  return respondStream(body, {
    "content-type": "application/x-ndjson",
    "cache-control": "no-store",
  });
}

async function* linesOf(
  values: AsyncIterable<object>,
): AsyncGenerator<Uint8Array, void> {
  const encoder = new TextEncoder();
  for await (const value of values) {
    yield encoder.encode(`${JSON.stringify(value)}\n`);
  }
}

/** Events of the processor that could not be processed, and a retry of one. */
function webhookEventRoutes({ services, eventWork }: OperatorParts): Route[] {
  return [
    operation("GET", "/webhook_events", async () => {
      const { events, isPartial } = await listTroubledEvents(services);
      return { events: events.map(toEventRecord), has_more: isPartial };
    }),
    operation("POST", "/webhook_events/:id/retry", async ({ param, by }) => {
      const eventId = param("id");
      const event = await actAs(
        services,
        { by, act: "event.retry", subject: eventId },
        (acting) => retryEvent({ ...eventWork, services: acting }, { eventId }),
      );
      return toEventRecord(event);
    }),
  ];
}

function toEventRecord(event: WebhookEvent): Record<string, unknown> {
  const { id, type, objectId, state, attempts, trouble } = event;
  return {
    id,
    type,
    object_id: objectId,
    state,
    attempts,
    trouble: trouble ?? null,
    detail: trouble === undefined ? null : TROUBLE_WORDS[trouble],
    received_at: isoTime(event.receivedAtMs),
    due_at: isoOrNull(state === "done" ? null : event.dueAtMs),
  };
}
