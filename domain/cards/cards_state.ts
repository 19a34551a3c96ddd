import { HOUR_MS } from "../day.ts";
import type { ReadTable } from "../tables.ts";
import { backOffMs } from "../tasks/back_off.ts";

/** A page of the processor's that was opened to save a card. */
export interface CardSetupTry {
  /** Ours; stands in the address the payer comes back to. */
  ref: string;
  startedAtMs: number;
  /** The processor's id; null while its answer is not known. */
  sessionId: string | null;
}

/** What is to be done about the cards of an account, beside the cards. */
export interface CardsState {
  accountId: string;
  /**
   * Counts the changes of its cards. Whoever decides on a list of them, ours or
   * the processor's, reads it before the list and checks it in the commit.
   */
  version: number;
  /** Those of the last day, oldest first. */
  setups: readonly CardSetupTry[];
  /** When links to the billing portal were asked for; absent for never. */
  portals?: readonly number[];
  /** When the cards are compared with the processor's; null for never. */
  syncDueAtMs: number | null;
  /** Syncs that failed since the last one that succeeded. */
  syncFailures: number;
  /** When the next warning of the default card's expiry is due. */
  warnDueAtMs: number | null;
}

/** The processor's pages end after a day. */
export const CARD_SETUP_LIVES_MS = 24 * HOUR_MS;
/** Set-ups an account may begin in a day: more is somebody trying cards. */
export const CARD_SETUPS_A_DAY = 10;

/** Links to the billing portal that an account is given in an hour. */
export const PORTALS_AN_HOUR = 20;
/** Those of them that its agents may take: the rest is kept for a person. */
export const AGENTS_PORTALS_AN_HOUR = 15;

/** How soon a set-up is synced when neither payer nor event came back. */
const FIRST_SETUP_SYNC_MS = 10 * 60_000;
/** Between two syncs while a set-up may be finished. */
const SETUP_SYNC_MS = HOUR_MS;
/** Between two syncs of cards that nobody changes. */
const DAILY_SYNC_MS = 24 * HOUR_MS;
const RETRIES = { firstMs: 5 * 60_000, maxMs: DAILY_SYNC_MS };

/** The state of an account that has never had one. */
export function newCardsState(accountId: string): CardsState {
  return {
    accountId,
    version: 0,
    setups: [],
    syncDueAtMs: null,
    syncFailures: 0,
    warnDueAtMs: null,
  };
}

/** The state of an account's cards, as a check of the commit. */
export async function cardsStateOf(
  { wallets }: { wallets: ReadTable<CardsState, [accountId: string]> },
  accountId: string,
): Promise<CardsState> {
  return await wallets.find(accountId) ?? newCardsState(accountId);
}

/** The set-ups whose pages may still be open. */
export function recentSetups(
  cardsState: CardsState,
  nowMs: number,
): CardSetupTry[] {
  return cardsState.setups.filter(({ startedAtMs }) =>
    nowMs - startedAtMs < CARD_SETUP_LIVES_MS
  );
}

/** The state with a set-up begun, which is synced soon even if nobody returns. */
export function withSetup(
  cardsState: CardsState,
  ref: string,
  nowMs: number,
): CardsState {
  const begun = { ref, startedAtMs: nowMs, sessionId: null };
  const setups = [...recentSetups(cardsState, nowMs), begun];
  return withSyncDueBy({ ...cardsState, setups }, nowMs + FIRST_SETUP_SYNC_MS);
}

/** The portals that were asked for within the last hour, oldest first. */
export function recentPortals(
  { portals = [] }: CardsState,
  nowMs: number,
): readonly number[] {
  return portals.filter((atMs) => nowMs - atMs < HOUR_MS);
}

/**
 * How long until there are fewer than so many portals within the last hour, ms;
 * 0 where there are.
 */
export function portalWaitMs(
  cardsState: CardsState,
  most: number,
  nowMs: number,
): number {
  const lastInTheWay = recentPortals(cardsState, nowMs).at(-most);
  return lastInTheWay === undefined ? 0 : lastInTheWay + HOUR_MS - nowMs;
}

/** The state with a sync due at that moment, or earlier if one was. */
export function withSyncDueBy(
  cardsState: CardsState,
  dueAtMs: number,
): CardsState {
  const syncDueAtMs = Math.min(cardsState.syncDueAtMs ?? Infinity, dueAtMs);
  return { ...cardsState, syncDueAtMs };
}

/** The state after a sync: the next is due in an hour, in a day, or never. */
export function afterSync(
  cardsState: CardsState,
  cards: number,
  nowMs: number,
): CardsState {
  const setups = recentSetups(cardsState, nowMs);
  const pauseMs = setups.length > 0
    ? SETUP_SYNC_MS
    : cards > 0
    ? DAILY_SYNC_MS
    : null;
  const syncDueAtMs = pauseMs === null ? null : nowMs + pauseMs;
  return { ...cardsState, setups, syncDueAtMs, syncFailures: 0 };
}

/** The state after a sync that failed. */
export function afterSyncFailure(
  cardsState: CardsState,
  nowMs: number,
): CardsState {
  const syncFailures = cardsState.syncFailures + 1;
  const syncDueAtMs = nowMs + backOffMs(syncFailures, RETRIES);
  return { ...cardsState, syncFailures, syncDueAtMs };
}
