import type { Day } from "../day.ts";
import type { Services } from "../ports.ts";
import { changeSession } from "./change_session.ts";
import { CHECKOUT_KEPT_MS } from "./limits.ts";
import { isOnSale } from "../paid_metrics/metrics_report.ts";
import type { Reply, SessionRequest } from "./reply.ts";

/** The wish to buy another day's report instead. */
export interface UpdateSession extends SessionRequest {
  day: Day;
}

/**
 * Replaces the line item, "before payment starts": also after a payment that
 * took no money, since none has started then. A day without a report is
 * `item_unknown`.
 *
 * @throws as {@linkcode changeSession} does
 */
export function updateSession(
  services: Services,
  request: UpdateSession,
): Promise<Reply> {
  const { day } = request;
  return changeSession(
    services,
    request,
    "update",
    async (tx, session, now) =>
      isOnSale(await tx.spotlights.find(day))
        ? {
          ...session,
          day,
          notice: null,
          updatedAtMs: now,
          expiresAtMs: now + CHECKOUT_KEPT_MS,
        }
        : { kind: "item_unknown", day },
  );
}
