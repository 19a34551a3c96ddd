import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { isNoneMatch } from "../../../routes/http/if_none_match.ts";

const ETAG = '"abc"';

Deno.test("isNoneMatch() compares weakly", () => {
  for (const header of [ETAG, ` ${ETAG} `, `W/${ETAG}`, "*", " * "]) {
    assertEquals(isNoneMatch(header, ETAG), true);
    assertEquals(isNoneMatch(header, `W/${ETAG}`), true);
  }
});

Deno.test("isNoneMatch() reads a list tag by tag", () => {
  assertEquals(isNoneMatch(`"x", ${ETAG}`, ETAG), true);
  assertEquals(isNoneMatch(`"x",W/${ETAG},"y"`, ETAG), true);
  assertEquals(isNoneMatch('"x", "y"', ETAG), false);
  assertEquals(isNoneMatch('"abc,abc"', ETAG), false);
});

Deno.test("isNoneMatch() ignores what is not a tag", () => {
  for (const header of ["", "abc", '"abc', "W/", '""', '"ABC"', "**"]) {
    assertEquals(isNoneMatch(header, ETAG), false);
  }
});

Deno.test("isNoneMatch() finds a tag in any list that has it, and only then", () => {
  const tag = fc.stringMatching(/^[!#-~]{0,8}$/).map((text) => `"${text}"`);
  const sent = fc.tuple(fc.boolean(), tag);
  fc.assert(fc.property(fc.array(sent), tag, (list, etag) => {
    const header = list.map(([weak, each]) => weak ? `W/${each}` : each)
      .join(", ");
    const expected = list.some(([, each]) => each === etag);
    assertEquals(isNoneMatch(header, etag), expected);
  }));
});
