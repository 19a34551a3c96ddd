/**
 * Holds docs/oauth_traceability.md to the tests: every rule names tests that
 * exist, every attack has one whose name begins with its case.
 */
import { assert, assertEquals } from "@std/assert";
import { ROOT } from "../tools/own_modules.ts";
import { isTest, readTestNames } from "./support/test_names.ts";

const DOC = await Deno.readTextFile(`${ROOT}docs/oauth_traceability.md`);
const [RULES = "", ATTACKS = ""] = DOC.split("\n## Attacks\n");

/** The rows of all tables, without their heads. */
function rowsOf(text: string): string[][] {
  return text.split("\n")
    .filter((line) => /^\| (?!Rule \||Cases \|)/.test(line))
    .map((line) => line.split("|").slice(1, -1).map((cell) => cell.trim()));
}

Deno.test("docs/oauth_traceability.md names tests that exist, for every rule", async () => {
  const names = await readTestNames();
  const rows = rowsOf(RULES);
  assert(rows.length > 30);
  const missing = rows.flatMap(([rule, tests = ""]) => {
    const named = [...tests.matchAll(/`([^`]+)`/g)].map(([, name = ""]) =>
      name
    );
    const unknown = named.filter((name) => !isTest(names, name));
    return named.length === 0 ? [rule] : unknown;
  });
  assertEquals(missing, []);
});

Deno.test("docs/oauth_traceability.md names cases that tests are named after", async () => {
  const { written } = await readTestNames();
  const cases = rowsOf(ATTACKS).flatMap(([cell = ""]) => cell.split(" "));
  assert(cases.length > 60);
  const missing = cases.filter((each) =>
    ![...written].some((name) => name.startsWith(`${each} `))
  );
  assertEquals(missing, []);
});
