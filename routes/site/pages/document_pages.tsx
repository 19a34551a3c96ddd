import type { Child } from "@hono/hono/jsx";
import type { Settings } from "../../../domain/ports.ts";
import { type Route, route } from "../../route_table.ts";
import { type Documents, withAddresses } from "./asset_routes.ts";
import type { Html } from "./html.ts";
import { Layout } from "./layout.tsx";
import { htmlAnswer } from "./page_answer.ts";

/** Documents for people that are pages too, by the path of the page. */
const PAGES = { "/privacy": "/privacy.md", "/terms": "/terms.md" } as const;

/** Privacy and terms as pages. The documents themselves are beside them. */
export function documentPages(
  documents: Documents,
  settings: Pick<Settings, "baseUrl" | "authUrl" | "docsMcpUrl">,
): Route[] {
  return Object.entries(PAGES).flatMap(([path, document]) => {
    const text = documents[document];
    if (text === undefined) return [];
    const filled = withAddresses(text, settings);
    const canonicalUrl = `${settings.baseUrl}${path}`;
    return route("GET", path, (context) =>
      htmlAnswer(
        context,
        <DocumentPage text={filled} canonicalUrl={canonicalUrl} />,
      ));
  });
}

/** Headings and paragraphs: all the Markdown that these documents have. */
function DocumentPage(props: { text: string; canonicalUrl: string }): Html {
  const blocks = props.text.trim().split(/\n{2,}/);
  const title = blocks[0]?.replace(/^# /, "") ?? "";
  return (
    <Layout title={`${title} – Spotlight`} canonicalUrl={props.canonicalUrl}>
      {blocks.map(block)}
    </Layout>
  );
}

function block(text: string): Child {
  if (text.startsWith("# ")) return <h1>{text.slice(2)}</h1>;
  if (text.startsWith("## ")) return <h2>{text.slice(3)}</h2>;
  const parts = text.replaceAll("\n", " ").split(/(https?:\/\/\S*[^\s.,:])/);
  return <p>{parts.map(textOrLink)}</p>;
}

/** Every other part is an address. */
function textOrLink(part: string, at: number): Child {
  return at % 2 === 1 ? <a href={part}>{part}</a> : part;
}
