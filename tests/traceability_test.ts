/**
 * Holds docs/traceability.md to docs/contract.md and to the tests: every section
 * of the contract has promises, and every promise names tests that exist.
 */
import { assertEquals } from "@std/assert";
import { ROOT } from "../tools/own_modules.ts";
import { headingsIn } from "./support/contract_sections.ts";
import { isTest, namesIn, readTestNames } from "./support/test_names.ts";

interface Promised {
  section: string;
  where: string;
  promise: string;
  tests: string[];
}

const DOC = await Deno.readTextFile(`${ROOT}docs/traceability.md`);
const CONTRACT = await Deno.readTextFile(`${ROOT}docs/contract.md`);

/** Lines that are none of those that are read. */
const strays: string[] = [];
const PROMISES = promisesOf(DOC);

/** Reads `- Where: Promise`, each with its tests as `  - name` between backticks. */
function promisesOf(doc: string): Promised[] {
  const promises: Promised[] = [];
  let section = "";
  // What stands before the first section says how to read the page.
  for (const line of doc.slice(doc.indexOf("\n## ")).split("\n")) {
    const heading = /^#{2,3} (.+)$/.exec(line)?.[1];
    const [, where, promise] = /^- ([^:]+): (.+)$/.exec(line) ?? [];
    const test = /^ {2}- `(.+)`$/.exec(line)?.[1];
    if (heading !== undefined) section = heading;
    else if (where !== undefined && promise !== undefined) {
      promises.push({ section, where, promise, tests: [] });
    } else if (test !== undefined) promises.at(-1)?.tests.push(test);
    else if (line !== "") strays.push(line);
  }
  return promises;
}

Deno.test("docs/traceability.md has the sections of docs/contract.md, in their order", () => {
  assertEquals(headingsIn(DOC), headingsIn(CONTRACT));
});

Deno.test("docs/traceability.md has a promise in every section of docs/contract.md", () => {
  const promised = new Set(PROMISES.map(({ section }) => section));
  const sections = headingsIn(CONTRACT).filter((name) => /^\d+\.\d/.test(name));
  assertEquals([...promised], sections);
});

Deno.test("docs/traceability.md names tests that exist", async () => {
  const names = await readTestNames();
  const missing = PROMISES.flatMap(({ tests }) =>
    tests.filter((name) => !isTest(names, name))
  );
  assertEquals(missing, []);
});

Deno.test("docs/traceability.md names a test for each promise and says none twice", () => {
  assertEquals(strays, []);
  assertEquals(PROMISES.filter(({ tests }) => tests.length === 0), []);
  const said = PROMISES.map(({ section, where, promise }) =>
    `${section}: ${where}: ${promise}`
  );
  assertEquals(said.length, new Set(said).size);
});

Deno.test("namesIn() finds literal and template names, and no ignored test", () => {
  const source = "Deno.test(`a ${x} b.`, () => {}); // Deno.test('c')\n" +
    'Deno.test("d", () => {}); Deno.test.ignore("e", () => {});';
  const names = namesIn("some_test.ts", source);
  assertEquals(names.map(({ text }) => text), ["a ${x} b.", "d"]);
  const [template] = names;
  const pattern = template?.pattern;
  assertEquals(pattern?.test("a case b."), true);
  assertEquals(pattern?.test("a case bc"), false);
});
