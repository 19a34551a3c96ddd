import { isoTime } from "../../../domain/day.ts";

/** An answer for the operator, which nobody keeps. */
export function operatorAnswer(body: unknown, status = 200): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: {
      "content-type": "application/json",
      "cache-control": "no-store",
    },
  });
}

/** A moment as it goes out; null for none. */
export function isoOrNull(ms: number | null): string | null {
  return ms === null ? null : isoTime(ms);
}
