import type { Html } from "../../pages/html.ts";

/** How long it is until a moment, in one piece: `3 h 12 min`. */
function timeLeft(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 1) return "less than a minute";
  const hours = Math.floor(minutes / 60);
  return hours === 0
    ? `${minutes}\u00a0min`
    : `${hours}\u00a0h\u00a0${minutes % 60}\u00a0min`;
}

/** What is said of the time until a moment, and what in its place after it. */
interface TimeLeftProps {
  untilMs: number;
  nowMs: number;
  /** What a page that is shared says for now: the begin of its minute. */
  asOfMs?: number;
  /** The words, with `{}` for the time. */
  says?: string;
  /** Stands there once the moment has passed. */
  over: string;
}

/** The same as a page shows it; `countdown.js` keeps it current. */
export function TimeLeft(
  { untilMs, nowMs, asOfMs = nowMs, says = "{}", over }: TimeLeftProps,
): Html {
  const left = says.replace("{}", timeLeft(untilMs - nowMs));
  return (
    <span
      data-until={untilMs}
      data-now={asOfMs}
      data-says={says}
      data-over={over}
    >
      {untilMs > nowMs ? left : over}
    </span>
  );
}
