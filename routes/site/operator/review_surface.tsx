import { reviewerOf } from "../../../domain/accounts/require_operator.ts";
import type { ActName } from "../../../domain/audit/operator_act.ts";
import type { Creative } from "../../../domain/creatives/creative.ts";
import { parsePolicyId, POLICIES } from "../../../domain/creatives/policies.ts";
import {
  readCreativeForReview,
  readNeighbours,
  readReviewQueue,
  REVIEW_QUEUE_MAX,
} from "../../../domain/creatives/read_review_queue.ts";
import {
  readRejection,
  rejectionReason,
  type RejectionText,
} from "../../../domain/creatives/read_rejection.ts";
import {
  approveCreative,
  rejectCreative,
  type ReviewCreative,
  withdrawApproval,
} from "../../../domain/creatives/review_creative.ts";
import type { Services } from "../../../domain/ports.ts";
import type { Form } from "../../http/form_body.ts";
import type { Surface } from "../../route_table.ts";
import type { AdvertiserParts } from "../advertiser_parts.ts";
import { whyNot } from "../creatives/creative_words.ts";
import {
  operatorPage,
  type PageHandler,
  type PageRequest,
} from "../pages/advertiser_page.ts";
import { doneNote } from "../pages/done_note.ts";
import { refusalOf } from "../pages/refusal_of.ts";
import {
  askThenAct,
  backOf,
  type Question,
  REPORTS_OF,
  SENT_BEFORE,
} from "./desk_act.tsx";
import { DeskPage, ReviewPage, type ReviewPageProps } from "./review_page.tsx";
import { NOTHING_TYPED } from "./review_parts.tsx";
import { REVIEW_PATH, reviewPath } from "./paths.ts";

/** What was done, by the name that the answer leads here with. */
const DONE: Readonly<Record<string, string>> = {
  approved: "It was approved, and its advertiser is told.",
  rejected: "It was rejected, and its advertiser is told.",
  withdrawn: "The approval was withdrawn, and its advertiser is told.",
  ...SENT_BEFORE,
};

/** What is decided about a creative, and what it is then said to be. */
interface Decision {
  decide(
    services: Services,
    input: ReviewCreative & { typed: RejectionText },
  ): Promise<Creative>;
  act: ActName;
  done: string;
  /** What the operator does, as a heading and a button. */
  title: string;
  /** What follows, said before it is done. */
  effect: string;
}

/** Every decision, by the last part of its address. */
const DECISIONS: Readonly<Record<string, Decision>> = {
  approve: {
    decide: approveCreative,
    act: "creative.approve",
    done: "approved",
    title: "Approve the ad",
    effect:
      "Its advertiser can bid with it at once, and is told by mail. The " +
      "advertiser’s name is frozen into it as it is shown.",
  },
  reject: {
    decide: rejectCreative,
    act: "creative.reject",
    done: "rejected",
    title: "Reject the ad",
    effect: "Its advertiser can’t bid with it, and reads policy, message and " +
      "remedy by mail.",
  },
  withdraw: {
    decide: withdrawApproval,
    act: "creative.withdraw",
    done: "withdrawn",
    title: "Withdraw the approval",
    effect: "Nobody can bid with it, and bids that stand on it become void " +
      "when their day settles. Its advertiser reads policy, message and " +
      "remedy by mail.",
  },
};

/** Longest text of a field that is shown again. */
const SHOWN_MAX = 2_000;

/** The operator's desk: creatives to decide about. */
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
    post: Object.fromEntries(decisions),
    passkeyChanges: {
      fields: ["policy_id", "message", "remedy", "advertiser", REPORTS_OF],
    },
  });
}

async function showDesk(request: PageRequest): Promise<Response> {
  const { services, show } = request;
  const note = doneNote(request, DONE);
  const submitted = await readReviewQueue(services, {
    limit: REVIEW_QUEUE_MAX,
    after: null,
  });
  const hold = await services.store.currentHold();
  return show(<DeskPage submitted={submitted} hold={hold} note={note} />);
}

/** Asks once, decides by what the form says, and leads on to the next. */
async function decide(
  request: PageRequest,
  decision: Decision,
): Promise<Response> {
  const { services, account, param } = request;
  const by = reviewerOf(account, services.settings);
  const adId = param("id");
  const form = await request.form();
  const typed = typedIn(form);
  const isApproval = decision.act === "creative.approve";
  const advertiser = form.text("advertiser") || null;
  const back = backOf(form, await nextPath(services, adId));
  try {
    // What can't be sent is said before anything is asked.
    if (!isApproval) readRejection(typed);
    return await askThenAct(request, {
      form,
      ask: () => ({
        ...questionOf(decision, adId, isApproval ? null : typed),
        fields: {
          ...isApproval
            ? { ...advertiser !== null && { advertiser } }
            : fieldsOf(typed),
          ...back.fields,
        },
        action: request.context.req.path,
        leave: reviewPath(adId),
      }),
      order: {
        act: decision.act,
        subject: adId,
        reason: isApproval ? null : rejectionReason(typed),
      },
      act: (acting) => decision.decide(acting, { adId, by, typed, advertiser }),
      next: { path: back.path, done: decision.done },
    });
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
}

function typedIn(form: Form): RejectionText {
  const text = (name: string) => form.text(name, SHOWN_MAX);
  return {
    policyId: text("policy_id"),
    message: text("message"),
    remedy: text("remedy"),
  };
}

function fieldsOf({ policyId, message, remedy }: RejectionText) {
  return { policy_id: policyId, message, remedy };
}

function questionOf(
  { title, effect, act }: Decision,
  adId: string,
  typed: RejectionText | null,
): Pick<Question, "title" | "about" | "effect" | "kind"> {
  const policyId = typed && parsePolicyId(typed.policyId);
  return {
    title,
    about: (
      <>
        <code>{adId}</code>
        {policyId && typed && (
          <>
            , for {POLICIES[policyId].title}: <q dir="auto">{typed.message}</q>
          </>
        )}
      </>
    ),
    effect,
    kind: act === "creative.approve" ? "main" : "danger",
  };
}

/** The ad that waits longest besides this one; the queue where none does. */
async function nextPath({ store }: Services, adId: string): Promise<string> {
  const waiting = await store.listSubmittedCreatives({ limit: 2 });
  const next = waiting.find((creative) => creative.adId !== adId);
  return next === undefined ? REVIEW_PATH : reviewPath(next.adId);
}

async function showCreative(
  request: PageRequest,
  shown: Partial<Omit<ReviewPageProps, "item" | "around">>,
  status = 200,
): Promise<Response> {
  const { services, param, show } = request;
  const adId = param("id");
  const [item, around] = await Promise.all([
    readCreativeForReview(services, { adId }),
    readNeighbours(services, { adId }),
  ]);
  const { typed = NOTHING_TYPED, errors = {}, error = null } = shown;
  const note = error === null ? doneNote(request, DONE) : null;
  const html = <ReviewPage {...{ item, around, note, typed, errors, error }} />;
  return show(html, { status });
}
