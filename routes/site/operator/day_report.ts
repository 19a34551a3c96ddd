import { isoOrNull, isoTime } from "../../../domain/day.ts";
import type { DayReport } from "../../../domain/settlement/read_day_report.ts";
import type { Settlement } from "../../../domain/settlement/settlement.ts";
import type { Spotlight } from "../../../domain/spotlights/spotlight.ts";

/** Writes a report down for the operator, without a single amount. */
export function toDayReportRecord(report: DayReport): Record<string, unknown> {
  const { state, settledAtMs, settlement, spotlight } = report;
  return {
    ...state,
    settledAt: isoOrNull(settledAtMs),
    settlement: settlement && toSettlementRecord(settlement),
    spotlight: spotlight && toSpotlightRecord(spotlight),
  };
}

function toSettlementRecord(settlement: Settlement): Record<string, unknown> {
  const { state, attempts, dueAtMs, candidates } = settlement;
  // The candidate being worked on or won; null when all were passed over.
  const position = candidates.findIndex(({ step }) => step !== "passed_over");
  return {
    state,
    position: position < 0 ? null : position,
    attempts,
    dueAt: state === "settled" ? null : isoTime(dueAtMs),
    candidates: candidates.map(({ bidId, step, passedOverAs, note }) => ({
      // Until the day settles, no surface tells which bid ranks where.
      bid_id: state === "settled" ? bidId : null,
      step,
      passed_over_as: passedOverAs,
      note,
    })),
  };
}

function toSpotlightRecord(spotlight: Spotlight): Record<string, unknown> {
  return {
    contentType: spotlight.contentType,
    headline: spotlight.headline,
    advertiser: spotlight.advertiser,
    removedAt: isoOrNull(spotlight.removedAtMs),
    removalReason: spotlight.removalReason,
  };
}
