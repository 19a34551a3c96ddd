/**
 * What is asked of `/ask`, read from a query or a body.
 *
 * @module
 */
import { z } from "zod";
import type { Json } from "../../../domain/idempotency/canonical_json.ts";
import { ASK_QUERY_MAX } from "../../../domain/limits.ts";
import { judgedText } from "../../http/bounded_text.ts";
import { everyIssue } from "../../http/every_issue.ts";
import { bool, parseQuery, refuseInput } from "../../http/query.ts";

/** A question that may be answered. */
export interface AskRequest {
  /** What is looked for, as it was sent. */
  query: string;
  /** Whether the answer is to be a stream of events. */
  streaming: boolean;
}

/** How every sentence of a refusal begins. */
export const ASK_ACTION = "Cannot search";
/** The only response format there is (contract §5.1). */
export const ASK_FORMAT = "conversational_search";

const listMode = z.literal("list", 'must be "list", the only mode there is')
  .optional();

const queryText = judgedText(ASK_QUERY_MAX);

const fromQuery = z.object({
  query: queryText,
  mode: listMode,
  streaming: bool.default(false),
});

const anObject = z.record(z.string(), z.unknown(), "must be an object");

const bodyParts = z.looseObject({ prefer: anObject.default({}) }, {
  error: "the body must be a JSON object",
});

const fromBody = z.object({
  query: z.union(
    [
      queryText,
      z.object({ text: queryText }).transform(({ text }) => text),
    ],
    "must be a string, or an object whose member text is one",
  ),
  mode: listMode,
  streaming: z.boolean("must be true or false").default(false),
  response_format: z.literal(
    ASK_FORMAT,
    `must be "${ASK_FORMAT}", the only format there is`,
  ).optional(),
});

/**
 * Reads the query of `GET /ask` (contract §5.1).
 *
 * @throws {Refused} `invalid_input`
 */
export function parseAskQuery(text: string): AskRequest {
  const { query, streaming } = parseQuery(fromQuery, text, ASK_ACTION);
  return { query: checked(query), streaming };
}

/**
 * Reads the body of `POST /ask`. What `prefer` says wins over the legacy
 * members (contract §5.1), so a legacy value that is overridden is not looked
 * at. Unknown members are ignored.
 *
 * @throws {Refused} `invalid_input`
 */
export function parseAskBody(body: Json): AskRequest {
  const { query, mode, streaming, prefer } = read(bodyParts, body);
  const asked = read(fromBody, {
    query,
    mode,
    streaming,
    ...preferred(prefer),
  });
  return { query: checked(asked.query), streaming: asked.streaming };
}

/** What of `prefer` is known; what it leaves out overrides nothing. */
function preferred(prefer: Readonly<Record<string, unknown>>) {
  return Object.fromEntries(
    ["mode", "streaming", "response_format"]
      .filter((name) => Object.hasOwn(prefer, name))
      .map((name) => [name, prefer[name]]),
  );
}

function read<Output>(schema: z.ZodType<Output>, value: unknown): Output {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const said = everyIssue(
    parsed.error.issues,
    ({ path: [name], message }) =>
      name === undefined ? message : `${String(name)} ${message}`,
  );
  refuseInput(`${ASK_ACTION}: ${said}`);
}

/** The question, if it is within its bounds (contract §5.1). */
function checked(query: string): string {
  if (/\S/.test(query) && isAtMost(query, ASK_QUERY_MAX)) return query;
  refuseInput(
    `${ASK_ACTION}: query must have 1 to ${ASK_QUERY_MAX} characters, ` +
      "one of them at least no whitespace",
  );
}

/** Characters are code points, as in JSON Schema; each takes one unit or two. */
function isAtMost(text: string, max: number): boolean {
  if (text.length <= max) return true;
  return text.length <= 2 * max && [...text].length <= max;
}
