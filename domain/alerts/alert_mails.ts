import type { MailContent, MailFact } from "../mail/mail_content.ts";
import { PAGES } from "../pages.ts";
import type { Settings } from "../ports.ts";
import { type Trouble, troubleLine } from "./alert.ts";

type Sender = Pick<Settings, "baseUrl">;

/** What began and what is over. */
export interface AlertNews {
  begun: readonly Trouble[];
  over: readonly Trouble[];
}

/** Tells an operator what wants a person, or does not any more. */
export function alertMail(
  { baseUrl }: Sender,
  to: string,
  { begun, over }: AlertNews,
): MailContent<"operator_alert"> {
  const [first] = begun;
  const more = begun.length + over.length - 1;
  const what = first === undefined
    ? `Over: ${over.slice(0, 1).map(troubleLine).join("")}`
    : troubleLine(first);
  return {
    kind: "operator_alert",
    to,
    subject: `Spotlight: ${what}${more > 0 ? ` (and ${more} more)` : ""}`,
    parts: [
      ...begun.length === 0 ? [] : ["This wants you:"],
      ...begun.map(troubleLine),
      ...over.length === 0 ? [] : ["This is over:"],
      ...over.map(troubleLine),
      "What to do about each stands under its name in docs/operations.md. You " +
      "are told once of each, and once when it is over.",
      { button: "Open the desk", url: `${baseUrl}${PAGES.desk}` },
    ],
  };
}

/** What an operator is told of a day, the morning after. */
export interface DailyReport {
  day: string;
  /** How the auction ended, in a sentence. */
  outcome: string;
  auction: readonly MailFact[];
  /** What was booked, by account of the books. */
  money: readonly MailFact[];
  /** What waits for an operator, by what it is. */
  waiting: readonly MailFact[];
  troubles: readonly Trouble[];
}

/** Tells an operator of yesterday, and of what waits. */
export function dailyMail(
  { baseUrl }: Sender,
  to: string,
  { day, outcome, auction, money, waiting, troubles }: DailyReport,
): MailContent<"operator_daily"> {
  return {
    kind: "operator_daily",
    to,
    subject: `Spotlight on ${day}: ${outcome}`,
    parts: [
      `The auction of ${day}: ${outcome}.`,
      { facts: auction },
      ...money.length === 0
        ? ["Nothing was booked."]
        : ["Booked, debits less credits:", { facts: money }],
      ...waiting.length === 0
        ? ["Nothing waits for you."]
        : ["This waits for you:", { facts: waiting }],
      ...troubles.length === 0 ? [] : ["This is not over:"],
      ...troubles.map(troubleLine),
      { button: "Open the desk", url: `${baseUrl}${PAGES.desk}` },
    ],
  };
}
