import type { Day } from "../day.ts";
import type { Services } from "../ports.ts";
import { refuse } from "../refusal.ts";
import { type AdReport, openOf } from "./ad_report.ts";

/** What ids of reports look like; no other text is to become part of a key. */
const REPORT_ID = /^report_[a-z0-9]{1,64}$/;

/**
 * Takes a report off the desk, once an operator has dealt with it: another one
 * has its place. A repeat returns what stands.
 *
 * @throws {Refused} `not_found`
 */
export function closeReport(
  { store, clock }: Pick<Services, "store" | "clock">,
  { reportId, day }: {
    reportId: string;
    /** The Spotlight that it is to be about; absent for any. */
    day?: Day;
  },
): Promise<AdReport> {
  return store.transact(async (tx) => {
    const found = REPORT_ID.test(reportId)
      ? await tx.adReports.find(reportId)
      : null;
    if (found === null || (day !== undefined && found.day !== day)) {
      refuse({ code: "not_found", message: "Cannot find the report" });
    }
    if (found.closedAtMs !== null) return found;
    const nowMs = clock.now();
    const closed = { ...found, closedAtMs: nowMs };
    tx.adReports.save(closed);
    const tally = await tx.reportTallies.find(found.day);
    if (tally !== null) {
      const open = Math.max(0, openOf(tally, nowMs) - 1);
      tx.reportTallies.save({ ...tally, open });
    }
    tx.noteChange({ before: { closed: false }, after: { closed: true } });
    return closed;
  });
}
