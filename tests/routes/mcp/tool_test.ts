import { assertEquals, assertThrows } from "@std/assert";
import { z } from "zod";
import type { Scope } from "../../../domain/oauth/grant.ts";
import { preparedSchema } from "../../../routes/mcp/prepared_schema.ts";
import { spotlightRecord } from "../../../routes/shapes/public_outputs.ts";
import { defineTool, toolSet } from "../../../routes/mcp/tool.ts";
import type { Effects } from "../../../routes/mcp/effects.ts";
import type { Tool } from "../../../routes/mcp/types.ts";
import { PUBLIC_ANSWERS } from "../../../routes/errors/public_answers.ts";
import { MemoryLog } from "../../support/captured_logs.ts";
import { READS } from "../../support/mcp_tools.ts";
import { TEST_SETTINGS } from "../../support/site_app.ts";

const WRITES: Effects = { ...READS, readOnlyHint: false };

/** A tool that differs from a sound one. */
function toolOf(
  { name = "act", scope = null, annotations = READS, input }: {
    name?: string;
    scope?: Scope | null;
    annotations?: Effects;
    input?: z.ZodObject;
  },
): Tool<null> {
  return defineTool({
    name,
    title: "Act",
    description: "Does something.",
    annotations,
    scope,
    input: input ?? z.strictObject({}),
    output: z.strictObject({}),
    handle: () => ({}),
  });
}

/** Joins tools as the start of the service does. */
function join(...tools: Tool<null>[]) {
  const log = new MemoryLog();
  const answers = PUBLIC_ANSWERS;
  const options = { settings: TEST_SETTINGS, log, answers };
  const access = {
    scopesOf: () => [],
    refreshedLately: () => Promise.resolve(false),
  };
  return toolSet(tools, { ...options, access });
}

const SOUND: [string, Parameters<typeof toolOf>[0]][] = [
  ["a reading tool for anybody", {}],
  ["a reading tool with a reading scope", { scope: "bids:read" }],
  ["a reading tool with a writing scope", { scope: "privacy:write" }],
  ["a writing tool with a writing scope", {
    scope: "bids:write",
    annotations: { ...WRITES, destructiveHint: true },
  }],
];
for (const [what, parts] of SOUND) {
  Deno.test(`${what} starts`, () => {
    assertEquals(join(toolOf(parts)).tools.length, 1);
  });
}

const CONTRADICTIONS: [string, Parameters<typeof toolOf>[0]][] = [
  ["a writing tool for anybody", { annotations: WRITES }],
  ["a writing tool with a reading scope", {
    scope: "bids:read",
    annotations: WRITES,
  }],
  ["a tool that destroys by reading", {
    annotations: { ...READS, destructiveHint: true },
  }],
  ["a tool that takes anything", { input: z.object({}) }],
  ["a tool with a blank in its name", { name: "place bid" }],
];
for (const [what, parts] of CONTRADICTIONS) {
  Deno.test(`${what} stops the start`, () => {
    assertThrows(() => join(toolOf(parts)));
  });
}

Deno.test("a tool with a scope stops the start where nobody's scopes are known", () => {
  const parts = { settings: TEST_SETTINGS, answers: PUBLIC_ANSWERS };
  const options = { ...parts, log: new MemoryLog() };
  assertThrows(() => toolSet([toolOf({ scope: "bids:read" })], options));
});

Deno.test("two tools of one name stop the start", () => {
  assertThrows(() => join(toolOf({}), toolOf({})));
});

Deno.test("nothing can change a schema that all requests share", () => {
  const { json } = toolOf({}).input;
  assertThrows(() => {
    Object.assign(json, { additionalProperties: true });
  });
});

Deno.test("what a tool says it answers may get new members, a Spotlight may not", () => {
  const shape = z.strictObject({
    data: spotlightRecord,
    more: z.strictObject({}),
  });
  // deno-lint-ignore no-explicit-any -- a schema of any depth
  const { json }: { json: any } = preparedSchema(shape, "output");
  const { data, more } = json.properties;
  const closed = [json, data, more].map((each) => each.additionalProperties);
  assertEquals(closed, [undefined, false, undefined]);
  assertEquals(
    preparedSchema(shape, "input").json["additionalProperties"],
    false,
  );
});
