/**
 * A creative's place in its owner's list, as the text behind an opaque cursor.
 *
 * @module
 */
import type { Creative, CreativePlace } from "../domain/creatives/creative.ts";
import { invariant } from "../domain/invariant.ts";

/** What positions look like: the moment, then the id. */
export const CREATIVE_POSITION = /^(\d{1,15}) ([A-Za-z0-9_-]{1,64})$/;

/** The position of a creative. */
export function creativePosition(
  { createdAtMs, adId }: Pick<Creative, "createdAtMs" | "adId">,
): string {
  return `${createdAtMs} ${adId}`;
}

/** The place that a position names; null for the beginning of the list. */
export function creativePlace(position: string | null): CreativePlace | null {
  if (position === null) return null;
  const [, createdAtMs, adId] = CREATIVE_POSITION.exec(position) ?? [];
  invariant(adId !== undefined, "a position was checked when it was read");
  return { createdAtMs: Number(createdAtMs), adId };
}
