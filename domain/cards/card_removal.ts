import type { Binding } from "../idempotency/replay.ts";
import { backOffMs } from "../tasks/back_off.ts";
import type { TransitionTable } from "../state_machine.ts";

/**
 * How far a card is taken away. `checking`: no new bid may name it, and it is
 * being found out whether one stands on it. `detaching`: it is gone here, and
 * the processor is to let go of it. `given_up`: the processor would not; a
 * person was told.
 */
export type CardRemovalState = "checking" | "detaching" | "done" | "given_up";

/** Every change of state there is; a card that is kept loses the row. */
export const CARD_REMOVAL_EDGES: TransitionTable<CardRemovalState> = {
  checking: ["detaching"],
  detaching: ["done", "given_up"],
  done: [],
  given_up: [],
};

/** That a card is taken away, and how far that has come. */
export interface CardRemoval {
  paymentMethodId: string;
  accountId: string;
  /**
   * Who wants it. A card that the user takes away here stays while a bid stands
   * on it; one that is gone at the processor goes when its bids are settled.
   */
  origin: "user" | "processor";
  state: CardRemovalState;
  /** Which card was made the default in its place; absent if it was not one. */
  replacedBy?: string | null;
  /** The request that asked for it, if it is to be repeatable. */
  binding: Binding | null;
  /** Not gone on with before this moment. */
  dueAtMs: number;
  /** Calls that the processor did not do. */
  failures: number;
  /** Set once it is done. */
  expiresAtMs: number | null;
}

/** How long a removal that is done keeps older answers from undoing it. */
export const CARD_REMOVAL_KEPT_MS = 7 * 86_400_000;
/** Calls of detaching until a person is told: about two weeks. */
export const DETACH_FAILURES_MAX = 24;

const RETRIES = { firstMs: 60_000, maxMs: 86_400_000 };

/** When it is gone on with; null once nothing is left to do. */
export function removalDueAtMs(
  { state, dueAtMs }: CardRemoval,
): number | null {
  return state === "checking" || state === "detaching" ? dueAtMs : null;
}

/** The pause after a call that failed, twice as long each time up to a day. */
export function detachPauseMs(failures: number): number {
  return backOffMs(failures, RETRIES);
}
