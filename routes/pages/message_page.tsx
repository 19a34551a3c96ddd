import type { Html } from "./html.ts";
import { Layout } from "./layout.tsx";

/** What a page answers when there is nothing to show. */
export function MessagePage(
  { title, text }: { title: string; text: string },
): Html {
  return (
    <Layout title={`${title} – Spotlight`}>
      <h1>{title}</h1>
      <p>{text}</p>
      <p>
        <a href="/">See today’s Spotlight</a>, or{" "}
        <a href="/spotlights">search the archive</a>
      </p>
    </Layout>
  );
}
