import type { CardSetupResult } from "../../../domain/cards/finish_card_setup.ts";
import type { Day } from "../../../domain/day.ts";

/** What has just happened, by the query that led back here. */
export const NOTES:
  & Readonly<Record<Exclude<CardSetupResult, "unknown">, string>>
  & Readonly<Record<string, string>> = {
    saved: "The card was saved.",
    processing: "Your bank has not decided yet. The card appears here by " +
      "itself once it has.",
    not_finished: "No card was saved: the page was left before the end, or " +
      "the bank declined the card. Try again, or use another card.",
    expired: "No card was saved: the page had expired. Please start again.",
    not_taken: "The card was not saved, since you have too many. Remove one " +
      "that you do not use any more and try again.",
    unsure:
      "Our payment provider can’t be reached right now. A card that you " +
      "have just saved appears here by itself within minutes.",
    chosen: "The first card below is charged from now on. Bids that stand " +
      "keep theirs.",
    removed: "The card was removed.",
  };

/** Said where an account has as many cards as it may. */
export const CARDS_FULL =
  "You have as many cards as can be saved. Remove one " +
  "that you do not use any more first.";

/** Said where an account began too many set-ups in a day. */
export const SETUPS_EXHAUSTED = "You have begun to save a card very often " +
  "today. Please try again tomorrow.";

/** Said where a network, or an account, had so many of the processor's pages. */
export const PAGES_EXHAUSTED =
  "The pages of our payment provider were opened " +
  "very often lately. Please try again later.";

/** Said where a card that was refused is to be charged again. */
export const CARD_REFUSED = "This card was refused when a bid of yours won. " +
  "Use another card; saving this one again does not help.";

/** Said where a bid stands on the card that is to be removed. */
export function standsOn(days: readonly Day[]): string {
  const named = days.length === 1 ? "bid" : "bids";
  return `The card stays for now: your ${named} for ${days.join(", ")} ` +
    `${days.length === 1 ? "stands" : "stand"} on it. It can be removed once ` +
    "that auction has settled.";
}
