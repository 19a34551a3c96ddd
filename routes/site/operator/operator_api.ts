import { renderOperator } from "../../errors/operator_surface.ts";
import { onThisMachine } from "../../middleware/this_machine.ts";
import {
  type Gate,
  type Route,
  route,
  type Surface,
} from "../../route_table.ts";
import { accountRoutes } from "./account_routes.ts";
import { auctionRoutes } from "./auction_routes.ts";
import { holdRoutes } from "./hold_routes.ts";
import type { OperatorParts } from "./operator_parts.ts";
import { reviewRoutes } from "./review_routes.ts";
import type { ArchiveTask } from "../../../domain/invoices/archive_task.ts";
import {
  findArchiveTask,
  retryArchiving,
} from "../../../domain/invoices/retry_archiving.ts";
import { operation, OPERATOR_PREFIX } from "./operation.ts";
import { z } from "zod";
import { refundSpotlight } from "../../../domain/invoices/refund_spotlight.ts";
import { reconcileDay } from "../../../domain/reconciliation/reconcile_day.ts";
import { respondJson } from "../../http/respond.ts";
import { requiredText } from "../../http/bounded_text.ts";
import { listJobRuns } from "../../../domain/operations/list_job_runs.ts";
import { isoOrNull, isoTime } from "../../../domain/day.ts";
import { listTroubledEvents } from "../../../domain/webhooks/list_troubled_events.ts";
import { retryEvent } from "../../../domain/webhooks/retry_event.ts";
import type { WebhookEvent } from "../../../domain/webhooks/webhook_event.ts";
import { TROUBLE_WORDS } from "./webhook_events.tsx";
import { createHash, timingSafeEqual } from "node:crypto";
import { refuse } from "../../../domain/refusal.ts";
import type { RouteServices } from "../../context.ts";
import { chargePublic } from "../../middleware/rate_limit.ts";

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
    operation("POST", `${one}/retry`, async ({ param }) => {
      const number = param("number");
      return toTaskRecord(await retryArchiving(services, { number }));
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
      const invoice = await refundSpotlight(services, { day, note });
      const { number, money, totalCents, creditNotes } = invoice;
      return {
        day,
        invoice: number,
        money,
        total_cents: totalCents,
        credit_notes: creditNotes.map((each) => each.number),
      };
    }),
    operation(
      "POST",
      "/reconciliations/:day",
      ({ day }) => reconcileDay(services, day()),
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

/** How the jobs stand, the whole store to take away, and its indexes anew. */
function storeRoutes(
  { services, jobs, dump, reindex }: OperatorParts,
): Route[] {
  return [
    operation("GET", "/jobs", async () => {
      const standings = await listJobRuns(services, jobs);
      return {
        jobs: standings.map(({ name, schedule, lastSuccessMs, late }) => ({
          name,
          schedule,
          lastSuccessAt: isoOrNull(lastSuccessMs),
          late,
        })),
      };
    }),
    route("GET", `${OPERATOR_PREFIX}/backup`, () => {
      const answer = ndjson(dump());
      answer.headers.set(
        "content-disposition",
        'attachment; filename="spotlight.ndjson"',
      );
      return answer;
    }),
    route(
      "POST",
      `${OPERATOR_PREFIX}/reindex`,
      () => ndjson(ReadableStream.from(linesOf(reindex()))),
    ),
  ];
}

function ndjson(body: ReadableStream<Uint8Array>): Response {
  return new Response(body, {
    headers: {
      "content-type": "application/x-ndjson",
      "cache-control": "no-store",
    },
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
    operation("POST", "/webhook_events/:id/retry", async ({ param }) => {
      const eventId = param("id");
      return toEventRecord(await retryEvent(eventWork, { eventId }));
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

const BEARER = /^bearer +(\S+) *$/i;

/**
 * A gate: only who holds the operator's key passes. The comparison takes as
 * long for any key. A request refused with 401 costs 1 of the public bucket
 * (contract §13.1), which makes wrong keys cost what other requests cost. It
 * does not stop guessing, since the right key passes with an empty bucket too;
 * that the key has 256 bits does.
 */
function requireOperatorKey(
  parts: RouteServices & { operatorKey: string },
): Gate {
  const wanted = digest(parts.operatorKey);
  return async function requireOperatorKey(context) {
    const header = context.req.raw.headers.get("authorization") ?? "";
    const key = BEARER.exec(header)?.[1] ?? "";
    if (timingSafeEqual(digest(key), wanted)) return null;
    await chargePublic(context, parts);
    refuse({ code: "operator_key_invalid" });
  };
}

/** Digests are of one length, whatever the keys are. */
function digest(key: string): Uint8Array {
  return createHash("sha256").update(key).digest();
}
