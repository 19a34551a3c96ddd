/**
 * Calls that are answered without a server are answered as one would: two
 * endpoints of the same tools, one of which builds a server for every call, are
 * asked the same and compared byte by byte.
 */
import { assert, assertEquals } from "@std/assert";
import { McpServer } from "@modelcontextprotocol/server";
import fc from "fast-check";
import { z } from "zod";
import { LargeAnswer } from "../../../routes/http/respond.ts";
import { directCalls } from "../../../routes/mcp/direct_calls.ts";
import { type BuildServer, mcpEndpoint } from "../../../routes/mcp/endpoint.ts";
import { orProblem } from "../../../routes/mcp/or_problem.ts";
import { defineTool, toolSet } from "../../../routes/mcp/tool.ts";
import type { Tool } from "../../../routes/mcp/types.ts";
import { PUBLIC_ANSWERS } from "../../../routes/errors/public_answers.ts";
import { bodyOf } from "../../support/bindings.ts";
import { MemoryLog } from "../../support/captured_logs.ts";
import { META, MODERN, modernHeaders } from "../../support/mcp_calls.ts";
import { MISHAPS, READS } from "../../support/mcp_tools.ts";
import { TEST_SETTINGS } from "../../support/site_app.ts";

const INFO = { name: "twins", title: "Twins é", version: "1.0.0" };
const VERSIONS = { modern: [MODERN], legacy: ["2025-11-25", "2025-06-18"] };

/** Answers its text, or goes wrong as it is told to. */
function tool(name: string, further: Partial<Tool<null>> = {}): Tool<null> {
  const declared = defineTool<null, z.ZodObject, z.ZodType>({
    name,
    title: "Echo",
    description: "Says what it is told",
    annotations: READS,
    scope: null,
    input: z.strictObject({
      text: z.string().max(40).default("nothing"),
      count: z.int().min(0).max(3).optional(),
    }),
    output: orProblem(z.strictObject({ text: z.string(), all: z.any() })),
    handle: (given) => {
      const text = String(given["text"]);
      MISHAPS[text]?.();
      return { text, all: [given, null, 1.5e300, -0, [], {}] };
    },
  });
  return { ...declared, ...further };
}

/** What a tool answers again and again. */
const KEPT: Readonly<Record<string, unknown>> = {
  short: Object.freeze({ text: "é", all: [1] }),
  long: Object.freeze({ text: 'é "\n'.repeat(10_000), all: null }),
};

/** What answers as if it had been asked before. */
const repeated: Tool<null>["handle"] = (given, { onReplay }) => {
  MISHAPS[(given as { text: string }).text]?.();
  onReplay?.();
  return { text: "then", all: [] };
};

/** Both endpoints, and how many calls were answered directly. */
function twins() {
  const answers = PUBLIC_ANSWERS;
  const log = new MemoryLog();
  const content = { audience: ["user" as const], priority: 0.5 };
  const set = toolSet(
    [
      tool("echo"),
      tool("copy", { content }),
      tool("keep", { handle: kept }),
      tool("repeat", { handle: repeated }),
    ],
    { settings: TEST_SETTINGS, log, answers },
  );
  const build: BuildServer<null> = ({ era }) => {
    const server = new McpServer(INFO, {
      supportedProtocolVersions: [...VERSIONS[era]],
      capabilities: { tools: { listChanged: false } },
    });
    for (const name of ["echo", "copy", "keep", "repeat"]) {
      const served = { era, method: "tools/call", name } as const;
      set.register(server, { ...served, caller: null, requestId: "req_1" });
    }
    return server;
  };
  const counted = { direct: 0 };
  const direct = directCalls<null>({
    tools: set,
    info: INFO,
    versions: VERSIONS,
    note: () => counted.direct++,
  });
  const { signal } = new AbortController();
  const options = {
    hosts: ["localhost"],
    origins: "any",
    log,
    stopping: signal,
  } as const;
  return {
    counted,
    library: mcpEndpoint<null>({ build }, options),
    ours: mcpEndpoint<null>({ build, direct }, options),
  };
}

function kept(given: unknown): unknown {
  return KEPT[(given as { text: string }).text];
}

type Headers = Readonly<Record<string, string>>;
type Members = Readonly<Record<string, unknown>>;

/** Asks both the same and compares all of their answers. */
async function compare(
  { library, ours }: ReturnType<typeof twins>,
  body: string,
  headers: Headers,
): Promise<void> {
  const ask = async (endpoint: typeof ours) => {
    const answer = await asked(endpoint, body, headers);
    const told = [...answer.headers].toSorted();
    return [answer.status, told, await answer.text()];
  };
  assertEquals(await ask(ours), await ask(library), body);
}

function asked(
  endpoint: ReturnType<typeof twins>["ours"],
  body: string,
  headers: Headers,
): Promise<Response> {
  const init = { method: "POST", body, headers };
  const request = new Request("http://localhost/mcp", init);
  const ask = { caller: null, requestId: "req_1", source: bodyOf(request) };
  return endpoint(request, ask);
}

function headersOf(name: string, changes: Headers = {}): Headers {
  return {
    host: "localhost",
    "content-type": "application/json",
    ...modernHeaders("tools/call", { name }) as Headers,
    ...changes,
  };
}

/** What a client of 2025 sends. */
function legacyHeaders(changes: Headers = {}): Headers {
  return {
    host: "localhost",
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
    "mcp-protocol-version": "2025-06-18",
    ...changes,
  };
}

function callOf(params: unknown, id: unknown = 1): string {
  return JSON.stringify({ jsonrpc: "2.0", id, method: "tools/call", params });
}

const TEXTS = ["", 'é ☃ 😀 \u2028 " \\ </data>', ...Object.keys(MISHAPS)];

for (const name of ["echo", "copy", "repeat"]) {
  Deno.test(`${name} is answered directly and as by the library, going wrong included`, async () => {
    const both = twins();
    for (const text of TEXTS) {
      const params = { name, arguments: { text }, _meta: META };
      await compare(both, callOf(params), headersOf(name));
    }
    assertEquals(both.counted.direct, TEXTS.length);
  });

  for (const version of VERSIONS.legacy) {
    Deno.test(`${name} is answered directly and as by the library, as of ${version}`, async () => {
      const both = twins();
      const headers = legacyHeaders({ "mcp-protocol-version": version });
      for (const text of TEXTS) {
        const params = { name, arguments: { text } };
        await compare(both, callOf(params), headers);
      }
      await compare(both, callOf({ name }, "é\n"), headers);
      assertEquals(both.counted.direct, TEXTS.length + 1);
    });
  }
}

/** A call of what is kept, with an id of its own. */
function callOfKept(text: string, id: unknown): string {
  return callOf({ name: "keep", arguments: { text }, _meta: META }, id);
}

for (const text of Object.keys(KEPT)) {
  Deno.test(`what a tool keeps (${text}) is answered directly and as by the library, each time`, async () => {
    const both = twins();
    for (const id of [1, 2, "é"]) {
      await compare(both, callOfKept(text, id), headersOf("keep"));
    }
    assertEquals(both.counted.direct, 3);
    const params = { name: "keep", arguments: { text } };
    await compare(both, callOf(params), legacyHeaders());
    assertEquals(both.counted.direct, 4);
  });
}

Deno.test("large answers of what a tool keeps share its bytes, and have their end alone", async () => {
  const { ours } = twins();
  const buffers = new Set<ArrayBuffer>();
  for (let id = 0; id < 100; id++) {
    const call = callOfKept("long", id);
    const answer = await asked(ours, call, headersOf("keep"));
    assert(answer instanceof LargeAnswer);
    const pieces = await Array.fromAsync(answer.body ?? []);
    const end = pieces.pop();
    assertEquals(answer.ownBytes, end?.length);
    assert(answer.ownBytes < 300);
    for (const { buffer } of pieces) buffers.add(buffer);
  }
  assertEquals(buffers.size, 1);
});

const ORDINARY: Readonly<Record<string, string>> = {
  "no arguments": callOf({ name: "echo", _meta: META }),
  "a text as id": callOf({ name: "echo", arguments: {}, _meta: META }, "é\n"),
  "a client that says who it is": callOf({
    name: "echo",
    _meta: {
      ...META,
      "io.modelcontextprotocol/clientInfo": { name: "a", version: "1" },
    },
  }),
};
for (const [what, body] of Object.entries(ORDINARY)) {
  Deno.test(`a call with ${what} is answered directly and as by the library`, async () => {
    const both = twins();
    await compare(both, body, headersOf("echo"));
    assertEquals(both.counted.direct, 1);
  });
}

const CAPABLE = {
  ...META,
  "io.modelcontextprotocol/clientCapabilities": { elicitation: {} },
};
const LEFT: Readonly<Record<string, [body: string, changes?: Headers]>> = {
  "an unknown tool": [callOf({ name: "nope", _meta: META }), {
    "mcp-name": "nope",
  }],
  "an argument of another shape": [
    callOf({ name: "echo", arguments: { text: 1 }, _meta: META }),
  ],
  "an unknown argument": [
    callOf({ name: "echo", arguments: { other: 1 }, _meta: META }),
  ],
  "an argument called __proto__": [
    callOf({ name: "echo", _meta: META }).replace(
      '"_meta"',
      '"arguments":{"__proto__":{"text":"x"}},"_meta"',
    ),
  ],
  "capabilities": [callOf({ name: "echo", _meta: CAPABLE })],
  "a token for progress": [
    callOf({ name: "echo", _meta: { ...META, progressToken: 1 } }),
  ],
  "answers to questions": [
    callOf({ name: "echo", _meta: META, inputResponses: {} }),
  ],
  "an id that is no whole number": [
    callOf({ name: "echo", _meta: META }, 1.5),
  ],
  "another name in its header": [callOf({ name: "echo", _meta: META }), {
    "mcp-name": "copy",
  }],
};
for (const [what, [body, changes]] of Object.entries(LEFT)) {
  Deno.test(`a call with ${what} is left to the library`, async () => {
    const both = twins();
    await compare(both, body, headersOf("echo", changes));
    assertEquals(both.counted.direct, 0);
  });
}

const LEFT_OF_2025: Readonly<
  Record<string, [further: Members, changes?: Headers]>
> = {
  "a token for progress": [{ _meta: { progressToken: 1 } }],
  "an empty _meta": [{ _meta: {} }],
  "an argument of another shape": [{ arguments: { text: 1 } }],
  "a revision that nobody speaks": [{}, { "mcp-protocol-version": "2024-1" }],
  "one type that it accepts": [{}, { accept: "application/json" }],
  "anything accepted": [{}, { accept: "*/*" }],
  "a header of the newest revision": [{}, { "mcp-method": "tools/call" }],
};
for (const [what, [further, changes]] of Object.entries(LEFT_OF_2025)) {
  Deno.test(`a call as of 2025 with ${what} is left to the library`, async () => {
    const both = twins();
    const call = callOf({ name: "echo", ...further });
    await compare(both, call, legacyHeaders(changes));
    assertEquals(both.counted.direct, 0);
  });
}

const either = <T>(usual: T, other: fc.Arbitrary<unknown> = fc.jsonValue()) =>
  fc.oneof({ weight: 6, arbitrary: fc.constant(usual) }, {
    weight: 1,
    arbitrary: other,
  });

const given = fc.oneof(
  fc.record({ text: fc.string(), count: fc.integer({ min: -1, max: 4 }) }, {
    requiredKeys: [],
  }),
  fc.jsonValue(),
);

Deno.test("whatever a call as of 2025 looks like, both answer the same bytes", async () => {
  const both = twins();
  const message = fc.record({
    jsonrpc: either("2.0"),
    id: fc.oneof(fc.integer(), fc.string(), fc.jsonValue()),
    method: either("tools/call"),
    params: fc.record({
      name: either("echo", fc.oneof(fc.constant("copy"), fc.jsonValue())),
      arguments: given,
      // JSON.stringify() leaves out what is undefined.
      _meta: either(undefined),
    }),
  });
  const headers = fc.record({
    "mcp-protocol-version": either("2025-06-18", fc.constantFrom(MODERN, "1")),
    accept: either(
      "application/json, text/event-stream",
      fc.constantFrom("text/event-stream, application/json", "text/html"),
    ),
    "mcp-session-id": either("", fc.constant("s")),
    "mcp-name": either("", fc.constant("echo")),
  }).map((all) =>
    Object.fromEntries(Object.entries(all).filter(([, text]) => text !== ""))
  ) as fc.Arbitrary<Headers>;
  await fc.assert(
    fc.asyncProperty(message, headers, async (sent, changes) => {
      await compare(both, JSON.stringify(sent), legacyHeaders(changes));
    }),
    { numRuns: 900 },
  );
  assert(both.counted.direct > 30, `${both.counted.direct} of 900`);
});

Deno.test("whatever a call looks like, both answer the same bytes", async () => {
  const both = twins();
  const meta = fc.record({
    "io.modelcontextprotocol/protocolVersion": either(MODERN),
    "io.modelcontextprotocol/clientCapabilities": either({}),
    "io.modelcontextprotocol/clientInfo": either({ name: "a", version: "1" }),
  }, { requiredKeys: ["io.modelcontextprotocol/protocolVersion"] });
  const message = fc.record({
    jsonrpc: either("2.0"),
    id: fc.oneof(fc.integer(), fc.string(), fc.jsonValue()),
    method: either("tools/call"),
    params: fc.record({
      name: either("echo", fc.oneof(fc.constant("copy"), fc.jsonValue())),
      arguments: given,
      _meta: fc.oneof({ weight: 4, arbitrary: meta }, {
        weight: 1,
        arbitrary: fc.jsonValue(),
      }),
    }, { requiredKeys: ["name", "_meta"] }),
  });
  const name = fc.constantFrom("echo", "echo", "echo", "copy");
  await fc.assert(
    fc.asyncProperty(message, name, async (sent, named) => {
      await compare(both, JSON.stringify(sent), headersOf(named));
    }),
    { numRuns: 1_200 },
  );
  assert(both.counted.direct > 30, `${both.counted.direct} of 1,200`);
});
