import {
  type ActPlace,
  type AuditFilter,
} from "../../../domain/audit/read_audit.ts";
import {
  actorOf,
  type Change,
  type OperatorAct,
} from "../../../domain/audit/operator_act.ts";
import {
  DAY_MS,
  isoTime,
  parseDay,
  startOfDayMs,
} from "../../../domain/day.ts";
import { csvOf } from "../../http/csv.ts";
import { AUDIT_PATH, placeText } from "./paths.ts";

/** Longest text that is looked for: an e-mail address. */
const SOUGHT_MAX = 254;

/** What is asked for, as it was typed; empty texts for all. */
export interface AskedAudit {
  subject: string;
  person: string;
  from: string;
  to: string;
}

/** Reads what is asked for; what can't be read asks for all. */
export function askedAudit(
  query: (name: string) => string | null,
): AskedAudit {
  const text = (name: string) =>
    (query(name) ?? "").trim().slice(0, SOUGHT_MAX);
  const day = (name: string) => parseDay(text(name)) ?? "";
  const [subject, person] = [text("subject"), text("person")];
  return { subject, person, from: day("from"), to: day("to") };
}

/** The same as the verb takes it: both days are included. */
export function filterOf(
  { subject, person, from, to }: AskedAudit,
  nowMs: number,
): AuditFilter {
  const [first, last] = [parseDay(from), parseDay(to)];
  return {
    subject: subject || null,
    person: person || null,
    fromMs: first === null ? 0 : startOfDayMs(first),
    untilMs: last === null ? nowMs + DAY_MS : startOfDayMs(last) + DAY_MS,
  };
}

/** The address of the same lines, from a place on or as a table. */
export function auditAddress(
  asked: AskedAudit,
  { before = null, path = AUDIT_PATH }: {
    before?: ActPlace | null;
    path?: string;
  } = {},
): string {
  const place = before === null ? "" : placeText(before);
  const query = new URLSearchParams(
    Object.entries({ ...asked, before: place })
      .filter(([, value]) => value !== ""),
  ).toString();
  return query === "" ? path : `${path}?${query}`;
}

/** What changed, as `name: before → after`; empty where nothing did. */
export function changeWords(change: Change | null): string[] {
  if (change === null) return [];
  const { before, after } = change;
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  const value = (some: unknown) => some === undefined ? "–" : String(some);
  return [...names].filter((name) => before[name] !== after[name])
    .map((name) => `${name}: ${value(before[name])} → ${value(after[name])}`);
}

/** Lines of the audit as a table. */
export function auditCsv(acts: readonly OperatorAct[]): string {
  return csvOf([
    ["at", "who", "act", "subject", "reason", "before", "after"],
    ...acts.map(({ atMs, by, act, subject, reason, change }) => [
      isoTime(atMs),
      actorOf(by),
      act,
      subject,
      reason,
      change && JSON.stringify(change.before),
      change && JSON.stringify(change.after),
    ]),
  ]);
}
