import type { Practice } from "../ports.ts";
import {
  agentStep,
  type AgentTool,
  givenArguments,
  type NextAction,
} from "./next_action.ts";
import type { BidSnapshot } from "./snapshot.ts";

/** Where the days and creatives of rehearsals are listed. */
const SCENES_PAGE = "/developers/sandbox#what-to-try-in-a-rehearsal";

/** What helps once the one day of a rehearsal has closed. */
export const OVER_IN_PRACTICE = "its only day is over in this rehearsal: " +
  "begin another rehearsal, by another name";

/** What can be rehearsed of what an action may name. */
const REHEARSED: readonly AgentTool[] = [
  "get_account",
  "list_my_bids",
  "place_bid",
];

/**
 * An action as a rehearsal says it: by the same actor as in earnest. No page of
 * the real service and no wait helps there, so it says with which day and
 * creative a bid stands, and not when to look again.
 *
 * @param action with a path, not yet a whole address
 */
export function inPractice(
  action: NextAction,
  practice: Practice,
  { wanted, auction, settings: { baseUrl, authUrl } }: BidSnapshot,
): NextAction {
  const { until: _, poll_after_seconds: __, ...told } = action;
  const { tool, label } = told;
  if (tool === "get_account") {
    const url = authUrl + told.url;
    const isSettled = (wanted.day ?? practice.day) === practice.day &&
      auction?.phase === "CLOSED";
    return isSettled
      ? { ...told, url, label: capitalized(OVER_IN_PRACTICE) }
      : { ...told, url, label: `${label}; ${standsWith(practice)}` };
  }
  if (tool !== undefined && REHEARSED.includes(tool)) {
    return { ...told, url: authUrl + told.url };
  }
  if (tool !== undefined) {
    // What the agent would do by itself, it does by naming another creative.
    const hint = `${label}: ${tool} is not rehearsed; ${standsWith(practice)}`;
    const given = givenArguments(wanted, "ad_id");
    const step = agentStep("get_account", hint, given, ["ad_id"]);
    return { ...step, url: authUrl + step.url };
  }
  const why = "in a rehearsal no page and no wait brings that about";
  const hint = `${label}: ${why}; ${standsWith(practice)}`;
  return { ...told, url: baseUrl + SCENES_PAGE, label: hint };
}

function capitalized(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

/** What helps in a rehearsal whatever is in the way. */
export function standsWith({ day, adId }: Practice): string {
  return `a bid stands there with day ${day} and ad_id ${adId}`;
}
