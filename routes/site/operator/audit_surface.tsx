import { readAudit } from "../../../domain/audit/read_audit.ts";
import type { OperatorAct } from "../../../domain/audit/operator_act.ts";
import { dayOf } from "../../../domain/day.ts";
import { csvFile } from "../../http/saved_file.ts";
import type { Surface } from "../../route_table.ts";
import type { AdvertiserParts } from "../advertiser_parts.ts";
import { operatorPage, type PageRequest } from "../pages/advertiser_page.ts";
import { AuditPage } from "./audit_page.tsx";
import { askedAudit, auditCsv, filterOf } from "./audit_view.ts";
import { AUDIT_PATH, placeIn } from "./paths.ts";

/** Lines on a page. */
const PAGE_MAX = 50;
/** Lines in one file: with two filters, of so many reads at most. */
const FILE_MAX = 5_000;
const READS_MAX = 20;

/** What operators did: `/operator/audit`, also as a table. */
export function auditSurface(parts: AdvertiserParts): Surface {
  return operatorPage(parts, {
    path: AUDIT_PATH,
    get: { [AUDIT_PATH]: showAudit, [`${AUDIT_PATH}/csv`]: sendAudit },
  });
}

async function showAudit(
  { services, query, show }: PageRequest,
): Promise<Response> {
  const asked = askedAudit(query);
  const before = placeIn(query("before"));
  const filter = filterOf(asked, services.clock.now());
  const part = await readAudit(services, filter, { limit: PAGE_MAX, before });
  return show(
    <AuditPage part={part} asked={asked} isFurtherOn={before !== null} />,
  );
}

/** The newest lines of a filter; days narrow down what is too much for a file. */
async function sendAudit(
  { services, query }: PageRequest,
): Promise<Response> {
  const nowMs = services.clock.now();
  const filter = filterOf(askedAudit(query), nowMs);
  const acts: OperatorAct[] = [];
  let before = null;
  for (let read = 0; read < READS_MAX && acts.length < FILE_MAX; read++) {
    const limit = FILE_MAX - acts.length;
    const part = await readAudit(services, filter, { limit, before });
    acts.push(...part.acts);
    before = part.next;
    if (before === null) break;
  }
  return csvFile(auditCsv(acts), `audit-${dayOf(nowMs)}.csv`);
}
