import type { Answered } from "../idempotency/answer_once.ts";
import type { Services } from "../ports.ts";
import { refuse } from "../refusal.ts";
import {
  PRACTICE,
  PRACTICE_HOURS,
  PRACTICE_STARTS_MS,
  practiceRecord,
} from "./practice_records.ts";
import { sceneOf } from "./practice_scenes.ts";
import { isKeptAnswer, practiceStore } from "./practice_store.ts";
import {
  type Rehearsal,
  REHEARSAL_KEYS_MAX,
  REHEARSAL_MS,
  RehearsedOutage,
} from "./rehearsal.ts";

/** What a rehearsal stands on. */
export type RehearsalServices = Pick<
  Services,
  "clock" | "ids" | "log" | "settings" | "store"
>;

/** Which rehearsal, and the creative that says how things stand in it. */
export interface Rehearsed {
  rehearsalId: string;
  adId: string | null;
}

/** Where rehearsals are on `{base_url}`: one stands in the place of `{auth_url}`. */
export const REHEARSALS_PATH = "/api/v1/sandbox/rehearsals";

/**
 * Runs a verb that reads, over a rehearsal instead of the store. What it is
 * given has no processor, mail or network, and no way to the real records.
 */
export async function rehearseReading<T>(
  services: RehearsalServices,
  rehearsed: Rehearsed,
  read: (practice: Services) => T | Promise<T>,
): Promise<T> {
  const { rehearsalId } = rehearsed;
  const found = await services.store.rehearsals.find(rehearsalId);
  const nowMs = services.clock.now();
  const { practice } = begin(services, rehearsed, found, nowMs);
  return await read(practice);
}

/**
 * Runs a verb that changes something, and keeps what it wrote in the rehearsal's
 * own row. A bid whose answer is to be lost is kept and then fails, once a key.
 *
 * @throws {RehearsedOutage} for such a bid
 */
export async function rehearseChange<T>(
  services: RehearsalServices,
  rehearsed: Rehearsed,
  change: (practice: Services) => Promise<Answered<T>>,
): Promise<Answered<T>> {
  const { bid } = sceneOf(rehearsed.adId);
  if (bid === "rate_limited") refuse({ code: "rate_limited", retryAfterS: 1 });
  const answered = await services.store.transact(async (tx) => {
    const found = await tx.rehearsals.find(rehearsed.rehearsalId);
    const nowMs = services.clock.now();
    const { practice, rows, startedAtMs } = begin(
      services,
      rehearsed,
      found,
      nowMs,
    );
    const answered = await change(practice);
    if (!answered.replayed) {
      tx.rehearsals.save({
        id: rehearsed.rehearsalId,
        startedAtMs,
        rows: bounded(rows),
        expiresAtMs: startedAtMs + REHEARSAL_MS,
      });
    }
    return answered;
  });
  if (bid === "lost_answer" && !answered.replayed) {
    throw new RehearsedOutage("The answer to a rehearsed bid is lost");
  }
  return answered;
}

/** The services of a rehearsal: its own clock, addresses and store. */
function begin(
  { clock, ids, log, settings }: RehearsalServices,
  rehearsed: Rehearsed,
  found: Rehearsal | null,
  nowMs: number,
) {
  const startedAtMs = found?.startedAtMs ?? nowMs;
  const rows = new Map(found?.rows);
  const { rehearsalId } = rehearsed;
  const practice = {
    clock: { now: () => PRACTICE_STARTS_MS + clock.now() - startedAtMs },
    ids: {
      next: (prefix: string) => ids.next(`${prefix}_practice`),
      secret: ids.secret,
    },
    log,
    settings: {
      ...settings,
      authUrl: `${settings.baseUrl}${REHEARSALS_PATH}/${rehearsalId}`,
      auctionHours: PRACTICE_HOURS,
      operatorEmails: [],
      alertWebhookUrl: null,
      practice: PRACTICE,
      refundFourEyesCents: 0,
    },
    store: practiceStore(
      rows,
      (family, id) => practiceRecord(family, id, rehearsed),
    ),
  };
  // Whatever else a verb asks of the outside is not there.
  return { practice: practice as unknown as Services, rows, startedAtMs };
}

/** The oldest of too many answers go: a repeat of those is a new request. */
function bounded(rows: ReadonlyMap<string, unknown>): Rehearsal["rows"] {
  const answers = [...rows.keys()].filter(isKeptAnswer);
  const gone = new Set(answers.slice(0, -REHEARSAL_KEYS_MAX));
  return [...rows].filter(([key]) => !gone.has(key));
}
