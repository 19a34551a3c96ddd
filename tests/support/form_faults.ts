import { assert, assertEquals, assertMatch } from "@std/assert";

/**
 * Asserts that a page's title says that something is wrong, that its note has
 * the focus and leads to each of the fields, and that each field says the same. No
 * two of what it says are alike: nobody would know which field is meant.
 *
 * @param ids of the fields' elements, in their order
 */
export function assertFaults(html: string, ids: readonly string[]): void {
  assertMatch(html, /<title>Error: /);
  const [note = ""] =
    /<div class="note error" [^>]*autofocus="">.*?<\/div>/s.exec(html) ?? [];
  const links = [...note.matchAll(/<a href="#([\w-]+)">(.*?)<\/a>/gs)];
  assertEquals(links.map(([, id]) => id), [...ids]);
  assertEquals(new Set(links.map(([, , linked]) => linked)).size, links.length);
  for (const [, id = "", linked = ""] of links) {
    const [, says = ""] = new RegExp(`id="${id}-error">(.*?)</p>`).exec(html) ??
      [];
    const isSame = linked === says || linked.endsWith(`: ${says}`);
    assert(says !== "" && isSame, `${id}: ${linked}, but ${says}`);
    const [element = ""] =
      new RegExp(`<(?:input|select|textarea|fieldset) [^>]*?id="${id}".*?>`)
        .exec(html) ?? [];
    assertMatch(element, /aria-invalid="true"/, `${id}: ${element}`);
    const [, described = ""] = /aria-describedby="(.*?)"/.exec(element) ?? [];
    assert(described.split(" ").includes(`${id}-error`), element);
  }
}
