import { assertEquals } from "@std/assert";
import { circlesOf, importsOf } from "./import_graph.ts";
import { factsOf } from "./module_facts.ts";

Deno.test("circles are found between files and between folders", () => {
  const facts = [
    ["a/one.ts", `import type { Two } from "../b/two.ts";`],
    ["b/two.ts", `export { type Three } from "./three.ts";`],
    ["b/three.ts", `import { type One, two } from "../a/one.ts";`],
    ["b/four.ts", `const five = () => import("../c/five.ts");`],
    [
      "c/five.ts",
      `import "../b/four.ts"; import { type One } from "../a/one.ts";`,
    ],
  ] as const;
  const imports = importsOf(facts.map(([path, text]) => factsOf(path, text)));
  const four = "b/four.ts → c/five.ts, c/five.ts → b/four.ts";
  assertEquals(circlesOf(imports, { types: true }), [
    "a/one.ts → b/two.ts, b/two.ts → b/three.ts, b/three.ts → a/one.ts",
    four,
  ]);
  assertEquals(circlesOf(imports, { types: false }), [four]);
  const partOf = (path: string) => path.split("/")[0] ?? null;
  assertEquals(circlesOf(imports, { types: false, partOf }), [
    "b → c (b/four.ts → c/five.ts), c → b (c/five.ts → b/four.ts)",
  ]);
});
