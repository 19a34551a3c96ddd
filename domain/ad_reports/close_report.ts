import type { Services } from "../ports.ts";
import { refuse } from "../refusal.ts";
import type { AdReport } from "./ad_report.ts";

/** What ids of reports look like; no other text is to become part of a key. */
const REPORT_ID = /^report_[a-z0-9]{1,64}$/;

/**
 * Takes a report off the desk, once an operator has dealt with it. A repeat
 * returns what stands.
 *
 * @throws {Refused} `not_found`
 */
export function closeReport(
  { store, clock }: Pick<Services, "store" | "clock">,
  { reportId }: { reportId: string },
): Promise<AdReport> {
  return store.transact(async (tx) => {
    const found = REPORT_ID.test(reportId)
      ? await tx.adReports.find(reportId)
      : null;
    if (found === null) {
      refuse({ code: "not_found", message: "Cannot find the report" });
    }
    if (found.closedAtMs !== null) return found;
    const closed = { ...found, closedAtMs: clock.now() };
    tx.adReports.save(closed);
    return closed;
  });
}
