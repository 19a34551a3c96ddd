import type { ClickCounter } from "../../domain/clicks/click_counter.ts";
import type { Clock } from "../../domain/ports.ts";
import type { PublicRecord } from "../../domain/spotlights/public_record.ts";
import type { PublicRecords } from "../../domain/spotlights/public_records.ts";
import { PAGE_ANSWERS } from "../errors/page_surface.tsx";
import { respondEmpty } from "../http/respond.ts";
import { clientOf, type RateLimits } from "../middleware/rate_limit.ts";
import { route, type RouteContext, type Surface } from "../route_table.ts";
import { limitClicks } from "./go_limits.ts";
import { noSpotlightAnswer } from "./pages/page_routes.tsx";

/** What clicks are redirected and counted with. */
export interface GoParts extends RateLimits {
  clock: Clock;
  records: PublicRecords;
  clicks: ClickCounter;
  /** See {@linkcode limitClicks}. */
  unawaitedMax?: number;
}

/**
 * `/go/{day}`: leads to the advertiser of a settled day and counts that. The
 * answer comes from memory; neither the count nor the bucket is waited for.
 */
export function goSurface(parts: GoParts): Surface {
  return {
    prefix: "/go",
    // What they show of it is told from clicks (`embedded`).
    free: true,
    enter: [limitClicks(parts, parts.unawaitedMax)],
    routes: [
      route("GET", "/go/:day", (context) => {
        const { byDay } = parts.records.snapshot;
        const record = byDay.get(context.req.param("day"));
        if (record === undefined) return noSpotlightAnswer(context);
        count(parts, context, record);
        return redirectTo(record);
      }),
    ],
    answers: PAGE_ANSWERS,
  };
}

/** Has the request counted once its token is granted, if it is. */
function count(
  parts: GoParts,
  context: RouteContext,
  { day }: PublicRecord,
): void {
  const request = {
    // A HEAD is passed on as the GET it stands for.
    method: context.env.trace.isHead ? "HEAD" : context.req.method,
    headers: context.req.raw.headers,
    address: clientOf(context, parts),
    atMs: parts.clock.now(),
  };
  parts.clicks.note(day, request, context.get("admission"));
}

/** The redirects that were asked for, as long as their records live. */
const prepared = new WeakMap<PublicRecord, Response>();

function redirectTo(record: PublicRecord): Response {
  let answer = prepared.get(record);
  if (answer === undefined) {
    answer = respondEmpty(302, {
      location: record.targetUrl,
      "cache-control": "no-store",
      // The advertiser may know that we sent a reader, not what was read.
      "referrer-policy": "strict-origin",
      "x-robots-tag": "noindex, nofollow",
      "x-content-type-options": "nosniff",
    });
    prepared.set(record, answer);
  }
  return answer.clone();
}
