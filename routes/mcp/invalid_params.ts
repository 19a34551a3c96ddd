/**
 * What the library says of a request whose params have another shape. It
 * answers them as if it had failed itself (-32603), with the list that its
 * schemas made; clients are to be told that it is their request, and where.
 *
 * @module
 */
import {
  isJsonContentType,
  ProtocolErrorCode,
} from "@modelcontextprotocol/server";
import { z } from "zod";
import { respond } from "../http/respond.ts";

/** A fault of the library's own kind, before anybody looks closer. */
const failed = z.looseObject({
  error: z.looseObject({
    code: z.literal(ProtocolErrorCode.InternalError),
    message: z.string(),
  }),
});

const issues = z.array(z.looseObject({
  path: z.array(z.union([z.string(), z.number()])),
  message: z.string(),
})).min(1);

/** Issues that are told; who mends these is told the rest. */
const TOLD_MAX = 3;
/** Longest list of issues that is read to tell these few. */
const LIST_MAX = 16_384;
const LIST_BEGIN = /^\[\s*\{/;
const TOO_MANY = "too many have another shape";
/** Longest name of a member that is repeated to who sent it. */
const NAME_MAX = 64;

/**
 * The answer, with -32602 and a sentence where params had another shape.
 *
 * @param told is told the text of an answer in JSON, as it came
 */
export async function withInvalidParams(
  answer: Response,
  told: (text: string) => void = () => {},
): Promise<Response> {
  const { status, headers } = answer;
  if (!isJsonContentType(headers.get("content-type"))) return answer;
  const text = await answer.text();
  told(text);
  const all = Object.fromEntries(headers);
  return respond(retold(text) ?? text, { status, headers: all });
}

/** Null for what stays as it is. */
function retold(text: string): string | null {
  // A look at the text spares parsing what is long and right.
  if (!text.includes(String(ProtocolErrorCode.InternalError))) return null;
  const answer: unknown = JSON.parse(text);
  const found = failed.safeParse(answer);
  if (!found.success) return null;
  const { error, ...rest } = found.data;
  const message = sentenceOf(error.message);
  if (message === null) return null;
  const code = ProtocolErrorCode.InvalidParams;
  return JSON.stringify({ ...rest, error: { ...error, code, message } });
}

function sentenceOf(message: string): string | null {
  if (message.length > LIST_MAX) {
    return LIST_BEGIN.test(message) ? `Invalid params: ${TOO_MANY}` : null;
  }
  const list = listOf(message);
  if (list === null) return null;
  const told = list.slice(0, TOLD_MAX).map(({ path, message }) =>
    `${nameOf(path)}: ${message}`
  );
  return `Invalid params: ${told.join("; ")}`;
}

function listOf(message: string): z.output<typeof issues> | null {
  try {
    return issues.safeParse(JSON.parse(message)).data ?? null;
  } catch {
    return null;
  }
}

function nameOf(path: readonly (string | number)[]): string {
  const named = path[0] === "params" ? path.slice(1) : path;
  return named.join(".").slice(0, NAME_MAX) || "params";
}
