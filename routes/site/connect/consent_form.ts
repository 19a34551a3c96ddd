import {
  addDays,
  type Day,
  dayOf,
  parseDay,
  startOfDayMs,
} from "../../../domain/day.ts";
import {
  MAX_BID_CENTS,
  MAX_MANDATE_DAYS,
  MIN_BID_CENTS,
} from "../../../domain/limits.ts";
import type { Mandate, Scope } from "../../../domain/oauth/grant.ts";
import { EUROS_WANTED, parseEuros } from "../pages/parse_euros.ts";
import { showEuros, typedEuros } from "../../../domain/text/euros.ts";
import type { Form } from "../../http/form_body.ts";
import { chosenScopes } from "./scope_groups.ts";

/** What the form held when it was sent, to be shown again. */
export interface ConsentDraft {
  scopes: readonly Scope[];
  /** As they were typed. */
  maxBid: string;
  dailyCap: string;
  /** Empty for none. */
  totalCap: string;
  validUntil: string;
  /** Goes back to the agent by way of a page in between. */
  viaPage: boolean;
}

/** What was wrong, by field, in sentences for the person. */
export type ConsentErrors = Readonly<
  Partial<
    Record<"scopes" | "maxBid" | "dailyCap" | "totalCap" | "validUntil", string>
  >
>;

/** A form that can be approved, or what is wrong with it. */
export type ConsentReading =
  & { draft: ConsentDraft }
  & (
    | { ok: true; mandate: Mandate | null }
    | { ok: false; errors: ConsentErrors }
  );

/** Longest text of a field that is shown again. */
const TYPED_MAX = 40;

/**
 * The form as it is first shown: all of these are ticked, and no amount is
 * proposed but the limits that the person has set before.
 */
export function firstDraft(
  scopes: readonly Scope[],
  mandate: Mandate | null,
): ConsentDraft {
  return {
    scopes,
    maxBid: mandate === null ? "" : typedEuros(mandate.maxBidCents),
    dailyCap: mandate === null ? "" : typedEuros(mandate.dailyCapCents),
    totalCap: mandate?.totalCapCents === undefined
      ? ""
      : typedEuros(mandate.totalCapCents),
    // It ends with a day, so the moment before is of its last one.
    validUntil: mandate === null ? "" : dayOf(mandate.validUntilMs - 1),
    viaPage: false,
  };
}

/** The fields of the form that are sent several times. */
export const CONSENT_LISTS = ["scope", "choice"] as const;

/**
 * Reads the form of the consent page. Ticks that were not offered are left
 * aside; without `bids:write` so are the limits, whatever stands in them.
 */
export function readConsentForm(
  form: Form,
  offered: readonly Scope[],
  nowMs: number,
): ConsentReading {
  const draft: ConsentDraft = {
    scopes: chosenScopes(offered, {
      scopes: form.list("scope"),
      choices: form.list("choice"),
      shown: form.text("shown").split(" "),
    }),
    maxBid: form.text("max_bid", TYPED_MAX),
    dailyCap: form.text("daily_cap", TYPED_MAX),
    totalCap: form.text("total_cap", TYPED_MAX),
    validUntil: form.text("valid_until", TYPED_MAX),
    viaPage: form.text("via", TYPED_MAX) === "page",
  };
  if (draft.scopes.length === 0) {
    const scopes = "Tick one permission at least, or press Deny.";
    return { ok: false, draft, errors: { scopes } };
  }
  if (!draft.scopes.includes("bids:write")) {
    return { ok: true, draft, mandate: null };
  }
  return { draft, ...readMandate(draft, nowMs) };
}

/** The days a mandate may end on, both included. */
export function mandateDays(nowMs: number): { first: Day; last: Day } {
  const first = dayOf(nowMs);
  return { first, last: addDays(first, MAX_MANDATE_DAYS - 1) };
}

function readMandate(
  draft: ConsentDraft,
  nowMs: number,
): { ok: true; mandate: Mandate } | { ok: false; errors: ConsentErrors } {
  const maxBidCents = parseEuros(draft.maxBid);
  const dailyCapCents = parseEuros(draft.dailyCap);
  const total = readTotal(draft.totalCap);
  const validUntilMs = endOfMandate(draft.validUntil, nowMs);
  if (
    isAllowed(maxBidCents) && isAllowed(dailyCapCents) && total !== null &&
    validUntilMs !== null
  ) {
    const mandate = { maxBidCents, dailyCapCents, ...total, validUntilMs };
    return { ok: true, mandate };
  }
  return {
    ok: false,
    errors: {
      ...!isAllowed(maxBidCents) && { maxBid: AMOUNT_WANTED },
      ...!isAllowed(dailyCapCents) && { dailyCap: AMOUNT_WANTED },
      ...total === null && { totalCap: `${AMOUNT_WANTED} Or leave it empty.` },
      ...validUntilMs === null && { validUntil: dayWanted(nowMs) },
    },
  };
}

/** The total, which may be left out; null for what is no amount. */
function readTotal(text: string): Pick<Mandate, "totalCapCents"> | null {
  if (text.trim() === "") return {};
  const totalCapCents = parseEuros(text);
  return isAllowed(totalCapCents) ? { totalCapCents } : null;
}

function isAllowed(cents: number | null): cents is number {
  return cents !== null && cents >= MIN_BID_CENTS && cents <= MAX_BID_CENTS;
}

/** The first moment after the chosen day; null for a day that can't be. */
function endOfMandate(text: string, nowMs: number): number | null {
  const day = parseDay(text);
  const { first, last } = mandateDays(nowMs);
  if (day === null || day < first || day > last) return null;
  return startOfDayMs(addDays(day, 1));
}

const AMOUNT_WANTED = `Enter ${EUROS_WANTED}, from ` +
  `${showEuros(MIN_BID_CENTS)} to ${showEuros(MAX_BID_CENTS)}.`;

function dayWanted(nowMs: number): string {
  const { first, last } = mandateDays(nowMs);
  return `Choose a day from ${first} to ${last}.`;
}
