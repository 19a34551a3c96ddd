/**
 * Every text and list that a schema takes from outside has a largest size, in
 * the code and in what is published.
 *
 * @module
 */
import { assert, assertEquals } from "@std/assert";
import { ownModules, ROOT } from "../tools/own_modules.ts";
import { askedEverywhere } from "./support/asked_everywhere.ts";
import { runService } from "./support/running_service.ts";
import { unboundedIn } from "./support/schema_bounds.ts";

/** Modules that say what a bound is, or what answers look like. */
const ANSWERS: ReadonlySet<string> = new Set([
  "routes/shapes/records.ts",
  "routes/shapes/error_schemas.ts",
  "routes/http/bounded_text.ts",
  "routes/mcp/invalid_params.ts",
  "routes/mcp/or_problem.ts",
  "routes/shapes/public_outputs.ts",
]);

/** Constants that are parts of answers, beside others that are asked for. */
const ANSWER_PARTS: Readonly<Record<string, readonly string[]>> = {
  "routes/shapes/schemas.ts": [
    "SCHEMAS",
    "askStream",
    "checkoutSession",
    "metrics",
    "sandboxJob",
    "url",
  ],
  "routes/docs_mcp/docs_tools.ts": ["passage", "publicProblem"],
};

Deno.test("every text and list that a schema takes has a largest size", async () => {
  const found: string[] = [];
  for (const path of await ownModules()) {
    if (!/^(adapters\/webauthn|routes)\//.test(path) || ANSWERS.has(path)) {
      continue;
    }
    const source = await Deno.readTextFile(ROOT + path);
    const parts = ANSWER_PARTS[path] ?? [];
    for (const { within, written } of unboundedIn(path, source)) {
      if (!parts.includes(within)) found.push(`${path} ${within}: ${written}`);
    }
  }
  assertEquals(found, []);
});

Deno.test("a schema without a largest size is found", () => {
  const source = `const a = z.strictObject({ b: z.string().min(1) });
const c = z.array(z.string().max(3));
const d = z.array(z.url().max(3)).length(2);
const e = defineTool({ output: orProblem(z.string()) });
const f = z.record(z.string(), z.unknown());
const g = judgedText(4);
`;
  assertEquals(unboundedIn("routes/bad.ts", source), [
    { within: "a", written: "z.string()" },
    { within: "c", written: "z.array(z.string().max(3))" },
  ]);
});

type Schema = Record<string, unknown>;

/** The places of texts and lists without a largest size in a JSON Schema. */
function unsized(
  schema: unknown,
  place: string,
  definitions: Schema = {},
  seen: readonly string[] = [],
): string[] {
  if (typeof schema !== "object" || schema === null) return [];
  const { $ref, ...rest } = schema as Schema;
  if (typeof $ref === "string") {
    const name = $ref.split("/").at(-1) ?? "";
    if (seen.includes(name)) return [];
    return unsized(definitions[name], place, definitions, [...seen, name]);
  }
  const isText = rest["type"] === "string" && !("enum" in rest) &&
    !("const" in rest);
  const bad = isText && !("maxLength" in rest) ||
    rest["type"] === "array" && !("maxItems" in rest);
  const inner = Object.entries(rest).flatMap(([name, part]) =>
    unsized(part, `${place}.${name}`, definitions, seen)
  );
  return bad ? [place, ...inner] : inner;
}

Deno.test("every tool's published input has a largest size for each text and list", async () => {
  await using everywhere = await askedEverywhere();
  const tools = await everywhere.tools();
  assert(tools.length > 30, `${tools.length} tools`);
  const found = tools.flatMap(({ name, inputSchema }) =>
    unsized(inputSchema, name)
  );
  assertEquals(found, []);
});

Deno.test("every operation of the published document has a largest size for each text and list it takes", async () => {
  await using running = await runService();
  const { baseUrl } = running.config.settings;
  const document = await (await fetch(`${baseUrl}/openapi.json`)).json();
  const definitions = document.components.schemas;
  let operations = 0;
  const found: string[] = [];
  for (const [path, methods] of Object.entries<Schema>(document.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      if (method === "parameters") {
        // deno-lint-ignore no-explicit-any -- as below
        for (const each of operation as any) {
          found.push(...unsized(each.schema, `${path} ${each.name}`));
        }
        continue;
      }
      // deno-lint-ignore no-explicit-any -- a document of somebody's own shape
      const { parameters = [], requestBody } = operation as any;
      const name = `${method} ${path}`;
      for (const each of parameters) {
        found.push(
          ...unsized(each.schema, `${name} ${each.name}`, definitions),
        );
      }
      // deno-lint-ignore no-explicit-any -- as above
      for (const { schema } of Object.values<any>(requestBody?.content ?? {})) {
        found.push(...unsized(schema, name, definitions));
        operations++;
      }
    }
  }
  assert(operations > 5, `${operations} operations take a body`);
  assertEquals(found, []);
});
