/** Holds docs/glossary.md to the tree: each term has one owner that is there. */
import { assert, assertEquals } from "@std/assert";
import { ROOT } from "../tools/own_modules.ts";

const PAGE = await Deno.readTextFile(`${ROOT}docs/glossary.md`);
const TERMS = [...PAGE.matchAll(/^\| (.+?) \| .+ \| `(.+?)` \|$/gm)]
  .map(([, term = "", file = ""]) => ({ term, file }));

Deno.test("docs/glossary.md explains each term once", () => {
  assert(TERMS.length >= 60, `${TERMS.length} terms`);
  const terms = TERMS.map(({ term }) => term);
  assertEquals(terms.length, new Set(terms).size);
});

Deno.test("the file that owns a term of docs/glossary.md is there", async () => {
  for (const { term, file } of TERMS) {
    const { isFile } = await Deno.stat(`${ROOT}${file}`).catch(() => ({
      isFile: false,
    }));
    assert(isFile, `"${term}" is owned by ${file}, which is not there`);
  }
});
