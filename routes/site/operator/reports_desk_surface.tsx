import { closeReports } from "../../../domain/ad_reports/close_report.ts";
import {
  readReported,
  readReportedDay,
} from "../../../domain/ad_reports/read_open_reports.ts";
import { parseDay } from "../../../domain/day.ts";
import { readDeskDay } from "../../../domain/settlement/read_desk_day.ts";
import type { Surface } from "../../route_table.ts";
import type { AdvertiserParts } from "../advertiser_parts.ts";
import { operatorPage, type PageRequest } from "../pages/advertiser_page.ts";
import { doneNote } from "../pages/done_note.ts";
import { DayTime } from "../ui/day_time.tsx";
import { accountAct } from "./account_acts.ts";
import { dayAct, refundable, WAITS } from "./day_acts.ts";
import { askThenAct, SENT_BEFORE } from "./desk_act.tsx";
import { ReportedDayPage, ReportsPage } from "./reports_page.tsx";
import { dayIn, REPORTS_PATH, reportsPath } from "./paths.ts";

const NOTES: Readonly<Record<string, string>> = {
  ...SENT_BEFORE,
  closed: "The reports are closed.",
  withdrawn: "The approval was withdrawn, and its advertiser is told.",
  remove: dayAct("remove").done,
  waits: WAITS,
  suspend: accountAct("suspend").done,
};

/** The operator's pages about what readers reported. */
export function reportsDeskSurface(parts: AdvertiserParts): Surface {
  const one = `${REPORTS_PATH}/:day`;
  return operatorPage(parts, {
    path: REPORTS_PATH,
    get: { [REPORTS_PATH]: showAll, [one]: showOne },
    post: { [`${one}/close`]: close },
    passkeyChanges: { fields: [], lists: ["report"] },
  });
}

async function showAll(
  { services, query, show }: PageRequest,
): Promise<Response> {
  const before = parseDay(query("before") ?? "");
  const found = await readReported(services, { before });
  return show(<ReportsPage found={found} isFirst={before === null} />);
}

async function showOne(request: PageRequest): Promise<Response> {
  const { services, show } = request;
  const day = dayIn(request);
  const [detail, deskDay] = await Promise.all([
    readReportedDay(services, { day }),
    readDeskDay(services, { day }),
  ]);
  return show(
    <ReportedDayPage
      detail={detail}
      mayRefund={refundable(deskDay) !== null}
      note={doneNote(request, NOTES)}
    />,
  );
}

/** Closes the reports that the page has shown, and no others. */
async function close(request: PageRequest): Promise<Response> {
  const day = dayIn(request);
  const own = reportsPath(day);
  const form = await request.form(["report"]);
  const reportIds = form.list("report");
  const count = reportIds.length === 1
    ? "1 report"
    : `${reportIds.length} reports`;
  return await askThenAct(request, {
    form,
    ask: () => ({
      title: "Close the reports",
      about: (
        <>
          {count} of <DayTime day={day} />
        </>
      ),
      effect: "They leave the desk, and nothing else changes. Reports that " +
        "came meanwhile stay.",
      kind: "main",
      action: `${own}/close`,
      fields: { report: reportIds },
      leave: own,
    }),
    order: { act: "report.close", subject: day },
    act: (acting) => closeReports(acting, { day, reportIds }),
    next: { path: own, done: "closed" },
  });
}
