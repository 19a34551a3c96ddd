import { parsePolicyId } from "../creatives/policies.ts";
import {
  plainText,
  type TextBounds,
  type TextProblem,
  textProblem,
} from "../text/text_problem.ts";
import { type Day, DAY_MS } from "../day.ts";
import type { Services } from "../ports.ts";
import { refuse } from "../refusal.ts";
import {
  type AdReport,
  openOf,
  REPEATED_REPORTS_MAX,
  REPORTS_OPEN_MAX,
} from "./ad_report.ts";

/** How long a reader's words may be, in code points. */
export const REPORT_TEXT: TextBounds = { min: 0, max: 1_000 };
/** Where no policy is named the words alone say what is wrong. */
export const REPORT_ALONE: TextBounds = { min: 10, max: 1_000 };
/** How long a report is kept. */
export const REPORT_KEPT_MS = 180 * DAY_MS;

/** Reads what a reader reports. Line breaks become spaces. */
export function readReport(typed: { policyId: string; text: string }):
  | { ok: true; report: Pick<AdReport, "policyId" | "text"> }
  | { ok: false; problem: TextProblem } {
  const policyId = parsePolicyId(typed.policyId);
  const bounds = policyId === null ? REPORT_ALONE : REPORT_TEXT;
  const text = plainText(inOneLine(typed.text), bounds);
  const problem = textProblem(text, bounds);
  return problem === null
    ? { ok: true, report: { policyId, text } }
    : { ok: false, problem };
}

/** White space with a line break in it becomes one space. */
function inOneLine(text: string): string {
  return text.replace(/\s+/g, (space) => /[\r\n]/.test(space) ? " " : space);
}

/**
 * Puts a reader's report of a Spotlight on the operator's desk. Nobody is
 * named in it: no account, no address. Decision 0193 says why.
 *
 * @returns the report's id; null where it is counted only, since there are very many
 * @throws {Refused} `not_found` for a day without a public Spotlight
 */
export function reportAd(
  { store, clock, ids }: Pick<Services, "store" | "clock" | "ids">,
  { day, report, isRepeat = false }: {
    day: Day;
    report: Pick<AdReport, "policyId" | "text">;
    /** Whether its network has reported this Spotlight lately. */
    isRepeat?: boolean;
  },
): Promise<{ reportId: string | null }> {
  const id = ids.next("report"); // outside: attempts share it
  return store.transact(async (tx) => {
    const nowMs = clock.now();
    const spotlight = await tx.peek(tx.spotlights.ref(day));
    if (spotlight === null || spotlight.removedAtMs !== null) {
      refuse({ code: "not_found", message: "Cannot find the Spotlight" });
    }
    const before = await tx.reportTallies.find(day) ?? { day, count: 0 };
    const counted = { ...before, count: before.count + 1 };
    const open = openOf(before, nowMs);
    if (open >= (isRepeat ? REPEATED_REPORTS_MAX : REPORTS_OPEN_MAX)) {
      tx.reportTallies.save(counted);
      return { reportId: null };
    }
    const expiresAtMs = nowMs + REPORT_KEPT_MS;
    const openUntilMs = expiresAtMs;
    tx.reportTallies.save({ ...counted, open: open + 1, openUntilMs });
    tx.adReports.save({
      ...report,
      id,
      day,
      reportedAtMs: nowMs,
      closedAtMs: null,
      expiresAtMs,
    });
    return { reportId: id };
  });
}
