/**
 * How a server is declared: what it says of itself, its tools, what can be read
 * at addresses, and what people may start from.
 *
 * @module
 */
import {
  type GetPromptResult,
  type Implementation,
  McpServer,
  type ReadResourceResult,
  ResourceTemplate,
  type ServerOptions,
} from "@modelcontextprotocol/server";
import { z } from "zod";
import type { Day } from "../../domain/day.ts";
import type { Scope } from "../../domain/oauth/grant.ts";
import type { RequestTrace } from "../context.ts";
import { directCalls } from "./direct_calls.ts";
import { DirectLists } from "./direct_lists.ts";
import type { CountWork, McpServing } from "./endpoint.ts";
import type { Listening } from "./listening.ts";
import { guardedRead } from "./guarded_read.ts";
import type { ProblemServices } from "./problem_of.ts";
import {
  type Access,
  requireScopes,
  scopeChallenge,
} from "./scope_challenge.ts";
import { toolSet } from "./tool.ts";
import { dayArgument } from "./tool_arguments.ts";
import type { Era, Served, Tool, ToolCall } from "./types.ts";

/** Who asks a server: anybody, of whom the log says something. */
export interface AnyCaller {
  trace: RequestTrace;
}

/** How long an answer may be kept, and by whom. */
export interface Kept {
  ttlMs: number;
  cacheScope: "public" | "private";
}

/** Lists that change with a release only. */
export const HOUR: Kept = { ttlMs: 3_600_000, cacheScope: "public" };

/** Every revision that we speak. */
export const EVERY_VERSION: Readonly<Record<Era, string[]>> = {
  modern: ["2026-07-28"],
  legacy: ["2025-11-25", "2025-06-18"],
};

/** Something that can be read at an address. */
export interface Resource<Caller> {
  name: string;
  /** An address, or a template with `{day}` or other names. */
  uri: string;
  /** What lists say of it. */
  told: {
    title: string;
    description: string;
    mimeType: string;
    annotations?: { audience: ("user" | "assistant")[]; priority: number };
  };
  /** What the token has to hold; null for what everybody may read. */
  scope: Scope | null;
  /** Reads its text or bytes; of a template for what the address names. */
  read(
    call: ToolCall<Caller>,
    named: Readonly<Record<string, string>>,
  ): string | Uint8Array | Promise<string | Uint8Array>;
}

/** What people may start from, about today or the day they name. */
export interface DayPrompt {
  name: string;
  title: string;
  description: string;
  text(day: Day | undefined): string;
}

/** A server as it is written down. */
export interface ServerDefinition<Caller> {
  info: Implementation;
  instructions: string;
  /** The revisions it speaks; the newest of an era is the default. */
  versions: Readonly<Record<Era, string[]>>;
  /** How long what it lists may be kept. */
  lists: Kept;
  /** The same for what is read of it. */
  reads: Kept;
  tools: readonly Tool<Caller>[];
  resources: readonly Resource<Caller>[];
  /** What can be listened to, in the revision that has streams for it. */
  listens?: Listening<Caller>;
  prompt?: DayPrompt;
  /** What callers may do, where tools and resources ask for scopes. */
  access?: Access<Caller>;
  /** Counts what is asked besides calls of tools; absent where nothing does. */
  counts?: CountWork<Caller>;
}

/** A server for each request, and the calls that need none. */
export function mcpServing<Caller extends AnyCaller>(
  definition: ServerDefinition<Caller>,
  services: ProblemServices,
): McpServing<Caller> {
  const { info, versions, resources, prompt, access } = definition;
  const { listens, counts } = definition;
  const tools = toolSet(definition.tools, {
    ...services,
    ...access && { access },
  });
  return {
    build(served) {
      const { method, name, caller } = served;
      const server = new McpServer(info, optionsOf(definition, served.era));
      // A name of ours, never one that a caller made up.
      const tool = tools.tools.find((each) => each.name === name);
      if (method === "tools/call" && tool) noteTool(tool, caller);
      tools.register(server, served);
      if (method?.startsWith("resources/") ?? true) {
        for (const resource of resources) {
          registerResource(server, services, served, access, resource);
        }
      }
      if (prompt && (method?.startsWith("prompts/") ?? true)) {
        registerPrompt(server, prompt);
      }
      return server;
    },
    direct: directCalls({ tools, info, versions, note: noteTool }),
    lists: new DirectLists(versions),
    ...counts && { counts },
    ...listens && { listens },
  };
}

/**
 * Lets the request's log line say which tool was called, as a route says which
 * operation, and none of its arguments.
 */
function noteTool({ name }: { name: string }, { trace }: AnyCaller): void {
  trace.route += `#${name}`;
}

function optionsOf<Caller>(
  definition: ServerDefinition<Caller>,
  era: Era,
): ServerOptions {
  const { instructions, versions, lists, reads, prompt, listens } = definition;
  const isListened = listens !== undefined && era === "modern";
  return {
    instructions,
    supportedProtocolVersions: versions[era],
    capabilities: {
      tools: { listChanged: false },
      resources: {
        listChanged: false,
        ...isListened && { subscribe: true },
      },
      ...prompt && { prompts: { listChanged: false } },
    },
    cacheHints: {
      "server/discover": lists,
      "tools/list": lists,
      ...prompt && { "prompts/list": lists },
      "resources/list": lists,
      "resources/templates/list": lists,
      "resources/read": reads,
    },
  };
}

/** Reading without the scope is answered as calling such a tool is. */
function registerResource<Caller>(
  server: McpServer,
  services: ProblemServices,
  served: Served<Caller>,
  access: Access<Caller> | undefined,
  { name, uri, told, scope, read }: Resource<Caller>,
): void {
  const { caller, requestId } = served;
  const taken = scope === null ? [] : [scope];
  const listed = {
    ...told,
    ...access && scopeChallenge(access, services.settings, served, () => taken),
  };
  const reading = async (
    { href }: URL,
    signal: AbortSignal,
    variables: Readonly<Record<string, string | string[]>> = {},
  ): Promise<ReadResourceResult> => {
    const asked = { uri: href, requestId, signal };
    const call = { caller, requestId, signal };
    const content = await guardedRead(services, asked, () => {
      requireScopes(access?.scopesOf(caller) ?? [], taken);
      return read(call, namedIn(variables));
    });
    const { mimeType } = told;
    const held = typeof content === "string"
      ? { text: content }
      : { blob: content.toBase64() };
    return { contents: [{ uri: href, mimeType, ...held }] };
  };
  if (uri.includes("{")) {
    const template = new ResourceTemplate(uri, { list: undefined });
    server.registerResource(
      name,
      template,
      listed,
      (url, variables, { mcpReq }) => reading(url, mcpReq.signal, variables),
    );
  } else {
    server.registerResource(
      name,
      uri,
      listed,
      (url, { mcpReq }) => reading(url, mcpReq.signal),
    );
  }
}

/** What an address names, each once and as it was before it was escaped. */
function namedIn(
  variables: Readonly<Record<string, string | string[]>>,
): Record<string, string> {
  const named = Object.entries(variables)
    .map(([name, value]) => [name, unescaped(String(value))]);
  return Object.fromEntries(named);
}

/** A text that is no escaped one is what it says, which nothing is called. */
function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function registerPrompt(
  server: McpServer,
  { name, title, description, text }: DayPrompt,
): void {
  const argsSchema = z.strictObject({ day: dayArgument.optional() });
  server.registerPrompt(
    name,
    { title, description, argsSchema },
    ({ day }): GetPromptResult => {
      const content = { type: "text", text: text(day) } as const;
      return { messages: [{ role: "user", content }] };
    },
  );
}
