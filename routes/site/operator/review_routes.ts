import { z } from "zod";
import { COMPANY_LIMITS } from "../../../domain/accounts/company_form.ts";
import { closeReport } from "../../../domain/ad_reports/close_report.ts";
import type { AdReport } from "../../../domain/ad_reports/ad_report.ts";
import {
  readReported,
  readReportedDay,
  type ReportedSpotlight,
} from "../../../domain/ad_reports/read_open_reports.ts";
import type { Creative } from "../../../domain/creatives/creative.ts";
import type { CreativeNote } from "../../../domain/creatives/creative_note.ts";
import { toCreativeRecord } from "../../../domain/creatives/creative_record.ts";
import {
  readCreativeForReview,
  readReviewQueue,
  REVIEW_QUEUE_MAX,
  type ReviewedCreative,
  reviewPlace,
} from "../../../domain/creatives/read_review_queue.ts";
import {
  rejectionReason,
  type RejectionText,
  REVIEW_TEXTS,
} from "../../../domain/creatives/read_rejection.ts";
import {
  approveCreative,
  rejectCreative,
  withdrawApproval,
} from "../../../domain/creatives/review_creative.ts";
import { isoOrNull, isoTime } from "../../../domain/day.ts";
import { actAs, type ActOrder } from "../../../domain/audit/act_as.ts";
import { ID_MAX, judgedText } from "../../http/bounded_text.ts";
import { REVIEW_POSITIONS } from "../../http/positions.ts";
import { day } from "../../http/query.ts";
import type { Route } from "../../route_table.ts";
import { listAnswer } from "./list_answer.ts";
import { type Asked, operation } from "./operation.ts";
import type { OperatorParts } from "./operator_parts.ts";

/** What the texts may hold, and which may be left out, the verb decides. */
const rejection = z.strictObject({
  policy_id: judgedText(ID_MAX),
  message: judgedText(REVIEW_TEXTS.message.max).optional(),
  remedy: judgedText(REVIEW_TEXTS.remedy.max).optional(),
});

const approval = z.strictObject({
  advertiser: judgedText(COMPANY_LIMITS.name).optional(),
});

/** All reports of a day, or the first few of each day before another. */
const reportQuery = z.strictObject({
  day: day.optional(),
  before: day.optional(),
});
/** Reports of a Spotlight where those of many are listed. */
const REPORTS_OF_EACH = 5;

const BY = { kind: "operator_key" } as const;

/** The operator's desk: creatives to decide about, and readers' reports. */
export function reviewRoutes({ services }: OperatorParts): Route[] {
  return [
    operation("GET", "/reviews", (asked) =>
      listAnswer(asked, {
        action: "Cannot list the creatives",
        positions: REVIEW_POSITIONS,
        max: REVIEW_QUEUE_MAX,
        list: ({ limit, before: after }) =>
          readReviewQueue(services, { limit, after }),
        placeOf: reviewPlace,
        wire: wireDeskCreative,
      })),
    operation("GET", "/creatives/:id", async ({ param }) => {
      const found = await readCreativeForReview(services, {
        adId: param("id"),
      });
      return { ...wireDeskCreative(found), notes: found.notes.map(wireNote) };
    }),
    operation("POST", "/creatives/:id/approve", async (asked) => {
      const advertiser = await readAdvertiser(asked);
      const adId = asked.param("id");
      const input = { adId, by: BY, advertiser };
      const creative = await actAs(
        services,
        { by: asked.by, act: "creative.approve", subject: adId },
        (acting) => approveCreative(acting, input),
      );
      return wireCreative(creative);
    }),
    operation("POST", "/creatives/:id/reject", async (asked) => {
      const input = await readRejection(asked, "Cannot reject the creative");
      const order = turnedDown(asked, "creative.reject", input);
      const creative = await actAs(
        services,
        order,
        (acting) => rejectCreative(acting, input),
      );
      return wireCreative(creative);
    }),
    operation("POST", "/creatives/:id/withdraw_approval", async (asked) => {
      const input = await readRejection(asked, "Cannot withdraw the approval");
      const order = turnedDown(asked, "creative.withdraw", input);
      const creative = await actAs(
        services,
        order,
        (acting) => withdrawApproval(acting, input),
      );
      return wireCreative(creative);
    }),
    ...reportRoutes(services),
  ];
}

/** What readers reported. */
function reportRoutes(services: OperatorParts["services"]): Route[] {
  return [
    operation("GET", "/ad_reports", async ({ query }) => {
      const { day = null, before = null } = query(
        reportQuery,
        "Cannot list the reports",
      );
      if (day !== null) {
        const items = wireReported(await readReportedDay(services, { day }));
        return { items, next_before: null };
      }
      const limit = REPORTS_OF_EACH;
      const found = await readReported(services, { before, limit });
      const items = found.spotlights.flatMap(wireReported);
      return { items, next_before: found.nextBefore };
    }),
    operation("POST", "/ad_reports/:id/close", async ({ param, by }) => {
      const reportId = param("id");
      const report = await actAs(
        services,
        { by, act: "report.close", subject: reportId },
        (acting) => closeReport(acting, { reportId }),
      );
      return wireReport(report);
    }),
  ];
}

/** The name that the reviewer saw; a request without a body claims none. */
async function readAdvertiser(
  { body, hasBody }: Asked,
): Promise<string | null> {
  if (!hasBody) return null;
  const action = "Cannot approve the creative";
  return (await body(approval, action)).advertiser ?? null;
}

async function readRejection({ param, body }: Asked, action: string) {
  const read = await body(rejection, action);
  const { policy_id: policyId, message = "", remedy = "" } = read;
  const typed: RejectionText = { policyId, message, remedy };
  return { adId: param("id"), by: BY, typed };
}

/** What the audit is told of a creative that is turned down. */
function turnedDown(
  { by }: Asked,
  act: "creative.reject" | "creative.withdraw",
  { adId, typed }: { adId: string; typed: RejectionText },
): ActOrder {
  return { by, act, subject: adId, reason: rejectionReason(typed) };
}

function wireCreative(creative: Creative): Record<string, unknown> {
  return { ...toCreativeRecord(creative), account: creative.accountId };
}

function wireDeskCreative(
  { creative, advertiser, requestedName }: ReviewedCreative,
): Record<string, unknown> {
  const requested = { requested_advertiser: requestedName };
  return { ...wireCreative(creative), advertiser, ...requested };
}

function wireNote(note: CreativeNote): Record<string, unknown> {
  const { event, by, atMs, rejection } = note;
  return {
    event,
    by: by.kind,
    account: by.kind === "operator" ? by.accountId : null,
    grant: by.kind === "advertiser" ? by.grantId : null,
    at: isoTime(atMs),
    policy_id: rejection?.policyId ?? null,
  };
}

function wireReported(
  { reports, spotlight }: Pick<ReportedSpotlight, "reports" | "spotlight">,
): Record<string, unknown>[] {
  const adId = spotlight?.adId ?? null;
  return reports.map((report) => ({ ...wireReport(report), ad_id: adId }));
}

function wireReport(report: AdReport): Record<string, unknown> {
  return {
    id: report.id,
    day: report.day,
    policy_id: report.policyId,
    text: report.text,
    reported_at: isoTime(report.reportedAtMs),
    closed_at: isoOrNull(report.closedAtMs),
  };
}
