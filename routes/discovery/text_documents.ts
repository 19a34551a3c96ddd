import type { Settings } from "../../domain/ports.ts";
import type { PublishedDocuments } from "../../domain/retrieval/docs_pages.ts";
import {
  type Addresses,
  apis,
  COPY_NOTE,
  PAGES,
  PATHS,
  SUMMARY,
  toolServers,
} from "./catalog.ts";

/** Security reports are answered for so long after a file was fetched. */
const SECURITY_MS = 180 * 86_400_000;

/**
 * What the service is and where its parts are, for language models
 * (llmstxt.org). There is no advertising copy in it.
 */
export function llmsText(at: Addresses): string {
  const { baseUrl, authUrl } = at;
  const sections: [string, string[]][] = [
    [
      "Documentation",
      PAGES.map(({ path, title, description }) =>
        link(title, baseUrl + path, description)
      ),
    ],
    ["HTTP interfaces", [
      ...apis(at).map(({ title, description, url }) =>
        `- ${title} at \`${url}\`: ${description}`
      ),
      link("OpenAPI", baseUrl + PATHS.openapi, "All of them, described"),
      link(
        "Authorization server",
        authUrl + PATHS.authorizationServer,
        "OAuth 2.1 metadata",
      ),
    ]],
    [
      "MCP servers",
      toolServers(at).map(({ title, description, url }) =>
        `- ${title} at \`${url}\`: ${description}`
      ),
    ],
    ["Optional", [
      link("All of the documentation", baseUrl + PATHS.llmsFull, "In one file"),
      link("API catalog", baseUrl + PATHS.apiCatalog, "RFC 9727"),
      link("AI catalog", baseUrl + PATHS.aiCatalog, "The MCP servers"),
      link("Sitemap", baseUrl + PATHS.sitemap, "A page a settled day"),
    ]],
  ];
  const body = sections.map(([title, lines]) =>
    `## ${title}\n\n${lines.join("\n")}\n`
  );
  return `# Spotlight\n\n> ${SUMMARY}\n\n${COPY_NOTE}\n\n${body.join("\n")}`;
}

function link(title: string, url: string, description: string): string {
  return `- [${title}](${url}): ${description}`;
}

/** The same, and every document in full. */
export function llmsFullText(
  at: Addresses,
  documents: PublishedDocuments,
): string {
  const texts = PAGES.flatMap(({ path }) => {
    const text = documents[path];
    return text === undefined ? [] : [`${text.trim()}\n`];
  });
  return [llmsText(at), ...texts].join("\n---\n\n");
}

/**
 * Everything may be read by robots, save the counted links (RFC 9309). It may
 * be searched and quoted to a reader, not trained on. A preview is for nobody
 * who searches.
 */
export function robotsText(
  { baseUrl, environment }: Pick<Settings, "baseUrl" | "environment">,
): string {
  if (environment === "preview") return "User-agent: *\nDisallow: /\n";
  return [
    "User-agent: *",
    "Content-Signal: search=yes, ai-input=yes, ai-train=no",
    "Disallow: /go/",
    "Allow: /",
    "",
    `Sitemap: ${baseUrl}${PATHS.sitemap}`,
    `schemaMap: ${baseUrl}${PATHS.schemaMap}`,
    "",
  ].join("\n");
}

/** Whom to tell of a weakness (RFC 9116), on the host that is asked. */
export function securityText(
  hostUrl: string,
  email: string,
  nowMs: number,
): string {
  const expires = new Date(nowMs + SECURITY_MS).toISOString().slice(0, 10);
  return [
    `Contact: mailto:${email}`,
    `Expires: ${expires}T00:00:00.000Z`,
    "Preferred-Languages: en",
    `Canonical: ${hostUrl}${PATHS.security}`,
    "",
  ].join("\n");
}
