import {
  readReport,
  REPORT_ALONE,
  REPORT_TEXT,
  reportAd,
} from "../../../domain/ad_reports/report_ad.ts";
import { parseDay } from "../../../domain/day.ts";
import type { Spotlight } from "../../../domain/spotlights/spotlight.ts";
import { refuse } from "../../../domain/refusal.ts";
import { PAGE_ANSWERS } from "../../errors/page_surface.tsx";
import { requireOwnOrigin } from "../../middleware/origin.ts";
import { chargeNetworks, limitAddress } from "../../middleware/rate_limit.ts";
import { readVisitorGate, seeOther } from "../../middleware/session.ts";
import { route, type RouteContext, type Surface } from "../../route_table.ts";
import type { AdvertiserParts } from "../advertiser_parts.ts";
import { readForm } from "../../http/form_body.ts";
import { REPORT_PATH } from "../pages/spotlight_pages.tsx";
import { privateAnswer } from "../../pages/page_answer.ts";
import { ReportedPage, ReportPage, type ReportTyped } from "./report_page.tsx";
import { parsePolicyId } from "../../../domain/creatives/policies.ts";
import {
  type TextProblem,
  textSentence,
} from "../../../domain/text/text_problem.ts";

const NOTHING: ReportTyped = { policyId: "", text: "" };

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
        `${REPORT_PATH}/thanks`,
        (context) => privateAnswer(context, <ReportedPage />),
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
  if (!reading.ok) {
    const error = reportSentence(reading.problem, typed.policyId);
    return form(context, spotlight, { typed, error });
  }
  const { day } = spotlight;
  await reportAd(parts.services, { day, report: reading.report });
  return seeOther(`${REPORT_PATH}/thanks`);
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
  { typed, error = null }: { typed: ReportTyped; error?: string | null },
): Response {
  const html = <ReportPage spotlight={spotlight} typed={typed} error={error} />;
  return privateAnswer(context, html, { status: error === null ? 200 : 400 });
}

/** What is wrong with a report's words, in a sentence for the reader. */
function reportSentence(problem: TextProblem, policyId: string): string {
  if (problem === "missing") {
    return "Choose what is wrong, or write it here in a sentence.";
  }
  const alone = parsePolicyId(policyId) === null;
  return textSentence(problem, alone ? REPORT_ALONE : REPORT_TEXT);
}
