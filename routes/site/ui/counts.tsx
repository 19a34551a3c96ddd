import type { Html } from "../../pages/html.ts";

/** How many of something there are, and where they are looked at. */
export interface Count {
  /** What was found, at most `max` of it. */
  found: number;
  /** So many were looked for: there may be more. */
  max: number;
  /** One, and several: `ad to review`, `ads to review`. */
  names: readonly [one: string, several: string];
  href: string;
}

/** Numbers side by side, each a link to what it counts. */
export function Counts({ of: counts }: { of: readonly Count[] }): Html {
  return (
    <ul class="counts">
      {counts.map(({ found, max, names, href }) => (
        <li class={found === 0 ? "none" : undefined}>
          <a href={href}>
            <strong>{found < max ? found : `${max}+`}</strong>{" "}
            {names[found === 1 ? 0 : 1]}
          </a>
        </li>
      ))}
    </ul>
  );
}
