import { sha256Hex } from "../../../domain/sha256.ts";
import { FinalTimeReader } from "../../../domain/clicks/final_times.ts";
import type { Day } from "../../../domain/day.ts";
import { refuseWhileOnHold } from "../../../domain/hold/gate.ts";
import { parseIdempotencyKey } from "../../../domain/idempotency/key.ts";
import {
  buyMetrics,
  type MetricsAnswer,
} from "../../../domain/paid_metrics/buy_metrics.ts";
import type { MetricsSale } from "../../../domain/paid_metrics/presentation.ts";
import type { Services } from "../../../domain/ports.ts";
import { refuse, Refused } from "../../../domain/refusal.ts";
import type { PublicRecords } from "../../../domain/spotlights/public_records.ts";
import { readSpotlight } from "../../../domain/spotlights/read_spotlight.ts";
import {
  paymentProblem,
  type PaymentRequired,
  unsupportedMethodProblem,
} from "../../errors/payment_problem.ts";
import type { RateLimits } from "../../middleware/rate_limit.ts";
import { chargePayment } from "../../middleware/shared_budgets.ts";
import { type Route, route, type RouteContext } from "../../route_table.ts";
import { finalHeader } from "./metrics_final.ts";
import { challengeHeader } from "../payment_scheme/challenge.ts";
import { type PaymentScheme, paymentScheme } from "../payment_scheme/scheme.ts";
import { receiptOf } from "../payment_scheme/receipt.ts";
import { publicContextOf, publicHeaders } from "./public_answer.ts";
import { parsePathDay } from "../../http/query.ts";
import { respondStream } from "../../http/respond.ts";

/** What selling figures needs. */
export interface MetricsParts extends RateLimits {
  services: Services;
  records: PublicRecords;
  /** The seller's profile at the processor, `profile_…`. */
  profileId: string;
}

interface MetricsShop extends MetricsParts {
  scheme: PaymentScheme;
  finalTimes: FinalTimeReader;
}

/** The figures of a day, for a payment in the request (contract §4). */
export function metricsRoutes(parts: MetricsParts): Route[] {
  const shop: MetricsShop = {
    ...parts,
    scheme: paymentScheme(parts),
    finalTimes: new FinalTimeReader(parts.services),
  };
  return [
    route("GET", "/api/v1/spotlights/:day/metrics", async (context) => {
      const day = parsePathDay(context.req.param("day"));
      // Deno tells of a caller who hangs up from when this is first read.
      const { signal: gone } = context.req.raw;
      try {
        return reportAnswer(context, await sell(shop, context, day), gone);
      } catch (thrown) {
        const need = needOf(thrown);
        if (need === null) throw thrown;
        return await needAnswer(shop, context, day, need);
      }
    }),
  ];
}

/** Malformed requests and days without figures come before any payment. */
async function sell(
  shop: MetricsShop,
  context: RouteContext,
  day: Day,
): Promise<MetricsAnswer> {
  const { services, records, scheme } = shop;
  const { headers } = context.req.raw;
  const key = headers.get("idempotency-key");
  const keyHash = key === null ? null : sha256Hex(parseIdempotencyKey(key));
  // The answer to HEAD has no body, so nobody pays for it.
  const header = context.env.trace.isHead ? null : headers.get("authorization");
  const presented = scheme.read(header, day);
  if ("need" in presented) {
    readSpotlight(records, day);
    // Nobody is asked for a token that could not be charged.
    await refuseWhileOnHold(services);
    return refuse({ code: "payment_required", why: presented.need });
  }
  // A token that was made up asks the processor as well.
  await chargePayment(context, shop);
  // The store says whether the day is gone, for then money may have to go back.
  return await buyMetrics(services, { ...presented, keyHash }, writeReport);
}

function writeReport(sale: MetricsSale): { body: string; receipt: string } {
  return { body: JSON.stringify(sale.report), receipt: receiptOf(sale) };
}

/**
 * The answer ends once it is recorded that it has left, so that whoever has
 * read it to its end and sends the credential again is told that it was used.
 * Who hung up while the processor was asked is sent nothing, and so it is not
 * recorded: the same credential is given the answer when it comes back. That
 * is asked before the first byte, since a caller who reads the figures and
 * then hangs up has been given them.
 */
function reportAnswer(
  context: RouteContext,
  { body, receipt, isFinal, isReplay, left }: MetricsAnswer,
  gone: AbortSignal,
): Response {
  let isCut = false;
  const stream = new ReadableStream<Uint8Array>({
    async pull(controller) {
      if (gone.aborted) return;
      controller.enqueue(new TextEncoder().encode(body));
      await left();
      if (!isCut) controller.close();
    },
    cancel() {
      isCut = true;
    },
    // Nothing is made before the server asks for it.
  }, { highWaterMark: 0 });
  return respondStream(stream, {
    "content-type": "application/json",
    "cache-control": "private, no-store",
    "payment-receipt": receipt,
    ...finalHeader(isFinal),
    ...isReplay && { "idempotent-replayed": "true" },
    ...publicHeaders(context),
  });
}

function needOf(thrown: unknown): PaymentRequired | null {
  if (!(thrown instanceof Refused)) return null;
  const { refusal } = thrown;
  return refusal.code === "payment_required" ? refusal : null;
}

/**
 * Asks for a payment with a fresh challenge (contract §4.2). It says already
 * whether the figures may change: whoever wants final ones does not pay twice.
 */
async function needAnswer(
  { services, scheme, finalTimes }: MetricsShop,
  context: RouteContext,
  day: Day,
  need: PaymentRequired,
): Promise<Response> {
  const answerContext = publicContextOf(context, services.settings);
  if (need.why === "unsupported_method") {
    return unsupportedMethodProblem(day, answerContext);
  }
  const finalAtMs = (await finalTimes.read([day])).get(day) ?? Infinity;
  const isFinal = finalAtMs <= services.clock.now();
  const challenge = scheme.challenge(day, isFinal);
  const shown = {
    id: challenge.id,
    headers: {
      "www-authenticate": challengeHeader(challenge),
      ...finalHeader(isFinal),
    },
  };
  return paymentProblem(need, day, shown, answerContext);
}
