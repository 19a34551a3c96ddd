import type { Day } from "../day.ts";

/** Why a request to `/go/{day}` is not counted as a person's click. */
export type NotHumanReason =
  | "prefetch"
  | "head"
  | "preview"
  | "bot"
  | "ai_fetcher"
  | "no_user_agent"
  | "embedded"
  | "repeat";

/** What a request to `/go/{day}` was. */
export type ClickOutcome = "human" | NotHumanReason;

/** Every outcome, in the order it is shown. */
export const CLICK_OUTCOMES = [
  "human",
  "repeat",
  "bot",
  "ai_fetcher",
  "preview",
  "head",
  "no_user_agent",
  "embedded",
  "prefetch",
] as const satisfies readonly ClickOutcome[];

/**
 * What clicks of a day are counted by. Outcomes add up to all requests, hours
 * and countries to the human ones (a country that is not known has no row).
 */
export type ClickDimension = "outcome" | "hour" | "country";

/** One number of a day. */
export interface ClickCount {
  dimension: ClickDimension;
  /** A {@linkcode ClickOutcome}, `2026-11-20T13` or an ISO 3166-1 alpha-2. */
  value: string;
  count: number;
}

/**
 * How far figures are closed: nothing more is booked for a Spotlight whose
 * figures were final by then. Every booking checks this record.
 */
export interface ClickBooks {
  /** Epoch ms; only ever grows. */
  closedThroughMs: number;
}

/** Most rows of one day: outcomes, countries, and hours of a month. */
export const CLICK_COUNTS_MAX = 2_000;

/** How long figures still change after the next day settled (contract §4.1). */
export const FINAL_AFTER_MS = 48 * 3_600_000;

/** The UTC hour of a moment, as it is counted by: `2026-11-20T13`. */
export function hourOf(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 13);
}

/** What visitors of a UTC day are hashed with, on every isolate. */
export interface ClickSalt {
  day: Day;
  /** 256 bits, base64url. */
  salt: string;
  /** The end of its day. */
  expiresAtMs: number;
}
