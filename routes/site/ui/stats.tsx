import type { Child } from "@hono/hono/jsx";
import type { Html } from "../../pages/html.ts";

/** A figure, and what it is a figure of. */
export interface Stat {
  name: string;
  value: Child;
  /** What is to be known beside it; null for nothing. */
  hint?: Child;
}

/** The few figures that a page is about, side by side. */
export function Stats({ of: stats }: { of: readonly Stat[] }): Html {
  return (
    <dl class="stats">
      {stats.map(({ name, value, hint = null }) => (
        <div>
          <dt>{name}</dt>
          <dd>
            <strong>{value}</strong>
            {hint !== null && <span class="quiet">{hint}</span>}
          </dd>
        </div>
      ))}
    </dl>
  );
}
