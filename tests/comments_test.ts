/**
 * Holds comments to docs/contract.md: a section that one cites is there, and
 * none begins with a quotation instead of saying what a thing is.
 */
import { assertEquals } from "@std/assert";
import { ownModules, ROOT } from "../tools/own_modules.ts";
import { headingsIn } from "./support/contract_sections.ts";

/** A citation, such as `contract §9.5` or `contract §9.5, §9.6`. */
const CITED = /\bcontract (§\d+(?:\.\d+)?(?:(?:,| and) §\d+(?:\.\d+)?)*)/gi;

/** The sections that a source cites, line breaks within comments included. */
function citedIn(source: string): string[] {
  const text = source.replace(/\n\s*(?:\*|\/\/) ?/g, " ");
  return [...text.matchAll(CITED)].flatMap(([, list = ""]) =>
    [...list.matchAll(/[\d.]+\d|\d+/g)].map(([number]) => number)
  );
}

/** The lines of a source with which a comment begins by a quotation. */
function quotationsIn(source: string): string[] {
  const lines = source.split("\n").map((line) => line.trim());
  return lines.filter((line, at) => {
    const before = lines[at - 1] ?? "";
    if (/^\/\*\*?\s*["“]/.test(line)) return true;
    if (/^\*\s*["“]/.test(line)) return /^\/\*\*?$/.test(before);
    return /^\/\/\s*["“]/.test(line) && !before.startsWith("//");
  });
}

async function inAllModules(
  find: (source: string) => string[],
): Promise<string[]> {
  const found: string[] = [];
  for (const path of await ownModules()) {
    const source = await Deno.readTextFile(ROOT + path);
    found.push(...find(source).map((each) => `${path}: ${each}`));
  }
  return found;
}

Deno.test("comments cite only sections that docs/contract.md has", async () => {
  const contract = await Deno.readTextFile(`${ROOT}docs/contract.md`);
  const sections = new Set(
    headingsIn(contract).map((heading) => heading.split(" ", 1)[0]),
  );
  const unknown = await inAllModules((source) =>
    citedIn(source).filter((number) => !sections.has(number))
  );
  assertEquals(unknown, []);
});

Deno.test("no comment begins with a quotation", async () => {
  assertEquals(await inAllModules(quotationsIn), []);
});

Deno.test("citedIn() and quotationsIn() find what is meant and nothing else", () => {
  const section = (number: string) => `§${number}`;
  const cited = [
    `/** A key (contract ${section("11.1")}). */`,
    `// Both, contract ${section("9.5")},\n// ${section("9.6")} and`,
    `/** RFC 9110 ${section("15")}. */`,
  ];
  assertEquals(citedIn(cited.join("\n")), ["11.1", "9.5", "9.6"]);
  const quoted = [
    '/** "A key." */',
    "/**",
    ' * "A key,',
    ' * "longer"',
    " */",
    '// "A key."',
    '// "longer"',
    "/** A key: “Cancel”. */",
  ];
  assertEquals(quotationsIn(quoted.join("\n")), [
    '/** "A key." */',
    '* "A key,',
    '// "A key."',
  ]);
});
