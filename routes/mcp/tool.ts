/**
 * How a tool is declared, and what is checked of all tools when the service
 * starts.
 *
 * @module
 */
import type { McpServer, ServerContext } from "@modelcontextprotocol/server";
import type { z } from "zod";
import { invariant } from "../../domain/invariant.ts";
import { type CallServices, guardedCall, type ToolResult } from "./call.ts";
import { preparedSchema } from "./prepared_schema.ts";
import {
  type Access,
  requireScopes,
  scopeChallenge,
} from "./scope_challenge.ts";
import type { ScopesTaken, Served, Tool, ToolCall } from "./types.ts";

/** A tool as it is written down. */
export interface ToolDefinition<
  Caller,
  Input extends z.ZodObject,
  Output extends z.ZodType,
> extends Omit<Tool<Caller>, "input" | "output" | "handle"> {
  /** Strict, so that a misspelt argument is no silent default. */
  input: Input;
  /** What `structuredContent` holds. */
  output: Output;
  /**
   * Calls one verb. A refusal or temporary failure that it throws is told as
   * the surface's problem object, anything else as "Internal error.".
   */
  handle(
    input: z.output<Input>,
    call: ToolCall<Caller>,
  ): z.input<Output> | Promise<z.input<Output>>;
}

/** The tools of a server, ready to be put into one that answers a request. */
export interface ToolSet<Caller> {
  readonly tools: readonly Tool<Caller>[];
  /** Registers what the request needs: what it calls, or all that it lists. */
  register(server: McpServer, served: Served<Caller>): void;
  /** Calls one of them, with input that its schema has parsed. Never rejects. */
  call(
    tool: Tool<Caller>,
    input: unknown,
    call: ToolCall<Caller>,
  ): Promise<ToolResult>;
}

/** Declares a tool. Its schemas are prepared once, for all requests. */
export function defineTool<
  Caller,
  Input extends z.ZodObject,
  Output extends z.ZodType,
>(definition: ToolDefinition<Caller, Input, Output>): Tool<Caller> {
  const { input, output, handle, ...told } = definition;
  return {
    ...told,
    input: preparedSchema(input, "input"),
    output: preparedSchema(output, "output"),
    handle: (given, call) => handle(given as z.output<Input>, call),
  };
}

/** What the tools of a server share. */
export interface ToolSetOptions<Caller> extends CallServices {
  /** What callers may do, where tools ask for scopes. */
  access?: Access<Caller>;
}

/**
 * Joins the tools of a server.
 *
 * @throws when a tool contradicts itself, which stops the start
 */
export function toolSet<Caller>(
  tools: readonly Tool<Caller>[],
  options: ToolSetOptions<Caller>,
): ToolSet<Caller> {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  invariant(byName.size === tools.length, "every tool has a name of its own");
  for (const tool of tools) checkTool(tool);
  const { access, settings } = options;
  invariant(
    access !== undefined || tools.every(({ scope }) => !scope),
    "tools with scopes ask callers for theirs",
  );

  // All are listed, whatever the token holds: a model calls what it is shown.
  function wantedBy({ method, name }: Served<Caller>): readonly Tool<Caller>[] {
    if (method === "tools/call") {
      const tool = byName.get(name ?? "");
      return tool === undefined ? [] : [tool];
    }
    return method === null || method === "tools/list" ? tools : [];
  }

  function call(
    tool: Tool<Caller>,
    input: unknown,
    asked: ToolCall<Caller>,
  ): Promise<ToolResult> {
    const handle: typeof tool.handle = (given, made) => {
      const held = access?.scopesOf(made.caller) ?? [];
      requireScopes(held, takenBy(tool)(given));
      return tool.handle(given, made);
    };
    return guardedCall(options, { ...tool, handle }, input, asked);
  }

  return {
    tools,
    call,
    register(server, served) {
      for (const tool of wantedBy(served)) {
        const { title, description, annotations, input, output } = tool;
        server.registerTool(
          tool.name,
          {
            title,
            description,
            annotations: { ...annotations },
            inputSchema: input,
            outputSchema: output,
            ...access && tool.scope &&
              scopeChallenge(access, settings, served, takenBy(tool)),
          },
          (given: unknown, context: ServerContext): Promise<ToolResult> =>
            call(tool, given, {
              caller: served.caller,
              requestId: served.requestId,
              signal: context.mcpReq.signal,
            }),
        );
      }
    },
  };
}

function takenBy<Caller>({ scope }: Tool<Caller>): ScopesTaken {
  if (typeof scope === "function") return scope;
  return () => scope === null ? [] : [scope];
}

function checkTool<Caller>(tool: Tool<Caller>): void {
  const { name, scope, annotations, input, isPractice = false } = tool;
  const { readOnlyHint, destructiveHint } = annotations;
  invariant(/^[A-Za-z0-9_.-]{1,128}$/.test(name), `${name} is a tool's name`);
  // A reading tool may ask for a writing scope, as what shows an export does.
  const mayWrite = typeof scope === "string" && scope.endsWith(":write");
  invariant(
    readOnlyHint || mayWrite || isPractice,
    `${name} writes without a writing scope`,
  );
  invariant(!(readOnlyHint && destructiveHint), `${name} destroys by reading`);
  invariant(
    input.json["additionalProperties"] === false,
    `${name} takes no other properties`,
  );
}
