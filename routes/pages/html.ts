import type { FC } from "@hono/hono/jsx";

/** What a component of a page makes: escaped HTML. */
export type Html = NonNullable<ReturnType<FC>>;
