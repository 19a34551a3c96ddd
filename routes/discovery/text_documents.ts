import type { Settings } from "../../domain/ports.ts";
import type { PublishedDocuments } from "../../domain/retrieval/docs_pages.ts";
import { PRACTICE_DAY } from "../../domain/sandbox/practice_records.ts";
import {
  type Addresses,
  apis,
  CLIENTS_PATH,
  COPY_NOTE,
  PACKAGE_PATH,
  PAGES,
  PATHS,
  SUMMARY,
  toolServers,
} from "./catalog.ts";

/** What is described, and whether anything of it is real. */
type Described = Addresses & Pick<Settings, "environment">;

/** Security reports are answered for so long after a file was fetched. */
const SECURITY_MS = 180 * 86_400_000;

/**
 * What the service is and where its parts are, for language models
 * (llmstxt.org). There is no advertising copy in it.
 */
export function llmsText(at: Described): string {
  const { baseUrl, authUrl, environment } = at;
  const sections: [string, string[]][] = [
    ["Recipes", recipes(at)],
    ["Clients", clients(at)],
    ...environment === "development" ? [inDevelopment(at)] : [],
    [
      "Documentation",
      [
        ...PAGES.map(({ path, title, description }) =>
          link(title, baseUrl + path, description)
        ),
        link(
          "Topics for developers",
          `${baseUrl}/developers`,
          "A page each; in Markdown at its address with `.md`, and for who " +
            "asks for `text/markdown`",
        ),
      ],
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

/** What an agent does all of it with. */
function clients({ baseUrl }: Addresses): string[] {
  return [
    link(
      "Which client to take",
      `${baseUrl}/developers#which-client-to-take`,
      "Tool servers (MCP) where your host speaks MCP; the command line where " +
        "you have a shell; the typed client in a program; else plain HTTP. " +
        "Figures are bought over plain HTTP or with the typed client",
    ),
    link(
      "Command line and typed client",
      `${baseUrl}${CLIENTS_PATH}/README.md`,
      "With Node.js, nothing installed: " +
        `\`npx -y ${baseUrl}${PACKAGE_PATH} login\`, then \`me\` or \`help\` ` +
        "in the place of `login`; with Deno: " +
        `\`deno run -A ${baseUrl}${CLIENTS_PATH}/cli/spotlight.js login\`; ` +
        `in a program: \`npm install ${baseUrl}${PACKAGE_PATH}\``,
    ),
  ];
}

/** What stands in for people, registers and money where all is made up. */
function inDevelopment({ baseUrl }: Addresses): [string, string[]] {
  const auction = `${baseUrl}/developers/how-the-auction-works.md`;
  return ["In development", [
    "- This service runs in development: no money is real, and no mail " +
    `leaves it: each is at \`${baseUrl}/dev/outbox\``,
    link(
      "Whom to sign in as",
      `${baseUrl}/auth.md#try-the-consent-by-hand`,
      "Advertisers that may bid, and the operator who reviews ads",
    ),
    link(
      "Which VAT ids pass",
      `${auction}#vat-ids-in-development`,
      "All that have the form of their member state, such as DE123456789, " +
        "but for some endings",
    ),
    link(
      "Close and settle a day",
      `${auction}#close-and-settle-a-day-in-development`,
      "The operator does, at once; no day takes bids then before the next opens",
    ),
    link(
      "Payment tokens",
      `${baseUrl}/developers/buy-click-figures-over-http-402.md`,
      "A simulator grants them",
    ),
  ]];
}

/** The errands that agents are sent on, each from its beginning to its end. */
function recipes(at: Addresses): string[] {
  const { baseUrl, authUrl } = at;
  return [
    link(
      "Rehearse a bid",
      `${baseUrl}/developers/sandbox.md#rehearse-a-bid`,
      `Try this first. Put \`${baseUrl}/api/v1/sandbox/rehearsals/\` and a ` +
        `name you make up in the place of \`${authUrl}\` in steps 2 and 3 ` +
        `below, with day ${PRACTICE_DAY} and ad_id \`ad_practice\`: no ` +
        "token, no account, no money. In the place of step 4 POST " +
        "`/v1/agent/settle` there: a rehearsal has no events. Or call the " +
        `tool \`rehearse\` of the tool server \`${baseUrl}/mcp\``,
    ),
    link(
      "Bid for your owner",
      `${baseUrl}/developers/place-and-raise-a-bid.md`,
      bidRecipe(at),
    ),
    link(
      "Buy the figures of a day",
      `${baseUrl}/developers/buy-click-figures-over-http-402.md`,
      buyRecipe(at),
    ),
  ];
}

function bidRecipe({ baseUrl, authUrl }: Addresses): string {
  return `1. Get a token as ${baseUrl}/auth.md says, for account:read, ` +
    "bids:read, bids:write, creatives:read and creatives:write at once, with " +
    "reports:read for the figures of days you win, invoices:read to be told " +
    "what was charged and account:write to be told by webhook; your owner " +
    "sets a mandate. To bid and to buy by " +
    `the checkout with one consent, name \`resource\` twice, \`${authUrl}\` ` +
    `and \`${baseUrl}\`, or not at all: a token for one alone does not open ` +
    `the other. 2. GET \`${authUrl}/v1/agent/me\` with day, ad_id and ` +
    "amount_cents, and do what `first_bid.next_action` says until " +
    "`first_bid.status` is ready. 3. POST " +
    `\`${authUrl}/v1/agent/bids\` with an Idempotency-Key; keep it until ` +
    "you have an answer. Where none comes, read your bids of that day: one " +
    "that is not there may still be on its way, so send the same request " +
    "with the same key. 4. Wait for what becomes of it with GET " +
    `\`${authUrl}/v1/agent/events?wait=25\`, which begins at the oldest ` +
    "event of 30 days; from then on send the `after` of the last answer " +
    "too. Read your bids of that day then. To win a day is to be shown " +
    "from its closing until the next day has settled";
}

function buyRecipe({ baseUrl, authUrl }: Addresses): string {
  return `GET \`${baseUrl}/api/v1/spotlights/{day}/metrics\`, answer the ` +
    "challenge of the 402 with a shared payment token and an " +
    "Idempotency-Key, EUR 1. Keep both headers and send the same two " +
    "again after a lost answer: another token is another purchase, with " +
    "the same key, too. It takes no account. Signed in, you may buy the same " +
    `by the checkout (${baseUrl}/developers/checkout.md), with account:read and ` +
    `a token for \`${baseUrl}\`: those of tool-server clients and of the ` +
    "command line are for the agent API alone. A day is shown on the day " +
    "after it: clicks made yesterday are figures of the day before " +
    "yesterday. Figures are final 48 hours after a day was replaced: the " +
    "newest such day is four days before today. `Metrics-Final: false`, on " +
    "the 402 already, means counted so far, to be paid again when final. " +
    `Your owner's own days are free at \`${authUrl}/v1/agent/reports/{day}\` ` +
    "with reports:read";
}

function link(title: string, url: string, description: string): string {
  return `- [${title}](${url}): ${description}`;
}

/** The same, and every document in full. */
export function llmsFullText(
  at: Described,
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
