import {
  readReport,
  REPORT_ALONE,
  REPORT_TEXT,
  reportAd,
} from "../../../domain/ad_reports/report_ad.ts";
import { parseDay } from "../../../domain/day.ts";
import type { Spotlight } from "../../../domain/spotlights/spotlight.ts";
import { isFirst } from "../../../domain/rate_limit/first_of.ts";
import { refuse } from "../../../domain/refusal.ts";
import { PAGE_ANSWERS } from "../../errors/page_surface.tsx";
import { requireOwnOrigin } from "../../middleware/origin.ts";
import {
  chargeNetworks,
  limitAddress,
  widestNetworkOf,
} from "../../middleware/rate_limit.ts";
import { readVisitorGate, seeOther } from "../../middleware/session.ts";
import { route, type RouteContext, type Surface } from "../../route_table.ts";
import type { AdvertiserParts } from "../advertiser_parts.ts";
import { readForm } from "../../http/form_body.ts";
import { queryParam } from "../../http/query.ts";
import { REPORT_PATH } from "../pages/spotlight_pages.tsx";
import { privateAnswer } from "../../pages/page_answer.ts";
import {
  ReportedPage,
  type ReportErrors,
  ReportPage,
  type ReportTyped,
} from "./report_page.tsx";
import { parsePolicyId } from "../../../domain/creatives/policies.ts";
import {
  type TextProblem,
  textSentence,
} from "../../../domain/text/text_problem.ts";

const NOTHING: ReportTyped = { policyId: "", text: "" };

const THANKS = `${REPORT_PATH}/thanks`;
/** A report's id, and nothing else that somebody may put into the address. */
const REFERENCE = /^report_[\w-]{1,40}$/;

/** Longest text of a field that is shown again. */
const SHOWN_MAX = 4_000;

/** The form behind “Report this ad”, for anyone (contract §15.2). */
export function reportSurface(parts: AdvertiserParts): Surface {
  const one = `${REPORT_PATH}/:day` as const;
  return {
    prefix: REPORT_PATH,
    enter: [readVisitorGate(parts)],
    proceed: [
      requireOwnOrigin(parts.services.settings.baseUrl),
      // Each looks into the store, and anyone may ask.
      limitAddress(parts),
    ],
    routes: [
      route("GET", one, async (context) => {
        const spotlight = await shown(parts, context.req.param("day"));
        return form(context, spotlight, { typed: NOTHING });
      }),
      route(
        "POST",
        one,
        (context) => report(context, parts, context.req.param("day")),
      ),
      route(
        "GET",
        THANKS,
        (context) => {
          const named = queryParam(context, "reference") ?? "";
          const reference = REFERENCE.test(named) ? named : null;
          return privateAnswer(context, <ReportedPage reference={reference} />);
        },
      ),
    ],
    answers: PAGE_ANSWERS,
  };
}

async function report(
  context: RouteContext,
  parts: AdvertiserParts,
  dayText: string,
): Promise<Response> {
  const spotlight = await shown(parts, dayText);
  // What is refused costs a token too: reading it is the work.
  await chargeNetworks(context, parts, "report");
  const sent = await readForm(context);
  const typed = {
    policyId: sent.text("policy_id"),
    text: sent.text("text", SHOWN_MAX),
  };
  const reading = readReport(typed);
  if (typed.policyId === "" || !reading.ok) {
    const problem = reading.ok ? null : reading.problem;
    const errors = errorsOf(typed.policyId, problem);
    return form(context, spotlight, { typed, errors });
  }
  const { day } = spotlight;
  const { report } = reading;
  const network = widestNetworkOf(context, parts);
  const isRepeat = !await isFirst(parts.limiter, {
    purpose: "report",
    of: [`${day} ${network}`],
    asker: network,
  });
  const asked = { day, report, isRepeat };
  const { reportId } = await reportAd(parts.services, asked);
  return seeOther(
    reportId === null ? THANKS : `${THANKS}?reference=${reportId}`,
  );
}

/** The Spotlight that everyone may read. */
async function shown(
  { services: { store } }: AdvertiserParts,
  text: string,
): Promise<Spotlight> {
  const day = parseDay(text);
  const found = day && await store.spotlights.find(day);
  if (found === null || found.removedAtMs !== null) {
    refuse({ code: "not_found", message: "Cannot find the Spotlight" });
  }
  return found;
}

function form(
  context: RouteContext,
  spotlight: Spotlight,
  { typed, errors }: { typed: ReportTyped; errors?: ReportErrors },
): Response {
  const html = (
    <ReportPage spotlight={spotlight} typed={typed} errors={errors ?? {}} />
  );
  return privateAnswer(context, html, { status: errors ? 400 : 200 });
}

/** What is wrong with each field, in sentences for the reader. */
function errorsOf(policyId: string, problem: TextProblem | null): ReportErrors {
  const hasWords = problem !== null && !TOO_LITTLE.has(problem);
  if (policyId === "") {
    return {
      policyId: "Choose what is wrong, or “Something else”.",
      ...hasWords && { text: textSentence(problem, REPORT_TEXT) },
    };
  }
  if (problem === null) return {};
  const bounds = parsePolicyId(policyId) === null ? REPORT_ALONE : REPORT_TEXT;
  return { text: textSentence(problem, bounds) };
}

/** Whether a text is needed, and how long, depends on what was chosen. */
const TOO_LITTLE: ReadonlySet<TextProblem> = new Set(["missing", "too_short"]);
