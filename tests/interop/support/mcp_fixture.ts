/**
 * A tool server with everything the conformance suite asks for, behind the
 * endpoint that serves ours.
 *
 * @module
 */
import {
  createRequestStateCodec,
  McpServer,
} from "@modelcontextprotocol/server";
import type { Served } from "../../../routes/mcp/types.ts";
import { mcpSurface } from "../../../routes/mcp/surface.ts";
import { PUBLIC_ANSWERS } from "../../../routes/errors/public_answers.ts";
import { type McpSite, openMcpSite } from "../../support/mcp_site.ts";
import { registerContent } from "./mcp_fixture_content.ts";
import { registerInputs } from "./mcp_fixture_inputs.ts";
import { registerPrompts } from "./mcp_fixture_prompts.ts";

const HINT = { ttlMs: 300_000, cacheScope: "public" } as const;

/** Sealed, so that a state that was tampered with is refused. */
const states = createRequestStateCodec<string>({
  key: crypto.getRandomValues(new Uint8Array(32)),
});

/** Opens the fixture behind a port of its own. */
export function openMcpFixture(): Promise<McpSite> {
  return openMcpSite(({ log, stopping }) =>
    mcpSurface<null>({
      path: "/mcp",
      hosts: ["localhost"],
      origins: "any",
      log,
      stopping,
      streams: true,
      enter: [],
      answers: PUBLIC_ANSWERS,
      callerOf: () => ({ caller: null }),
      build: buildFixture,
    })
  );
}

function buildFixture({ era }: Served<null>): McpServer {
  const info = { name: "conformance-fixture", version: "1.0.0" };
  const server = new McpServer(info, {
    supportedProtocolVersions: era === "modern"
      ? ["2026-07-28"]
      : ["2025-11-25", "2025-06-18"],
    capabilities: {
      tools: { listChanged: false },
      resources: { listChanged: false },
      prompts: { listChanged: false },
      completions: {},
      logging: {},
    },
    cacheHints: {
      "server/discover": HINT,
      "tools/list": HINT,
      "resources/list": HINT,
      "resources/templates/list": HINT,
      "resources/read": HINT,
      "prompts/list": HINT,
    },
    requestState: { verify: (state, context) => states.verify(state, context) },
  });
  registerContent(server);
  registerPrompts(server);
  registerInputs(server, (payload) => states.mint(payload));
  return server;
}
