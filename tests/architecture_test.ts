/**
 * Holds the shape of the code: which way imports point, who may touch Deno and
 * the store, and how long files and functions get.
 */
import { assertEquals } from "@std/assert";
import { ownModules, ROOT } from "../tools/own_modules.ts";
import {
  type Area,
  areaOf,
  AREAS,
  forbiddenImports,
  importsIntoHosts,
  importsOutOfService,
  PRODUCTION,
} from "./support/allowed_imports.ts";
import { bodyReadsOf } from "./support/body_reads.ts";
import { arrowOf, circlesOf, importsOf } from "./support/import_graph.ts";
import { factsOf, type ModuleFacts } from "./support/module_facts.ts";
import {
  exportedToNobody,
  usedByTestsAlone,
} from "./support/unused_exports.ts";

const FILE_LINES_MAX = 400;
const FUNCTION_LINES_MAX = 70;

/** What may lie at the top of the house, hidden files apart. */
const TOP = [
  "CHANGELOG.md",
  "CONTRIBUTING.md",
  "README.md",
  "SECURITY.md",
  "adapters",
  "app",
  "clients",
  "config",
  "cron",
  "deno.json",
  "deno.lock",
  "docs",
  "domain",
  "jsr",
  "kv",
  "main.ts",
  "packaging",
  "routes",
  "simulators",
  "tests",
  "tools",
];

const MODULES: readonly ModuleFacts[] = await Promise.all(
  (await ownModules()).map(async (path) =>
    factsOf(path, await Deno.readTextFile(ROOT + path))
  ),
);

const IMPORTS = importsOf(MODULES.filter(({ path }) => PRODUCTION.test(path)));

/** The folder of `domain/` that a module lies in; what lies at its top is one. */
function folderOfDomain(path: string): string | null {
  return /^domain\/(?:\w+\/)?/.exec(path)?.[0] ?? null;
}

/** How high each folder of `domain/` lies in the picture; its top is lowest. */
async function layersOfDomain(): Promise<Map<string, number>> {
  const text = await Deno.readTextFile(`${ROOT}docs/architecture.md`);
  const [, picture] =
    /## The domain\n[^]*?```\n([^]*?)at the top /.exec(text) ??
      [];
  const lines = picture?.replaceAll(/\n +/g, "  ").trimEnd().split("\n") ?? [];
  return new Map(
    lines.toReversed().flatMap((line, at) =>
      line.split(/ {2,}/).slice(1)
        .map((folder): [string, number] => [`domain/${folder}/`, at + 1])
    ),
  ).set("domain/", 0);
}

/**
 * What no production code uses, and why it is there: a table that makes the
 * compiler ask for an answer about each new kind of record.
 */
const UNUSED = ["domain/privacy/families.ts#FAMILY_ANSWERS"];

function uses(
  found: (facts: ModuleFacts) => readonly string[],
  shape: RegExp,
  among: (path: string) => boolean,
): string[] {
  return MODULES.filter(({ path }) => among(path)).flatMap((facts) =>
    found(facts).filter((name) => shape.test(name))
      .map((name) => `${facts.path} uses ${name}`)
  );
}

const isIn = (...areas: Area[]) => (path: string) =>
  areas.includes(areaOf(path));
const isNotIn = (...areas: Area[]) => (path: string) => !isIn(...areas)(path);

Deno.test("the architecture test sees every part of the code", () => {
  const seen = new Set(MODULES.map(({ path }) => areaOf(path)));
  for (const area of ["", ...AREAS]) {
    assertEquals(seen.has(area as Area), true, area);
  }
});

Deno.test("nothing lies at the top but what is listed", async () => {
  const found = await Array.fromAsync(Deno.readDir(ROOT), ({ name }) => name);
  const seen = found.filter((name) => !name.startsWith("."));
  assertEquals(seen.toSorted(), TOP);
});

Deno.test("imports point one way", () => {
  assertEquals(MODULES.flatMap(forbiddenImports), []);
});

Deno.test("the service imports nothing of simulators, tools and tests", () => {
  assertEquals(MODULES.flatMap(importsOutOfService), []);
});

Deno.test("an import that leads out of the service is found", () => {
  const source = `import { z } from "zod";
import type { Demo } from "../tools/demo/demo.ts";
export { start } from "../simulators/vies/simulator.ts";
const late = () => import("../tests/support/late.ts");
const any = (name: string) => import(name);
type Books = import("../simulators/stripe/books.ts").Books;
`;
  assertEquals(importsOutOfService(factsOf("app/bad.ts", source)), [
    "app/bad.ts → tools/demo/demo.ts",
    "app/bad.ts → simulators/vies/simulator.ts",
    "app/bad.ts → tests/support/late.ts",
    "app/bad.ts → ?",
    "app/bad.ts → simulators/stripe/books.ts",
  ]);
  assertEquals(importsOutOfService(factsOf("tools/bad.ts", source)), []);
});

Deno.test("a host's files are imported by itself and by app/ only", () => {
  assertEquals(importsIntoHosts(IMPORTS).map(arrowOf), []);
});

Deno.test("an import of another host's file is found", () => {
  const facts = factsOf(
    "routes/errors/bad.ts",
    `import type { A } from "../site/pages/a.ts";
import { B } from "../http/b.ts";
const c = () => import("../auth/c.ts");
`,
  );
  assertEquals(importsIntoHosts(importsOf([facts])).map(arrowOf), [
    "routes/errors/bad.ts → routes/site/pages/a.ts",
    "routes/errors/bad.ts → routes/auth/c.ts",
  ]);
});

Deno.test("no folders of routes/ need each other in a circle", () => {
  const partOf = (path: string) =>
    path.startsWith("routes/") ? path.slice(0, path.lastIndexOf("/")) : null;
  assertEquals(circlesOf(IMPORTS, { types: false, partOf }), []);
});

Deno.test("no files import each other in a circle, types included", () => {
  // Of tools, simulators and tests as well.
  assertEquals(circlesOf(importsOf(MODULES), { types: true }), []);
});

Deno.test("no folders of domain/ need each other in a circle", () => {
  const options = { types: false, partOf: folderOfDomain };
  assertEquals(circlesOf(IMPORTS, options), []);
});

Deno.test("no import of domain/ points up in the picture of docs/architecture.md", async () => {
  const layers = await layersOfDomain();
  const folders = MODULES.map(({ path }) => folderOfDomain(path));
  const drawn = new Set(folders.filter((folder) => folder !== null));
  assertEquals([...layers.keys()].toSorted(), [...drawn].toSorted());
  const heightOf = (path: string) =>
    layers.get(folderOfDomain(path) ?? "") ?? 0;
  const up = IMPORTS.filter(({ from, to, isOfTypes }) =>
    !isOfTypes && from.startsWith("domain/") && heightOf(to) > heightOf(from)
  );
  assertEquals(up.map(arrowOf), []);
});

Deno.test("Deno is used in main.ts, app, config, cron, kv, the processor's simulator and tools only", () => {
  const among = isNotIn(
    "",
    "app/",
    "config/",
    "cron/",
    "kv/",
    "simulators/stripe/",
    "tests/",
    "tools/",
    "tools/client/",
  );
  assertEquals(uses((facts) => facts.members, /^Deno\./, among), []);
});

Deno.test("domain/ reads no clock, no randomness and no network of its own", () => {
  const domain = isIn("domain/");
  const members =
    /^(Date\.now|performance\.|Math\.random|crypto\.(random|getR))/;
  const calls = /^(fetch|setTimeout|setInterval|new Date\(\))$/;
  assertEquals(uses((facts) => facts.members, members, domain), []);
  assertEquals(uses((facts) => facts.calls, calls, domain), []);
});

Deno.test("adapters/time/ alone reads the system's clocks and starts its timers", () => {
  const among = isNotIn(
    "adapters/time/",
    "clients/",
    "simulators/stripe/",
    "simulators/vies/",
    "tests/",
    "tools/",
    "tools/demo/",
  );
  const members = /^(Date\.now|performance\.\w+|AbortSignal\.timeout)$/;
  const calls = /^(setTimeout|setInterval|new Date\(\))$/;
  assertEquals(uses((facts) => facts.members, members, among), []);
  assertEquals(uses((facts) => facts.calls, calls, among), []);
});

Deno.test("domain/ takes nothing but hashes from node:crypto", () => {
  const other = /^node:crypto#(?!createHash$)/;
  assertEquals(uses((facts) => facts.names, other, isIn("domain/")), []);
});

/** Answers of our own that are looked into, and the one reader of bodies. */
const READ: Readonly<Record<string, readonly string[]>> = {
  "routes/http/body.ts": ["request.bytes()", "request.body"],
  "routes/mcp/invalid_params.ts": ["answer.text()"],
  "routes/mcp/problem_of.ts": [
    "answers.refused(thrown.refusal, context).json()",
    "render(thrown.retryAfterS, context, thrown).json()",
  ],
  "routes/head_requests.ts": ["answered.arrayBuffer()"],
};

Deno.test("the body of a request is read by routes/http/body.ts only", async () => {
  const found: string[] = [];
  for (const { path } of MODULES) {
    if (!isIn("", "routes/")(path)) continue;
    const reads = bodyReadsOf(path, await Deno.readTextFile(ROOT + path));
    const others = reads.filter((read) => !READ[path]?.includes(read));
    found.push(...others.map((read) => `${path} reads ${read}`));
  }
  assertEquals(found, []);
});

/** Who makes answers with a body: the one way, and streams without a length. */
const ANSWERS: Readonly<Record<string, string>> = {
  "routes/http/respond.ts": "the one way",
  "routes/head_requests.ts": "another's without its body",
  "routes/mcp/endpoint.ts": "a stream of a tool server",
};

Deno.test("answers are made, and given headers, by routes/http/respond.ts only", async () => {
  const found: string[] = [];
  for (const { path } of MODULES) {
    if (!isIn("", "app/", "routes/")(path) || ANSWERS[path] !== undefined) {
      continue;
    }
    const source = await Deno.readTextFile(ROOT + path);
    const made = source.match(ANSWER_MADE) ?? [];
    found.push(...made.map((each) => `${path} has ${each}`));
  }
  assertEquals(found, []);
});

const ANSWER_MADE =
  /new Response\(|Response\.(?:json|redirect)\(|\bcontext\.(?:text|json|html|body|redirect|header)\(|\.headers\.(?:set|append)\(/g;

Deno.test("an answer that is made by other means is found", () => {
  const source = "new Response(\n  `a`) Response.json({}) context.json(x) " +
    "context.header(n, x) answer.headers.set(n, x) answer.headers.append(n, x)";
  assertEquals(source.match(ANSWER_MADE), [
    "new Response(",
    "Response.json(",
    "context.json(",
    "context.header(",
    ".headers.set(",
    ".headers.append(",
  ]);
});

Deno.test("a body that is read by other means is found", () => {
  const source = `const read = [context.req.raw.body, response.body];
const { body: stream } = request;
const json = await context.req.json();
const field = form.text("name");
`;
  assertEquals(bodyReadsOf("routes/bad.ts", source), [
    "context.req.raw.body",
    "{ body: stream } = request",
    "context.req.json()",
  ]);
});

Deno.test("only kv/ asks the store by key", () => {
  const asked = /^kv\.(get|getMany|set|delete|list|atomic|watch)$/;
  const among = isNotIn("kv/", "tests/");
  assertEquals(uses((facts) => facts.members, asked, among), []);
});

Deno.test("only kv/keys.ts writes keys down", async () => {
  const written = /(\b(get|set|delete|sum|check)\(|\b(key|prefix): )\["/;
  const found: string[] = [];
  for (const { path } of MODULES) {
    if (path === "kv/keys.ts" || areaOf(path) !== "kv/") continue;
    if (written.test(await Deno.readTextFile(ROOT + path))) found.push(path);
  }
  assertEquals(found, []);
});

Deno.test("nothing is exported that no other module imports", () => {
  assertEquals(exportedToNobody(MODULES), []);
});

Deno.test("production code has nothing that tests alone use", () => {
  assertEquals(usedByTestsAlone(MODULES), UNUSED);
});

Deno.test("what nobody imports, or tests alone, is found", () => {
  const facts = [
    factsOf(
      "domain/a.ts",
      `export const LEFT_MAX = 1;
export const NEXT_MAX = LEFT_MAX + 1;
export function called() {}
export function tested() {}
export class Handed {}
`,
    ),
    factsOf(
      "domain/b.ts",
      `import { called } from "./a.ts";
export { Handed } from "./a.ts";
`,
    ),
    factsOf("tests/a_test.ts", `import { tested } from "../domain/a.ts";`),
  ];
  assertEquals(exportedToNobody(facts), [
    "domain/a.ts#LEFT_MAX",
    "domain/a.ts#NEXT_MAX",
  ]);
  assertEquals(usedByTestsAlone(facts), [
    "domain/a.ts#NEXT_MAX",
    "domain/a.ts#tested",
  ]);
});

Deno.test(`no file is longer than ${FILE_LINES_MAX} lines`, () => {
  const long = MODULES.filter(({ lines }) => lines > FILE_LINES_MAX);
  assertEquals(long.map(({ path, lines }) => `${path}: ${lines} lines`), []);
});

Deno.test(`no function is longer than ${FUNCTION_LINES_MAX} lines`, () => {
  const long = MODULES.flatMap(({ path, functions }) =>
    functions.filter(({ lines }) => lines > FUNCTION_LINES_MAX)
      .map(({ name, line, lines }) => `${path}:${line} ${name}: ${lines} lines`)
  );
  assertEquals(long, []);
});

Deno.test("a module that breaks the rules is found", () => {
  const facts = factsOf(
    "domain/bids/bad.ts",
    `import { Hono } from "@hono/hono";
import * as node from "node:crypto";
export * from "../../kv/keys.ts";
export type { Day } from "../day.ts";
const late = await import("../../routes/context.ts");
const now = Date.now() + Deno.pid + new Date().getTime();
let key: Deno.KvKey;
function long() {${"\n".repeat(FUNCTION_LINES_MAX)}}
`,
  );
  assertEquals(forbiddenImports(facts), [
    "domain/bids/bad.ts imports @hono/hono",
    "domain/bids/bad.ts imports ../../kv/keys.ts",
    "domain/bids/bad.ts imports ../../routes/context.ts",
  ]);
  assertEquals(facts.names, [
    "@hono/hono#Hono",
    "node:crypto#*",
    "../day.ts#Day",
  ]);
  assertEquals(facts.members.toSorted(), [
    "Date.now",
    "Deno.pid",
    "Deno.type",
  ]);
  assertEquals(facts.calls, ["new Date()"]);
  assertEquals(facts.functions[0]?.lines, FUNCTION_LINES_MAX + 1);
});
