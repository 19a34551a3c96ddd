import { TemporaryFailure } from "../failure.ts";

/** What a rehearsal may be called: whoever makes up a long one is alone in it. */
export const REHEARSAL_ID = /^[A-Za-z0-9_-]{8,64}$/;

/** A rehearsal is over an hour after its first change. */
export const REHEARSAL_MS = 3_600_000;

/** Answers that are kept for repeats; beyond them the oldest is forgotten. */
export const REHEARSAL_KEYS_MAX = 32;

/**
 * What somebody has done in a rehearsal: a row of its own, with no effect on
 * anything else. Nothing is kept of one in which nothing was changed.
 */
export interface Rehearsal {
  id: string;
  startedAtMs: number;
  /** Its records by the text of their keys, as the operations wrote them. */
  rows: readonly (readonly [key: string, record: unknown])[];
  expiresAtMs: number;
}

/** What a bid meets whose answer is to be lost: it stands all the same. */
export class RehearsedOutage extends TemporaryFailure {
  override readonly name = "RehearsedOutage";
  override readonly isOrdinary = true;
  override readonly detail = "this outage is part of the rehearsal";
}
