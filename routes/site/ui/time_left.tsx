import type { Html } from "../../pages/html.ts";

/** How long it is until a moment: `3 h 12 min`. */
function timeLeft(ms: number): string {
  const minutes = Math.max(0, Math.floor(ms / 60_000));
  if (minutes < 1) return "less than a minute";
  const hours = Math.floor(minutes / 60);
  return hours === 0 ? `${minutes} min` : `${hours} h ${minutes % 60} min`;
}

/** The same as a page shows it; `countdown.js` keeps it current. */
export function TimeLeft(
  { untilMs, nowMs }: { untilMs: number; nowMs: number },
): Html {
  return <span data-until={untilMs}>{timeLeft(untilMs - nowMs)}</span>;
}
