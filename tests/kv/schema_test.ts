import { assert, assertEquals } from "@std/assert";
import { EPHEMERAL_FAMILIES, persistentRanges } from "../../kv/ephemeral.ts";
import { keys, prefixes, starts } from "../../kv/keys.ts";
import { rateBucketKey } from "../../kv/rate_bucket_keys.ts";
import { tables } from "../../kv/tables.ts";

type Builder = (...parts: string[]) => Deno.KvKey;

const documented = rowsOf(
  await Deno.readTextFile(new URL("../../docs/kv_schema.md", import.meta.url)),
);
const built = [...Object.values(keys), rateBucketKey].map(sampleOf);

Deno.test("docs/kv_schema.md names every key family, and no other", () => {
  assertEquals(
    documented.map(({ family }) => family).sort(),
    built.map(familyOf).sort(),
  );
});

Deno.test("no two builders make keys of one family", () => {
  const families = built.map(familyOf);
  assertEquals(families.length, new Set(families).size);
});

Deno.test("docs/kv_schema.md shows keys as they are built", () => {
  for (const { family, example } of documented) {
    const sample = built.find((key) => familyOf(key) === family);
    assertEquals(example[0], family);
    assertEquals(example.length, sample?.length, family);
  }
});

Deno.test("docs/kv_schema.md leaves no cell empty", () => {
  for (const { family, cells } of documented) {
    assertEquals(cells.length, 5, family);
    assert(cells.every((cell) => cell.trim() !== ""), family);
  }
});

Deno.test("every list begins with a key family", () => {
  const families = new Set(built.map(familyOf));
  const listed = [...Object.values(prefixes), ...Object.values(starts)]
    .map((prefix) => typeof prefix === "function" ? sampleOf(prefix) : prefix);
  for (const prefix of listed) assert(families.has(familyOf(prefix)));
});

Deno.test("every table and its index rows lie under a key family", () => {
  const families = new Set(built.map(familyOf));
  for (const { key } of Object.values(tables)) {
    assert(families.has(familyOf(sampleOf(key))));
  }
});

Deno.test("what backups leave out is a key family, in key order", () => {
  const families = new Set(built.map(familyOf));
  for (const family of EPHEMERAL_FAMILIES) assert(families.has(family));
  assertEquals([...EPHEMERAL_FAMILIES].sort(), EPHEMERAL_FAMILIES);
  assertEquals(persistentRanges().length, EPHEMERAL_FAMILIES.length + 1);
});

function sampleOf(builder: unknown): Deno.KvKey {
  const build = builder as Builder;
  return build(...Array.from({ length: build.length }, () => "x"));
}

function familyOf(key: Deno.KvKey): string {
  return String(key[0]);
}

/** The rows of the table: a line that begins with a family in code. */
function rowsOf(
  text: string,
): { family: string; example: Deno.KvKey; cells: string[] }[] {
  return text.split("\n").filter((line) => line.startsWith("| `"))
    .map((line) => {
      const cells = line.slice(1, -1).split("|");
      const [family = "", example = ""] = cells
        .map((cell) => cell.trim().replace(/^`|`$/g, ""));
      return { family, example: JSON.parse(example), cells };
    });
}
