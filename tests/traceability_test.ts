/**
 * Holds docs/traceability.md to the tests: every promise that is built names
 * tests that exist, and every section of the interface that is built is there.
 */
import { assertEquals } from "@std/assert";
import { ROOT } from "../tools/own_modules.ts";
import { tablesOf, testsIn } from "./support/doc_tables.ts";
import { isTest, namesIn, readTestNames } from "./support/test_names.ts";

/**
 * The sections of the interface of which something is built, and two of our own
 * rules. Whoever builds one that is missing adds its name here and its rows.
 */
const SECTIONS = [
  "What the service does",
  "Resources and their fields",
  "States and transitions",
  "Public reads",
  "Paid metrics",
  "Retrieval",
  "Agentic checkout",
  "Advertiser agent API",
  "Authentication",
  "Events",
  "Errors",
  "Limits",
  "Versioning",
  "Auction rules",
  "Operation",
];

const DOC = await Deno.readTextFile(`${ROOT}docs/traceability.md`);

const ROWS = tablesOf(DOC).flatMap(({ section, rows }) =>
  rows.map(([promise = "", where = "", tests = ""]) => ({
    section,
    promise,
    where,
    tests: testsIn(tests),
  }))
);

Deno.test("docs/traceability.md has rows in every section that is built, and no other section", () => {
  const sections = ROWS.map(({ section }) => section);
  assertEquals([...new Set(sections)], SECTIONS);
  assertEquals(DOC.split("\n## ").length - 1, SECTIONS.length);
});

Deno.test("docs/traceability.md names tests that exist", async () => {
  const names = await readTestNames();
  const missing = ROWS.flatMap(({ tests }) =>
    tests.filter((name) => !isTest(names, name))
  );
  assertEquals(missing, []);
});

Deno.test("docs/traceability.md leaves no cell empty and says no promise twice", () => {
  const empty = ROWS.filter(({ promise, where, tests }) =>
    promise === "" || where === "" || tests.length === 0
  );
  assertEquals(empty, []);
  const said = ROWS.map(({ section, promise }) => `${section}: ${promise}`);
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
