import { McpServer, type ServerOptions } from "@modelcontextprotocol/server";
import {
  DOCS_PATHS,
  type DocsPath,
} from "../../domain/retrieval/docs_pages.ts";
import { directCalls } from "../mcp/direct_calls.ts";
import type { BuildServer, McpServing } from "../mcp/endpoint.ts";
import type { Era, Served } from "../mcp/types.ts";
import { guardedRead } from "../mcp/guarded_read.ts";
import { noteTool, noteToolName } from "../mcp/note_tool.ts";
import type { ProblemServices } from "../mcp/problem_of.ts";
import { type ToolSet, toolSet } from "../mcp/tool.ts";
import {
  type DocsCaller,
  type DocsRetrieval,
  docsTools,
} from "./docs_tools.ts";

/** How the server names itself, with its version (contract §8.1). */
const INFO = {
  name: "spotlight-docs",
  title: "Spotlight docs",
  version: "1.0.0",
} as const;

/** The protocol versions it speaks (contract §8.1). */
const VERSIONS: Readonly<Record<Era, string[]>> = {
  modern: ["2026-07-28"],
  legacy: ["2025-06-18"],
};

const PAGES: Readonly<Record<DocsPath, string>> = {
  "/affiliate.md": "The affiliate programme: links, commission, payouts",
  "/developers.md": "The APIs, tool servers and the sandbox, with examples",
  "/auth.md": "How an agent gets a token, and what scopes let it do",
  "/versioning.md": "Versions, and how they change",
  "/privacy.md": "What is kept of whom, for how long, and why",
};

/** The pages change with a release only. */
const HOUR = { ttlMs: 3_600_000, cacheScope: "public" } as const;

const OPTIONS: Omit<ServerOptions, "supportedProtocolVersions"> = {
  instructions: "The documentation of Spotlight, a daily auction for one " +
    "featured advertisement. Search it, then read the page that was found.",
  capabilities: {
    tools: { listChanged: false },
    resources: { listChanged: false },
  },
  cacheHints: {
    "server/discover": HOUR,
    "tools/list": HOUR,
    "resources/list": HOUR,
    "resources/templates/list": HOUR,
    "resources/read": HOUR,
  },
};

/** What the documentation server needs. */
export interface DocsServerParts extends ProblemServices {
  retrieval: DocsRetrieval;
}

/** The documentation server: two tools, and the pages as resources. */
export function docsServer(
  parts: DocsServerParts,
): Required<McpServing<DocsCaller>> {
  const tools = toolSet(docsTools(parts.retrieval), parts);
  const direct = directCalls({
    tools,
    info: INFO,
    note: ({ name }, { trace }) => noteToolName(name, trace),
  });
  return { build: buildDocs(parts, tools), direct };
}

function buildDocs(
  parts: DocsServerParts,
  tools: ToolSet<DocsCaller>,
): BuildServer<DocsCaller> {
  return (served) => {
    const server = new McpServer(INFO, {
      ...OPTIONS,
      supportedProtocolVersions: VERSIONS[served.era],
    });
    noteTool(tools, served, served.caller.trace);
    tools.register(server, served);
    if (served.method?.startsWith("resources/") ?? true) {
      registerPages(server, served, parts);
    }
    return server;
  };
}

function registerPages(
  server: McpServer,
  { requestId }: Served<DocsCaller>,
  parts: DocsServerParts,
): void {
  const { documents } = parts.retrieval;
  for (const path of DOCS_PATHS) {
    const text = documents[path];
    if (text === undefined) continue;
    const uri = parts.settings.baseUrl + path;
    const mimeType = "text/markdown";
    const told = { title: titleOf(text), description: PAGES[path], mimeType };
    server.registerResource(path.slice(1), uri, told, (_uri, context) => {
      const { signal } = context.mcpReq;
      return guardedRead(parts, { uri, requestId, signal }, () => ({
        contents: [{ uri, mimeType, text }],
      }));
    });
  }
}

function titleOf(text: string): string {
  return /^# (.+)$/m.exec(text)?.[1] ?? "";
}
