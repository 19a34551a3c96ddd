/**
 * Holds docs/oauth_traceability.md to the tests: every rule names tests that
 * exist, every attack has one whose name begins with its case.
 */
import { assert, assertEquals } from "@std/assert";
import { ROOT } from "../tools/own_modules.ts";
import { tablesOf, testsIn } from "./support/doc_tables.ts";
import { isTest, readTestNames } from "./support/test_names.ts";

const DOC = await Deno.readTextFile(`${ROOT}docs/oauth_traceability.md`);
const TABLES = tablesOf(DOC);

/** The rows of the tables that have this column first. */
function rowsOf(column: string): string[][] {
  return TABLES.filter(({ head }) => head[0] === column)
    .flatMap(({ rows }) => rows);
}

Deno.test("docs/oauth_traceability.md names tests that exist, for every rule", async () => {
  const names = await readTestNames();
  const rows = rowsOf("Rule");
  assert(rows.length > 30);
  const missing = rows.flatMap(([rule, tests = ""]) => {
    const named = testsIn(tests);
    const unknown = named.filter((name) => !isTest(names, name));
    return named.length === 0 ? [rule] : unknown;
  });
  assertEquals(missing, []);
});

Deno.test("docs/oauth_traceability.md names cases that tests are named after", async () => {
  const { written } = await readTestNames();
  const cases = rowsOf("Cases").flatMap(([cell = ""]) => cell.split(" "));
  assert(cases.length > 60);
  const missing = cases.filter((each) =>
    ![...written].some((name) => name.startsWith(`${each} `))
  );
  assertEquals(missing, []);
});
