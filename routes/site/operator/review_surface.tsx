import { closeReport } from "../../../domain/ad_reports/close_report.ts";
import type { Creative } from "../../../domain/creatives/creative.ts";
import {
  readCreativeForReview,
  readReviewQueue,
} from "../../../domain/creatives/read_review_queue.ts";
import type { RejectionText } from "../../../domain/creatives/read_rejection.ts";
import {
  approveCreative,
  rejectCreative,
  type ReviewCreative,
  withdrawApproval,
} from "../../../domain/creatives/review_creative.ts";
import { reviewerOf } from "../../../domain/accounts/require_operator.ts";
import type { Reviewer } from "../../../domain/creatives/creative_note.ts";
import type { Services } from "../../../domain/ports.ts";
import { seeOther, signedInOf } from "../../middleware/session.ts";
import { route, type RouteContext, type Surface } from "../../route_table.ts";
import { advertiserPage } from "../pages/advertiser_page.ts";
import type { AdvertiserParts } from "../advertiser_parts.ts";
import { whyNot } from "../creatives/creative_words.ts";
import { readForm } from "../../http/form_body.ts";
import { privateAnswer } from "../../pages/page_answer.ts";
import { queryParam } from "../../http/query.ts";
import { DeskPage, REVIEW_PATH, ReviewPage } from "./review_page.tsx";
import { refusalOf } from "../pages/refusal_of.ts";

/** What was done, by the query that the answer leads to. */
const DONE: Readonly<Record<string, string>> = {
  approved: "It was approved, and its advertiser is told.",
  rejected: "It was rejected, and its advertiser is told.",
  withdrawn: "The approval was withdrawn, and its advertiser is told.",
  closed: "The report was closed.",
};

/** What is decided about a creative, and what it is then said to be. */
interface Decision {
  decide(
    services: Services,
    input: ReviewCreative & { typed: RejectionText },
  ): Promise<Creative>;
  done: string;
}

/** Every decision, by the last part of its address. */
const DECISIONS: Readonly<Record<string, Decision>> = {
  approve: { decide: approveCreative, done: "approved" },
  reject: { decide: rejectCreative, done: "rejected" },
  withdraw: { decide: withdrawApproval, done: "withdrawn" },
};

const NOTHING: RejectionText = { policyId: "", message: "", remedy: "" };

/** Longest text of a field that is shown again. */
const SHOWN_MAX = 2_000;

/** The operator's desk; there is none for anybody else. */
export function reviewSurface(parts: AdvertiserParts): Surface {
  const { services } = parts;
  const one = `${REVIEW_PATH}/:id` as const;
  return advertiserPage(parts, {
    path: REVIEW_PATH,
    routes: [
      route("GET", REVIEW_PATH, (context) => showDesk(context, parts)),
      route("POST", `${REVIEW_PATH}/reports/close`, async (context) => {
        reviewer(context, parts);
        const reportId = (await readForm(context)).text("report");
        await closeReport(services, { reportId });
        return seeOther(`${REVIEW_PATH}?done=closed`);
      }),
      route("GET", one, (context) => show(context, parts, {})),
      ...Object.entries(DECISIONS).map(([name, decision]) =>
        route(
          "POST",
          `${one}/${name}`,
          (context) => decide(context, parts, decision),
        )
      ),
    ],
  });
}

function reviewer(
  context: RouteContext,
  { services: { settings } }: AdvertiserParts,
): Reviewer {
  return reviewerOf(signedInOf(context).account, settings);
}

async function showDesk(
  context: RouteContext,
  parts: AdvertiserParts,
): Promise<Response> {
  reviewer(context, parts);
  const note = DONE[queryParam(context, "done") ?? ""] ?? null;
  const desk = await readReviewQueue(parts.services);
  const hold = await parts.services.store.currentHold();
  const page = <DeskPage desk={desk} hold={hold} note={note} />;
  return privateAnswer(context, page);
}

/** Decides by what the form says, and leads back to the desk. */
async function decide(
  context: RouteContext,
  parts: AdvertiserParts,
  decision: Decision,
): Promise<Response> {
  const by = reviewer(context, parts);
  const adId = context.req.param("id") ?? "";
  const form = await readForm(context);
  const text = (name: string) => form.text(name, SHOWN_MAX);
  const typed: RejectionText = {
    policyId: text("policy_id"),
    message: text("message"),
    remedy: text("remedy"),
  };
  try {
    const advertiser = form.text("advertiser") || null;
    const input = { adId, by, typed, advertiser };
    await decision.decide(parts.services, input);
  } catch (thrown) {
    const { why } = refusalOf(thrown, "creative_refused");
    const problems = why.kind === "bad_copy" ? why.problems : [];
    return await show(context, parts, {
      typed,
      errors: Object.fromEntries(
        problems.map(({ field, message }) => [field, message]),
      ),
      error: whyNot(why),
      status: why.kind === "bad_copy" ? 400 : 409,
    });
  }
  return seeOther(`${REVIEW_PATH}?done=${decision.done}`);
}

async function show(
  context: RouteContext,
  parts: AdvertiserParts,
  shown: {
    typed?: RejectionText;
    errors?: Readonly<Record<string, string>>;
    error?: string;
    status?: number;
  },
): Promise<Response> {
  reviewer(context, parts);
  const adId = context.req.param("id") ?? "";
  const item = await readCreativeForReview(parts.services, { adId });
  const { typed = NOTHING, errors = {}, error = null, status = 200 } = shown;
  const html = (
    <ReviewPage item={item} typed={typed} errors={errors} error={error} />
  );
  return privateAnswer(context, html, { status });
}
