import { z } from "zod";
import { COMPANY_NAME_MAX } from "../../../domain/accounts/company_form.ts";
import { closeReport } from "../../../domain/ad_reports/close_report.ts";
import type { AdReport } from "../../../domain/ad_reports/ad_report.ts";
import type { Creative } from "../../../domain/creatives/creative.ts";
import type { CreativeNote } from "../../../domain/creatives/creative_note.ts";
import { toCreativeRecord } from "../../../domain/creatives/creative_record.ts";
import {
  readCreativeForReview,
  readReviewQueue,
  type ReviewedCreative,
} from "../../../domain/creatives/read_review_queue.ts";
import {
  type RejectionText,
  REVIEW_TEXT,
} from "../../../domain/creatives/read_rejection.ts";
import {
  approveCreative,
  rejectCreative,
  withdrawApproval,
} from "../../../domain/creatives/review_creative.ts";
import { isoTime } from "../../../domain/day.ts";
import type { Services } from "../../../domain/ports.ts";
import type { BodySource } from "../../http/body.ts";
import { ID_MAX, judgedText } from "../../http/bounded_text.ts";
import { type Route, route } from "../../route_table.ts";
import { isoOrNull, operatorAnswer } from "./operator_answer.ts";
import type { OperatorParts } from "./operator_parts.ts";
import { readInput } from "./read_input.ts";

/** Texts left out are the policy's; what they may hold the verb decides. */
const rejection = z.strictObject({
  policy_id: judgedText(ID_MAX),
  message: judgedText(REVIEW_TEXT.max).optional(),
  remedy: judgedText(REVIEW_TEXT.max).optional(),
});

const approval = z.strictObject({
  advertiser: judgedText(COMPANY_NAME_MAX).optional(),
});

const BY = { kind: "operator_key" } as const;

/** The operator's desk: creatives to decide about, and readers' reports. */
export function reviewRoutes(
  { services }: Pick<OperatorParts, "services">,
): Route[] {
  return [...creativeRoutes(services), ...reportRoutes(services)];
}

function creativeRoutes(services: Services): Route[] {
  const one = "/operator/v1/creatives/:id" as const;
  return [
    route("GET", "/operator/v1/reviews", async () => {
      const { submitted } = await readReviewQueue(services);
      return operatorAnswer({ items: submitted.map(wireDeskCreative) });
    }),
    route("GET", one, async (context) => {
      const adId = context.req.param("id");
      const found = await readCreativeForReview(services, { adId });
      const notes = found.notes.map(wireNote);
      return operatorAnswer({ ...wireDeskCreative(found), notes });
    }),
    route("POST", `${one}/approve`, async (context) => {
      const adId = context.req.param("id");
      const { advertiser } = await readApproval(context);
      const input = { adId, by: BY, advertiser };
      const decided = await approveCreative(services, input);
      return operatorAnswer(wireCreative(decided));
    }),
    route("POST", `${one}/reject`, async (context) => {
      const adId = context.req.param("id");
      const action = "Cannot reject the creative";
      const typed = await readRejectionBody(context, action);
      const input = { adId, by: BY, typed };
      return operatorAnswer(
        wireCreative(await rejectCreative(services, input)),
      );
    }),
    route("POST", `${one}/withdraw_approval`, async (context) => {
      const adId = context.req.param("id");
      const action = "Cannot withdraw the approval";
      const typed = await readRejectionBody(context, action);
      const input = { adId, by: BY, typed };
      return operatorAnswer(
        wireCreative(await withdrawApproval(services, input)),
      );
    }),
  ];
}

function reportRoutes(services: Services): Route[] {
  return [
    route("GET", "/operator/v1/ad_reports", async () => {
      const { reports } = await readReviewQueue(services);
      const items = reports.map(({ report, adId }) => ({
        ...wireReport(report),
        ad_id: adId,
      }));
      return operatorAnswer({ items });
    }),
    route("POST", "/operator/v1/ad_reports/:id/close", async (context) => {
      const reportId = context.req.param("id");
      const closed = await closeReport(services, { reportId });
      return operatorAnswer(wireReport(closed));
    }),
  ];
}

/** The name that the reviewer saw; a request without a body claims none. */
async function readApproval(
  source: BodySource,
): Promise<{ advertiser: string | null }> {
  const hasBody = source.req.raw.headers.has("content-type");
  if (!hasBody) return { advertiser: null };
  const action = "Cannot approve the creative";
  const { advertiser = null } = await readInput(approval, source, action);
  return { advertiser };
}

async function readRejectionBody(
  source: BodySource,
  action: string,
): Promise<RejectionText> {
  const body = await readInput(rejection, source, action);
  const { policy_id: policyId, message = "", remedy = "" } = body;
  return { policyId, message, remedy };
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
