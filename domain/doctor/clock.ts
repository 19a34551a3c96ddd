import { type Finding, trouble, well } from "./finding.ts";

const CLOCK = "clock";
/** How far the clock may be off, s; the processor's webhooks allow five minutes. */
const CLOCK_OFF_S = 30;

/** Whether our clock is that of most others, all of whom tell theirs, epoch ms. */
export function checkClock(
  others: readonly (number | null)[],
  nowMs: number,
): Finding {
  const seen = others.filter((ms) => ms !== null).toSorted((a, b) => a - b);
  const middle = seen[Math.floor(seen.length / 2)];
  if (middle === undefined || seen.length < others.length) {
    const says =
      `Only ${seen.length} of ${others.length} sources told the time: ` +
      "see whether this machine reaches the others.";
    return trouble(CLOCK, says);
  }
  const offS = Math.round((nowMs - middle) / 1_000);
  if (Math.abs(offS) <= CLOCK_OFF_S) {
    return well(CLOCK, `It is ${Math.abs(offS)} s from what others say.`);
  }
  const says = `It is ${Math.abs(offS)} s ${offS > 0 ? "ahead" : "behind"}: ` +
    "have it set over the network (NTP). Auctions open and close by it.";
  return trouble(CLOCK, says);
}

/** The time of a `Date` header, epoch ms; null where it is none. */
export function dateOf(header: string | null | undefined): number | null {
  const ms = Date.parse(header ?? "");
  return Number.isNaN(ms) ? null : ms;
}
