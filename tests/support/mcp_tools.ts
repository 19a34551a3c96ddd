/** Tools that tests declare, and a server of them behind a port. */
import { McpServer } from "@modelcontextprotocol/server";
import { z } from "zod";
import { Contention } from "../../domain/failure.ts";
import { refuse } from "../../domain/refusal.ts";
import { mcpSurface } from "../../routes/mcp/surface.ts";
import { defineTool, toolSet } from "../../routes/mcp/tool.ts";
import type { Effects } from "../../routes/mcp/effects.ts";
import type { Tool, ToolCall } from "../../routes/mcp/types.ts";
import { PUBLIC_ANSWERS } from "../../routes/errors/public_answers.ts";
import { type McpSite, openMcpSite } from "./mcp_site.ts";

/** A tool that only reads. */
export const READS: Effects = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

/** What a tool of a test does when it is called. */
export type Act = (
  text: string,
  call: ToolCall<null>,
) => unknown | Promise<unknown>;

/** A tool that answers `{text}` with whatever a test makes of its text. */
export function actingTool(act: Act, name = "act"): Tool<null> {
  return defineTool({
    name,
    title: "Act",
    description: "Does what the test says.",
    annotations: READS,
    scope: null,
    input: z.strictObject({ text: z.string() }),
    output: z.strictObject({ text: z.string() }),
    async handle({ text }, call: ToolCall<null>) {
      return { text: await act(text, call) as string };
    },
  });
}

/** What a server of a test may be like. */
export interface ActingOptions {
  callMs?: number;
  /** Runs before the server is built. */
  beforeBuild?: () => void;
}

/** A server of one such tool. */
export function openActing(
  act: Act,
  { callMs, beforeBuild }: ActingOptions = {},
): Promise<McpSite> {
  return openMcpSite(({ settings, log, stopping }) => {
    const tools = toolSet([actingTool(act)], {
      settings,
      log,
      answers: PUBLIC_ANSWERS,
      ...callMs !== undefined && { callMs },
    });
    return mcpSurface<null>({
      path: "/mcp",
      hosts: ["localhost"],
      origins: "any",
      log,
      stopping,
      enter: [],
      answers: PUBLIC_ANSWERS,
      callerOf: () => ({ caller: null }),
      build(served) {
        beforeBuild?.();
        const server = new McpServer({ name: "acting", version: "1.0.0" }, {
          supportedProtocolVersions: served.era === "modern"
            ? ["2026-07-28"]
            : ["2025-06-18"],
          capabilities: { tools: { listChanged: false } },
        });
        tools.register(server, served);
        return server;
      },
    });
  });
}

/** What goes wrong in a tool that was asked for it by name. */
export const MISHAPS: Readonly<Record<string, () => never>> = {
  refusal: () => refuse({ code: "bad_request", message: "Cannot read it" }),
  contention: () => {
    throw new Contention("secret detail");
  },
  fault: () => {
    throw new Error("secret detail");
  },
  text: () => {
    // deno-lint-ignore no-throw-literal -- anything at all may be thrown
    throw "secret detail";
  },
};
