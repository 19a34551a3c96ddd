/**
 * What `/ask` takes and what it refuses, a row an edge.
 *
 * @module
 */
import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { type AskSite, openAskSite } from "../../../support/ask_site.ts";
import { parseEventStream } from "../../../support/event_stream.ts";

const NBSP = "\u00a0";
const ZERO_WIDTH = "\u200b";
const LONGEST = "x".repeat(500);
const TOO_LONG = "x".repeat(501);
const QUERY = "query must have 1 to 500 characters, " +
  "one of them at least no whitespace";
const TYPE = "query must be a string, or an object whose member text is one";
const MODE = 'mode must be "list", the only mode there is';
const STREAMING = "streaming must be true or false";
const FORMAT = 'response_format must be "conversational_search", ' +
  "the only format there is";
const OBJECT = "the body must be a JSON object";
const PREFER = "prefer must be an object";

/** How an answer came: as JSON, as a stream, or why it was refused. */
type Outcome = "json" | "stream" | `Cannot search: ${string}`;

async function outcomeOf(answer: Response): Promise<Outcome> {
  const type = answer.headers.get("content-type");
  const text = await answer.text();
  if (answer.status === 200) {
    return type === "text/event-stream" ? "stream" : "json";
  }
  assertEquals(answer.status, 400);
  assertEquals(type, "application/json");
  const { _meta: meta, error } = JSON.parse(text);
  assertEquals(meta, { version: "0.55", response_type: "failure" });
  assertEquals(error.code, 400);
  return error.message;
}

function refused(why: string): Outcome {
  return `Cannot search: ${why}`;
}

/** A body as JSON text, or as it is, and what it comes to. */
const BODIES: readonly [name: string, body: unknown, outcome: Outcome][] = [
  ["no query", {}, refused(TYPE)],
  ["an empty query", { query: "" }, refused(QUERY)],
  ["a query of spaces", { query: " \t\n" }, refused(QUERY)],
  ["a query of no-break spaces", { query: NBSP.repeat(3) }, refused(QUERY)],
  ["a query of a zero-width space", { query: ZERO_WIDTH }, "json"],
  ["a query of 500 characters", { query: LONGEST }, "json"],
  ["a query of 501 characters", { query: TOO_LONG }, refused(QUERY)],
  ["a query of 500 emoji", { query: "🔦".repeat(500) }, "json"],
  ["a query of 501 emoji", { query: "🔦".repeat(501) }, refused(QUERY)],
  ["__proto__ as the query", { query: "__proto__" }, "json"],
  [
    "__proto__ as a member",
    '{"__proto__":{"query":"a"},"query":"b","prefer":{"__proto__":{"mode":1}}}',
    "json",
  ],
  ["__proto__ alone", '{"__proto__":{"query":"a"}}', refused(TYPE)],
  ["a lone surrogate", '{"query":"\\ud83d"}', "json"],
  ["an object {text}", { query: { text: "a" } }, "json"],
  ["{text} of 501 characters", { query: { text: TOO_LONG } }, refused(QUERY)],
  ["{text} of spaces", { query: { text: "  " } }, refused(QUERY)],
  ["{text} without text", { query: {} }, refused(TYPE)],
  ["{text: 1}", { query: { text: 1 } }, refused(TYPE)],
  ["query: null", { query: null }, refused(TYPE)],
  ["query: []", { query: [] }, refused(TYPE)],
  ["query: 1", { query: 1 }, refused(TYPE)],
  ["no JSON", "query=a", refused("the body must be JSON in UTF-8")],
  ["nothing", "", refused("the body must be JSON in UTF-8")],
  ["an array", [{ query: "a" }], refused(OBJECT)],
  ["null", "null", refused(OBJECT)],
  ["a string", '"a"', refused(OBJECT)],
  ["a number", "1", refused(OBJECT)],
  ["prefer: null", { query: "a", prefer: null }, refused(PREFER)],
  ["prefer: []", { query: "a", prefer: [] }, refused(PREFER)],
  ["prefer: {}", { query: "a", prefer: {} }, "json"],
  [
    'streaming: "true"',
    { query: "a", streaming: "true" },
    refused(STREAMING),
  ],
  ["streaming: null", { query: "a", streaming: null }, refused(STREAMING)],
  [
    "prefer.streaming: 1",
    { query: "a", prefer: { streaming: 1 } },
    refused(STREAMING),
  ],
  ["legacy streaming", { query: "a", streaming: true }, "stream"],
  [
    "legacy streaming with an empty prefer",
    { query: "a", streaming: true, prefer: {} },
    "stream",
  ],
  [
    "prefer.streaming: false over streaming: true",
    { query: "a", streaming: true, prefer: { streaming: false } },
    "json",
  ],
  [
    "prefer.streaming: true over streaming: false",
    { query: "a", streaming: false, prefer: { streaming: true } },
    "stream",
  ],
  [
    "prefer.streaming over a bad legacy value",
    { query: "a", streaming: "no", prefer: { streaming: true } },
    "stream",
  ],
  ["mode: summarize", { query: "a", mode: "summarize" }, refused(MODE)],
  ["mode: null", { query: "a", mode: null }, refused(MODE)],
  [
    "prefer.mode: list over mode: summarize",
    { query: "a", mode: "summarize", prefer: { mode: "list" } },
    "json",
  ],
  [
    "prefer.mode: generate over mode: list",
    { query: "a", mode: "list", prefer: { mode: "generate" } },
    refused(MODE),
  ],
  [
    "prefer.mode: null",
    { query: "a", mode: "list", prefer: { mode: null } },
    refused(MODE),
  ],
  [
    "another response_format",
    { query: "a", prefer: { response_format: "chatgpt_app" } },
    refused(FORMAT),
  ],
  [
    "a list of formats",
    { query: "a", prefer: { response_format: ["conversational_search"] } },
    refused(FORMAT),
  ],
  [
    "a top-level response_format, which is no member",
    { query: "a", response_format: "chatgpt_app" },
    "json",
  ],
  [
    "unknown members everywhere",
    {
      query: { text: "a", site: "x", price: { max: 3 } },
      prefer: { accept: "*" },
      context: { prev: ["b"] },
      meta: null,
    },
    "json",
  ],
];

for (const [name, body, outcome] of BODIES) {
  Deno.test(`POST /ask with ${name} is ${outcome.slice(0, 40)}`, async () => {
    await using site = await openAskSite();
    assertEquals(await outcomeOf(await site.post(body)), outcome);
  });
}

const ENCODED = encodeURIComponent;

/** A query of an address and what it comes to. */
const QUERIES: readonly [query: string, outcome: Outcome][] = [
  ["", refused("query must be given")],
  ["query=", refused(QUERY)],
  ["query=+%20%09", refused(QUERY)],
  [`query=${ENCODED(NBSP)}`, refused(QUERY)],
  [`query=${ENCODED(ZERO_WIDTH)}`, "json"],
  [`query=${LONGEST}`, "json"],
  [`query=${TOO_LONG}`, refused(QUERY)],
  [`query=${ENCODED("🔦".repeat(500))}`, "json"],
  [`query=${ENCODED("🔦".repeat(501))}`, refused(QUERY)],
  ["query=%ff%fe", "json"],
  ["query=a&query=b", refused("query must be given once")],
  ["query=a&mode=list", "json"],
  ["query=a&mode=summarize", refused(`${MODE}, current value is "summarize"`)],
  ["query=a&mode=", refused(`${MODE}, current value is ""`)],
  ["query=a&mode=list&mode=list", refused("mode must be given once")],
  ["query=a&streaming=true", "stream"],
  ["query=a&streaming=false", "json"],
  ["query=a&streaming=1", refused(`${STREAMING}, current value is "1"`)],
  ["query=a&streaming=TRUE", refused(`${STREAMING}, current value is "TRUE"`)],
  ["query=a&streaming=", refused(`${STREAMING}, current value is ""`)],
  [
    "query=a&streaming=true&streaming=true",
    refused("streaming must be given once"),
  ],
  ["query=a&site=x&limit=3&site=y", "json"],
  ["query=a&__proto__=b", "json"],
];

for (const [query, outcome] of QUERIES) {
  Deno.test(`GET /ask?${query.slice(0, 40)}, ${query.length} long, is ${outcome.slice(0, 40)}`, async () => {
    await using site = await openAskSite();
    assertEquals(await outcomeOf(await site.ask(`/ask?${query}`)), outcome);
  });
}

Deno.test("POST /ask takes JSON as application/json and nothing else", async () => {
  await using site = await openAskSite();
  const types: readonly [string, number][] = [
    ["application/json", 200],
    ["Application/JSON; charset=utf-8", 200],
    ["text/plain", 400],
    ["application/json-seq", 400],
    ["application/x-www-form-urlencoded", 400],
  ];
  for (const [type, status] of types) {
    const headers = { "content-type": type };
    const answer = await site.post({ query: "a" }, { headers });
    assertEquals(answer.status, status, type);
    await answer.body?.cancel();
  }
});

Deno.test("POST /ask is 400 for a body that is no UTF-8", async () => {
  await using site = await openAskSite();
  const body = new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x7d]);
  const headers = { "content-type": "application/json" };
  const answer = await site.ask("/ask", { method: "POST", headers, body });
  assertEquals(
    await outcomeOf(answer),
    refused("the body must be JSON in UTF-8"),
  );
});

/** Bodies that are near to what is taken, and any others. */
const anyBody = fc.oneof(
  fc.jsonValue(),
  fc.record({
    query: fc.oneof(
      fc.string({ unit: "binary", maxLength: 600 }),
      fc.record({ text: fc.string({ unit: "binary" }) }),
      fc.jsonValue(),
    ),
    prefer: fc.oneof(
      fc.record({
        mode: fc.oneof(fc.constant("list"), fc.jsonValue()),
        streaming: fc.oneof(fc.boolean(), fc.jsonValue()),
        response_format: fc.oneof(
          fc.constant("conversational_search"),
          fc.jsonValue(),
        ),
      }, { requiredKeys: [] }),
      fc.jsonValue(),
    ),
    mode: fc.oneof(fc.constant("list"), fc.jsonValue()),
    streaming: fc.oneof(fc.boolean(), fc.jsonValue()),
  }, { requiredKeys: ["query"] }),
);

/** Asks in the name of so many clients that no bucket is ever empty. */
function fromAnyone(site: AskSite, body: unknown, nth: number) {
  const from = `192.0.${nth >> 8 & 255}.${nth & 255}`;
  return site.post(body, { from });
}

Deno.test("POST /ask answers any JSON with 200, 400 or 413", async () => {
  await using site = await openAskSite();
  const statuses = new Set<number>();
  let nth = 0;
  await fc.assert(
    fc.asyncProperty(anyBody, async (body) => {
      const answer = await fromAnyone(site, body, nth++);
      statuses.add(answer.status);
      const text = await answer.text();
      assert([200, 400, 413].includes(answer.status), text);
      if (answer.headers.get("content-type") !== "text/event-stream") {
        return void JSON.parse(text);
      }
      const names = parseEventStream(text).map(({ event }) => event);
      assertEquals(names, ["start", "result", "complete"]);
    }),
    { numRuns: 1_000 },
  );
  assert(statuses.has(200) && statuses.has(400));
  assertEquals(site.log.lines, []);
});
