/**
 * Makes a client of openapi.json in this folder by each generator, and compiles
 * the walks that use them as strictly as the compiler can. Prints its complaints
 * on the last line; a generator prints others.
 */
import { readFile, writeFile } from "node:fs/promises";

// By names in a variable: Deno, which checks this folder too, has none of them.
const load = (name) => import(name);
const { default: openapiTS, astToString } = await load("openapi-typescript");
const { generate } = await load("orval");
const { default: ts } = await load("typescript");

const document = JSON.parse(await readFile("openapi.json", "utf8"));
await writeFile("schema.d.ts", astToString(await openapiTS(document)));

await generate({
  input: { target: "./openapi.json" },
  output: {
    target: "./orval.ts",
    client: "fetch",
    mode: "single",
    baseUrl: { getBaseUrlFromSpecification: true },
  },
});
const program = ts.createProgram(["walk_fetch.mts", "walk_orval.mts"], {
  strict: true,
  noUncheckedIndexedAccess: true,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  target: ts.ScriptTarget.ES2022,
  lib: ["lib.es2022.d.ts", "lib.dom.d.ts", "lib.dom.iterable.d.ts"],
  types: [],
  skipLibCheck: true,
});
const { diagnostics } = program.emit();
const complaints = [...ts.getPreEmitDiagnostics(program), ...diagnostics]
  .map(({ messageText, file, start }) =>
    `${file?.fileName}:${start} ${
      ts.flattenDiagnosticMessageText(messageText, " ")
    }`
  );
// deno-lint-ignore no-console -- this is its answer
console.log(JSON.stringify(complaints));
