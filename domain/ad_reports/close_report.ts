import type { Day } from "../day.ts";
import type { Services, Store, Transaction } from "../ports.ts";
import { refuse } from "../refusal.ts";
import { type AdReport, openOf } from "./ad_report.ts";

/** What ids of reports look like; no other text is to become part of a key. */
const REPORT_ID = /^report_[a-z0-9]{1,64}$/;

/** Which report. */
interface ReportOf {
  reportId: string;
  /** The Spotlight that it is to be about; absent for any. */
  day?: Day;
}

/**
 * Closes several reports of one Spotlight, once each of them was found: where one
 * is another's, none is closed.
 *
 * @throws {Refused} `not_found`
 */
export async function closeReports(
  services: Pick<Services, "store" | "clock">,
  { reportIds, day }: { reportIds: readonly string[]; day: Day },
): Promise<void> {
  for (const reportId of reportIds) {
    await findReport(services.store, { reportId, day });
  }
  for (const reportId of reportIds) {
    await closeReport(services, { reportId, day });
  }
}

/**
 * Takes a report off the desk, once an operator has dealt with it: another one
 * has its place. A repeat returns what stands.
 *
 * @throws {Refused} `not_found`
 */
export function closeReport(
  { store, clock }: Pick<Services, "store" | "clock">,
  which: ReportOf,
): Promise<AdReport> {
  return store.transact(async (tx) => {
    const found = await findReport(tx, which);
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

async function findReport(
  { adReports }: Pick<Transaction | Store, "adReports">,
  { reportId, day }: ReportOf,
): Promise<AdReport> {
  const found = REPORT_ID.test(reportId)
    ? await adReports.find(reportId)
    : null;
  if (found === null || (day !== undefined && found.day !== day)) {
    refuse({ code: "not_found", message: "Cannot find the report" });
  }
  return found;
}
