import type { RequestTrace } from "../context.ts";
import type { Served } from "./types.ts";
import type { ToolSet } from "./tool.ts";

/**
 * Lets the request's log line say which tool was called, as a route says which
 * operation: a name of ours, never one that a caller made up, and no argument.
 */
export function noteTool<Caller>(
  { tools }: ToolSet<Caller>,
  { method, name }: Served<Caller>,
  trace: RequestTrace,
): void {
  if (method !== "tools/call") return;
  const tool = tools.find((each) => each.name === name);
  if (tool !== undefined) noteToolName(tool.name, trace);
}

/** The same for a tool that is known already. */
export function noteToolName(name: string, trace: RequestTrace): void {
  trace.route += `#${name}`;
}
