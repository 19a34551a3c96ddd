/**
 * The peer for tool servers: the MCP project's SDK 1.32 on Express, in the shape
 * of its example of a server without sessions: a server and a transport for
 * every request. It runs under Node in a folder where its package.json is
 * installed; its only argument is JSON: `{port, streams, page, record}`, where
 * `streams` is what the example does (answers are streams of one event).
 */
import { createRequire } from "node:module";

// Required, not imported: Deno, which checks this folder too, has none of them.
const require = createRequire(import.meta.url);
const { McpServer } = require("@modelcontextprotocol/sdk/server/mcp.js");
const { StreamableHTTPServerTransport } = require(
  "@modelcontextprotocol/sdk/server/streamableHttp.js",
);
const express = require("express");
const { z } = require("zod");

const { port, streams, page, record } = JSON.parse(process.argv[2]);

const annotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};
const pageInput = {
  path: z.enum(["/developers.md", "/auth.md", "/privacy.md"]),
  query: z.string().min(2).max(200).optional(),
};
const dayInput = { day: z.iso.date() };
const spotlight = z.strictObject({
  day: z.string(),
  headline: z.string(),
  description: z.string(),
  advertiser: z.string(),
  canonicalUrl: z.url(),
  contentType: z.string(),
});

/** The same answer as an object and as text. */
function both(structuredContent) {
  const text = JSON.stringify(structuredContent);
  return { content: [{ type: "text", text }], structuredContent };
}

function buildServer() {
  const server = new McpServer({ name: "peer", version: "1.0.0" });
  server.registerTool("read_docs_page", {
    title: "Read a page",
    description: "Reads a page of the documentation",
    annotations,
    inputSchema: pageInput,
    outputSchema: { text: z.string() },
  }, () => both({ text: page }));
  server.registerTool("get_spotlight", {
    title: "The Spotlight of a day",
    description: "Reads the Spotlight of a settled day",
    annotations,
    inputSchema: dayInput,
    outputSchema: { data: spotlight },
  }, () => both({ data: record }));
  return server;
}

const app = express();
app.use(express.json());

app.post("/mcp", async (request, response) => {
  const server = buildServer();
  try {
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: undefined,
      enableJsonResponse: !streams,
    });
    response.on("close", () => {
      transport.close();
      server.close();
    });
    await server.connect(transport);
    await transport.handleRequest(request, response, request.body);
  } catch {
    if (!response.headersSent) response.status(500).end();
  }
});

const listening = app.listen(port, "127.0.0.1");
process.on("SIGTERM", () => {
  listening.close(() => process.exit(0));
  listening.closeAllConnections();
});
