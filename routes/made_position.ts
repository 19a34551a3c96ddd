/**
 * The place of something in a list that is newest first, as the text behind an
 * opaque cursor.
 *
 * @module
 */
import { invariant } from "../domain/invariant.ts";
import type { Made } from "../domain/newest_first.ts";

/** What positions look like: the moment, then the id. */
export const MADE_POSITION = /^(\d{1,15}) ([A-Za-z0-9_-]{1,64})$/;

/** The position of something. */
export function madePosition({ createdAtMs, id }: Made): string {
  return `${createdAtMs} ${id}`;
}

/** The place that a position names; null for the beginning of the list. */
export function madePlace(position: string | null): Made | null {
  if (position === null) return null;
  const [, createdAtMs, id] = MADE_POSITION.exec(position) ?? [];
  invariant(id !== undefined, "a position was checked when it was read");
  return { createdAtMs: Number(createdAtMs), id };
}
