/**
 * Pages are rendered once, on the server, where `key` has no meaning: in the
 * precompiled form it would stand in the HTML as an attribute that no element
 * has.
 */
import { assert, assertEquals } from "@std/assert";
import { ownModules, ROOT } from "../tools/own_modules.ts";

const KEY = /[\s{]key=["{]/;

Deno.test("no JSX carries a key", async () => {
  const modules = (await ownModules()).filter((path) => path.endsWith(".tsx"));
  assert(modules.length > 50, `${modules.length} modules with JSX`);
  const found: string[] = [];
  for (const path of modules) {
    const text = await Deno.readTextFile(ROOT + path);
    if (KEY.test(text)) found.push(path);
  }
  assertEquals(found, []);
});

Deno.test("a key is found in JSX, however it is given", () => {
  const keyed = ["<li key={a}>", '<li\n  key="a">', "<Card key={card.id} />"];
  assertEquals(keyed.filter((text) => !KEY.test(text)), []);
  assertEquals(KEY.test('href="/account?passkey={x}" keyed={true}'), false);
});
