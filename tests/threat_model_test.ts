/**
 * Holds docs/threat_model.md to the tests: every threat names who, what and
 * where, a defence, and tests that exist.
 */
import { assert, assertEquals } from "@std/assert";
import { ROOT } from "../tools/own_modules.ts";
import { tablesOf, testsIn } from "./support/doc_tables.ts";
import { isTest, readTestNames } from "./support/test_names.ts";

const TABLES = tablesOf(
  await Deno.readTextFile(`${ROOT}docs/threat_model.md`),
);

/** The rows of the tables that have this column first. */
function rowsOf(column: string): string[][] {
  return TABLES.filter(({ head }) => head[0] === column)
    .flatMap(({ rows }) => rows);
}

const THREATS = rowsOf("Threat").map(
  ([threat = "", named = "", defence = "", tests = ""]) => ({
    threat,
    named: named.split(", "),
    defence,
    tests: testsIn(tests),
  }),
);

Deno.test("docs/threat_model.md names tests that exist, for every threat", async () => {
  const names = await readTestNames();
  assert(THREATS.length > 100);
  const missing = THREATS.flatMap(({ threat, tests }) => {
    const unknown = tests.filter((name) => !isTest(names, name));
    return tests.length === 0 ? [threat] : unknown;
  });
  assertEquals(missing, []);
});

Deno.test("docs/threat_model.md leaves no cell empty and says no threat twice", () => {
  for (const { section, head, rows } of TABLES) {
    const odd = rows.filter((row) =>
      row.length !== head.length || row.includes("")
    );
    assertEquals(odd, [], section);
  }
  const said = THREATS.map(({ threat }) => threat);
  assertEquals(said.length, new Set(said).size);
  assert(rowsOf("Risk").length > 5);
});

Deno.test("docs/threat_model.md has a threat of every actor, asset and boundary, and no other names", () => {
  const kinds = ["Actor", "Asset", "Boundary"].map((column) =>
    rowsOf(column).map(([name = ""]) => name)
  );
  const used = THREATS.flatMap(({ named }) => named);
  assertEquals(
    [...new Set(used)].toSorted(),
    kinds.flat().toSorted(),
  );
  for (const { threat, named } of THREATS) {
    const each = kinds.map((names) =>
      named.filter((name) => names.includes(name)).length
    );
    assertEquals(each, [1, 1, 1], threat);
  }
});
