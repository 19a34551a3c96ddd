import { type AuctionState } from "../../../domain/auction/auction_state.ts";
import type {
  Candidate,
  Settlement,
} from "../../../domain/settlement/settlement.ts";
import { isoOrNull, isoTime } from "../../../domain/day.ts";
import type { DayReport } from "../../../domain/settlement/read_day_report.ts";
import type {
  ContentType,
  Spotlight,
} from "../../../domain/spotlights/spotlight.ts";

/** A candidate of a settlement; its amount stays sealed. */
export interface CandidateRecord {
  /** Null until the day has settled. */
  bid_id: string | null;
  step: Candidate["step"];
  /** Why it was passed over. */
  passed_over_as: Candidate["passedOverAs"];
  /** What the processor or the re-check said. */
  note: string | null;
}

/** How far a settlement has come. */
export interface SettlementRecord {
  state: Settlement["state"];
  /** The candidate being worked on or won; null when all were passed over. */
  position: number | null;
  /** Attempts since the last step that succeeded. */
  attempts: number;
  /** When it is tried again; null once settled. */
  dueAt: string | null;
  candidates: CandidateRecord[];
}

/** A day as the operator API answers it. */
export interface DayReportRecord extends AuctionState {
  settledAt: string | null;
  settlement: SettlementRecord | null;
  spotlight: {
    contentType: ContentType;
    headline: string;
    advertiser: string;
    removedAt: string | null;
    removalReason: string | null;
  } | null;
}

/** Writes a report down for the operator, without a single amount. */
export function toDayReportRecord(report: DayReport): DayReportRecord {
  const { state, settledAtMs, settlement, spotlight } = report;
  return {
    ...state,
    settledAt: isoOrNull(settledAtMs),
    settlement: settlement && toSettlementRecord(settlement),
    spotlight: spotlight && toSpotlightRecord(spotlight),
  };
}

function toSettlementRecord(settlement: Settlement): SettlementRecord {
  const { state, attempts, dueAtMs, candidates } = settlement;
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

function toSpotlightRecord(
  spotlight: Spotlight,
): NonNullable<DayReportRecord["spotlight"]> {
  return {
    contentType: spotlight.contentType,
    headline: spotlight.headline,
    advertiser: spotlight.advertiser,
    removedAt: isoOrNull(spotlight.removedAtMs),
    removalReason: spotlight.removalReason,
  };
}
