import type { Child } from "@hono/hono/jsx";
import type { Html } from "../../pages/html.ts";

/** Something that is in somebody's way: what it is, and what to do about it. */
export function Notice(
  { title, children }: { title: string; children?: Child },
): Html {
  return (
    <section class="note warning">
      <h2>{title}</h2>
      {children}
    </section>
  );
}
