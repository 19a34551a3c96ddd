import { readReason } from "../../../domain/accounts/decide_about_account.ts";
import { type Day, parseDay } from "../../../domain/day.ts";
import type { RefusalCode } from "../../../domain/refusal.ts";
import { readDayBefore } from "../../../domain/settlement/day_before.ts";
import {
  readDeskDay,
  readDeskDays,
} from "../../../domain/settlement/read_desk_day.ts";
import { seeOther } from "../../middleware/session.ts";
import type { Surface } from "../../route_table.ts";
import type { AdvertiserParts } from "../advertiser_parts.ts";
import {
  operatorPage,
  type PageHandler,
  type PageRequest,
} from "../pages/advertiser_page.ts";
import { doneNote } from "../pages/done_note.ts";
import { refusalOf } from "../pages/refusal_of.ts";
import { showEuros } from "../../../domain/text/euros.ts";
import { DayTime } from "../ui/day_time.tsx";
import { DAY_ACT_NAMES, dayAct, type DayActName, WAITS } from "./day_acts.ts";
import { DayPage, type DayPageProps } from "./day_page.tsx";
import { DaysPage } from "./days_page.tsx";
import { readLatestActs } from "./audit_lines.tsx";
import { askThenAct, backOf, REPORTS_OF, SENT_BEFORE } from "./desk_act.tsx";
import { dayIn, dayPath, DAYS_PATH } from "./paths.ts";

/** Longest text of a field that is shown again. */
const SHOWN_MAX = 2_000;

const NOTES: Readonly<Record<string, string>> = {
  ...SENT_BEFORE,
  waits: WAITS,
  ...Object.fromEntries(
    DAY_ACT_NAMES.map((name) => [name, dayAct(name).done]),
  ),
};

/** Why something was not done, in sentences for the operator. */
const CONFLICTS = {
  auction_not_openable:
    "That was not done: the auction of this day can’t be opened yet.",
  auction_not_closable:
    "That was not done: nobody has opened the auction of this day.",
  auction_not_closed:
    "That was not done: the auction of this day may still take bids.",
  day_before_unsettled:
    "That was not done: the day before is not settled, and its winner’s time " +
    "on show would end. Settle that first, or let this auction close at its " +
    "hour.",
  day_not_begun: "That was not done: the day has not begun.",
  not_refundable: "No money was given back: nobody paid for this day, or a " +
    "dispute took what was paid.",
  second_operator_needed:
    "The refund was not ordered again: you asked for it already, and another " +
    "operator has to ask for it too.",
  spotlight_not_found: "That was not done: the day has no Spotlight.",
} as const satisfies Partial<Record<RefusalCode, string>>;

/** The operator's pages about days. */
export function daysSurface(parts: AdvertiserParts): Surface {
  const one = `${DAYS_PATH}/:day`;
  const acts = DAY_ACT_NAMES.map((act): [string, PageHandler] => [
    `${one}/${act}`,
    (request) => decide(request, act),
  ]);
  return operatorPage(parts, {
    path: DAYS_PATH,
    get: { [DAYS_PATH]: showAll, [one]: showOne },
    post: Object.fromEntries(acts),
    freshChanges: { fields: ["reason", "refund", REPORTS_OF] },
  });
}

async function showAll(
  { services, query, show }: PageRequest,
): Promise<Response> {
  const sought = (query("day") ?? "").slice(0, SHOWN_MAX).trim();
  const day = parseDay(sought);
  if (day !== null) return seeOther(dayPath(day));
  const before = parseDay(query("before") ?? "");
  const found = await readDeskDays(services, { before });
  const error = sought === "" ? null : "Write a day as YYYY-MM-DD.";
  return show(
    <DaysPage
      found={found}
      isFirst={before === null}
      sought={sought}
      error={error}
    />,
  );
}

async function showOne(request: PageRequest): Promise<Response> {
  const note = doneNote(request, NOTES);
  return await showDay(request, { note, error: null, typed: null });
}

/** Asks once what was meant, then does it and leads back to the day. */
async function decide(
  request: PageRequest,
  act: DayActName,
): Promise<Response> {
  const day = dayIn(request);
  const form = await request.form();
  const { title, button, takesReason, run } = dayAct(act);
  const typed = form.text("reason", SHOWN_MAX);
  const refund = form.text("refund") === "yes";
  const own = dayPath(day);
  const back = backOf(form, own);
  try {
    const reason = takesReason ? readReason(typed) : "";
    return await askThenAct(request, {
      form,
      ask: async () => ({
        title,
        about: <DayTime day={day} />,
        effect: await effectOf(request, { day, act, refund }),
        reason: takesReason ? reason : null,
        kind: button,
        action: `${own}/${act}`,
        fields: { ...refund && { refund: "yes" }, ...back.fields },
        leave: back.path,
      }),
      order: { act: dayAct(act).act, subject: day, reason: reason || null },
      act: (acting) => run({ request, acting }, { day, reason, refund }),
      next: { path: back.path, done: act },
    });
  } catch (thrown) {
    const refusal = refusalOf(thrown, "invalid_input", ...CONFLICT_CODES);
    const isInput = refusal.code === "invalid_input";
    const error = isInput ? null : CONFLICTS[refusal.code];
    const wrong = isInput ? `${refusal.message}.` : null;
    const back = { act, reason: typed, refund, error: wrong };
    const shown = { note: null, typed: back, error };
    return await showDay(request, shown, isInput ? 400 : 409);
  }
}

/** What will happen, and whether it takes another operator too. */
async function effectOf(
  { services }: PageRequest,
  { day, act, refund }: { day: Day; act: DayActName; refund: boolean },
): Promise<string> {
  const { effect, alsoEnds } = dayAct(act);
  const { settings, clock } = services;
  const most = showEuros(settings.refundFourEyesCents);
  const also = alsoEnds === undefined
    ? null
    : alsoEnds(await readDayBefore(services, day), clock.now());
  return [
    effect,
    ...also === null ? [] : [also],
    ...refund ? ["The winner gets the money back."] : [],
    ...refund || act === "refund"
      ? [`Above ${most} a refund waits until another operator asks for it too.`]
      : [],
  ].join(" ");
}

const CONFLICT_CODES = Object.keys(CONFLICTS) as (keyof typeof CONFLICTS)[];

async function showDay(
  request: PageRequest,
  shown: Omit<DayPageProps, "day" | "acts">,
  status = 200,
): Promise<Response> {
  const { services, show } = request;
  const asked = dayIn(request);
  const [day, acts] = await Promise.all([
    readDeskDay(services, { day: asked }),
    readLatestActs(services, asked),
  ]);
  return show(<DayPage day={day} acts={acts} {...shown} />, { status });
}
