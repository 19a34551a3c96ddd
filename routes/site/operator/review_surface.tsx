import { closeReport } from "../../../domain/ad_reports/close_report.ts";
import { reviewerOf } from "../../../domain/accounts/require_operator.ts";
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
import type { Services } from "../../../domain/ports.ts";
import { seeOther } from "../../middleware/session.ts";
import type { Surface } from "../../route_table.ts";
import type { AdvertiserParts } from "../advertiser_parts.ts";
import { whyNot } from "../creatives/creative_words.ts";
import {
  doneNote,
  operatorPage,
  type PageHandler,
  type PageRequest,
} from "../pages/advertiser_page.ts";
import { refusalOf } from "../pages/refusal_of.ts";
import {
  DeskPage,
  REVIEW_PATH,
  ReviewPage,
  type ReviewPageProps,
} from "./review_page.tsx";

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

/** The operator's desk: creatives to decide about, and readers' reports. */
export function reviewSurface(parts: AdvertiserParts): Surface {
  const one = `${REVIEW_PATH}/:id`;
  const decisions = Object.entries(DECISIONS).map((
    [name, decision],
  ): [string, PageHandler] => [
    `${one}/${name}`,
    (request) => decide(request, decision),
  ]);
  return operatorPage(parts, {
    path: REVIEW_PATH,
    get: {
      [REVIEW_PATH]: showDesk,
      [one]: (request) => showCreative(request, {}),
    },
    post: {
      [`${REVIEW_PATH}/reports/close`]: close,
      ...Object.fromEntries(decisions),
    },
  });
}

async function showDesk(request: PageRequest): Promise<Response> {
  const { services, show } = request;
  const note = doneNote(request, DONE);
  const desk = await readReviewQueue(services);
  const hold = await services.store.currentHold();
  return show(<DeskPage desk={desk} hold={hold} note={note} />);
}

async function close({ services, form }: PageRequest): Promise<Response> {
  const reportId = (await form()).text("report");
  await closeReport(services, { reportId });
  return seeOther(`${REVIEW_PATH}?done=closed`);
}

/** Decides by what the form says, and leads back to the desk. */
async function decide(
  request: PageRequest,
  decision: Decision,
): Promise<Response> {
  const { services, account, param } = request;
  const by = reviewerOf(account, services.settings);
  const form = await request.form();
  const text = (name: string) => form.text(name, SHOWN_MAX);
  const typed: RejectionText = {
    policyId: text("policy_id"),
    message: text("message"),
    remedy: text("remedy"),
  };
  try {
    const advertiser = form.text("advertiser") || null;
    const input = { adId: param("id"), by, typed, advertiser };
    await decision.decide(services, input);
  } catch (thrown) {
    const { why } = refusalOf(thrown, "creative_refused");
    const problems = why.kind === "bad_copy" ? why.problems : [];
    const errors = Object.fromEntries(
      problems.map(({ field, message }) => [field, message]),
    );
    const shown = { typed, errors, error: whyNot(why) };
    const status = why.kind === "bad_copy" ? 400 : 409;
    return await showCreative(request, shown, status);
  }
  return seeOther(`${REVIEW_PATH}?done=${decision.done}`);
}

async function showCreative(
  { services, param, show }: PageRequest,
  shown: Partial<Omit<ReviewPageProps, "item">>,
  status = 200,
): Promise<Response> {
  const item = await readCreativeForReview(services, { adId: param("id") });
  const { typed = NOTHING, errors = {}, error = null } = shown;
  const html = (
    <ReviewPage item={item} typed={typed} errors={errors} error={error} />
  );
  return show(html, { status });
}
