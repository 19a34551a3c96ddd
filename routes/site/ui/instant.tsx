import { shortMinute } from "../../../domain/auction/auction.ts";
import { isoTime } from "../../../domain/day.ts";
import type { Html } from "../../pages/html.ts";

/** A moment to the second, without its year: `22 Nov 23:55:03`. */
export function Instant({ atMs }: { atMs: number }): Html {
  const iso = isoTime(atMs);
  return (
    <time class="short" datetime={iso}>
      {shortMinute(atMs)}
      {iso.slice(16, 19)}
    </time>
  );
}
