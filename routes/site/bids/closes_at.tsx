import type { Html } from "../../pages/html.ts";
import { Moment } from "../pages/moment.tsx";
import { TimeLeft } from "../ui/time_left.tsx";

/** When an auction closes, and how long that is; the page may stay open for longer. */
export function ClosesAt(
  { atMs, nowMs }: { atMs: number; nowMs: number },
): Html {
  return (
    <>
      <Moment atMs={atMs} />
      <TimeLeft
        untilMs={atMs}
        nowMs={nowMs}
        says=", in {}"
        over=", which has passed: load this page again"
      />
    </>
  );
}
