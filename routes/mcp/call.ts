/**
 * What stands around every call of a tool: no message that was thrown reaches a
 * client, a call has a longest time and an answer a longest text.
 *
 * @module
 */
import { invariant } from "../../domain/invariant.ts";
import { faultFields } from "../fault.ts";
import { problemOf, type ProblemServices } from "./problem_of.ts";
import type { Tool, ToolCall } from "./types.ts";
import { CALL_MS, within } from "./within.ts";

/** What every call of a server's tools needs. */
export interface CallServices extends ProblemServices {
  /** Longest time of a call. */
  callMs?: number;
}

/**
 * The result of a call: the object, and the same as one text. Frozen where it is
 * the same for all calls of what the tool has frozen.
 */
export interface ToolResult {
  [key: string]: unknown;
  content: [{ type: "text"; text: string }];
  structuredContent?: Record<string, unknown>;
  isError?: true;
  _meta?: Readonly<Record<string, unknown>>;
}

/**
 * The member of a result's `_meta` that stands for `Idempotent-Replayed: true`.
 * Its prefix is the same wherever the service runs, so that clients can rely on
 * it; a host's name could begin with a digit, as no prefix may.
 */
const REPLAYED_META_KEY = "spotlight/idempotent-replayed";

/** Longest text of a result, in UTF-16 units. */
export const RESULT_TEXT_MAX = 1_048_576;

/** Calls a tool. Never rejects. */
export async function guardedCall<Caller>(
  services: CallServices,
  tool: Tool<Caller>,
  input: unknown,
  call: ToolCall<Caller>,
): Promise<ToolResult> {
  let isReplay = false;
  const onReplay = () => {
    isReplay = true;
  };
  try {
    const result = await within(
      services.callMs ?? CALL_MS,
      call.signal,
      (signal) => tool.handle(input, { ...call, signal, onReplay }),
    );
    const told = await resultOf(tool, result);
    return isReplay ? { _meta: { [REPLAYED_META_KEY]: true }, ...told } : told;
  } catch (thrown) {
    return await toldOf(services, tool, call.requestId, thrown);
  }
}

/** By what one tool answers again and again, frozen, such as a page. */
const unchanging = new WeakMap<object, ToolResult>();

async function resultOf<Caller>(
  { name, output, content: hints }: Tool<Caller>,
  result: unknown,
): Promise<ToolResult> {
  const before = unchanging.get(result as object);
  if (before !== undefined) return before;
  // Whatever is not in the schema may be what nobody was to see.
  const checked = await output["~standard"].validate(result);
  if (checked.issues) {
    const where = checked.issues.map(({ path }) => path?.join(".") ?? "");
    throw new Error(`${name} broke its output schema at ${where.join(", ")}`);
  }
  const text = JSON.stringify(result);
  invariant(text.length <= RESULT_TEXT_MAX, `${name} answers bounded texts`);
  const told: ToolResult = {
    content: [{ type: "text", text, ...hints && { annotations: hints } }],
    structuredContent: result as Record<string, unknown>,
  };
  if (!Object.isFrozen(result)) return told;
  unchanging.set(result as object, Object.freeze(told));
  return told;
}

/** A bad day, nothing found, a mandate exceeded: the model can do better. */
async function toldOf<Caller>(
  services: CallServices,
  { name, answers = services.answers }: Tool<Caller>,
  requestId: string,
  thrown: unknown,
): Promise<ToolResult> {
  const { log } = services;
  try {
    const told = { ...services, answers };
    const problem = await problemOf(told, requestId, thrown);
    return {
      content: [{ type: "text", text: JSON.stringify(problem) }],
      structuredContent: problem,
      isError: true,
    };
  } catch (fault) {
    log.error("tool_failed", { tool: name, ...faultFields(requestId, fault) });
    const text = "Internal error.";
    return { content: [{ type: "text", text }], isError: true };
  }
}
