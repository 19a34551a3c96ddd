import { assertEquals } from "@std/assert";
import { generatedFiles } from "../../tools/client/main.ts";
import { ROOT } from "../../tools/own_modules.ts";

const FOLDER = `${ROOT}clients/generated/`;

Deno.test("clients/generated/ is what openapi.json gives: `deno task client` writes it", async () => {
  const files = await generatedFiles();
  const names = await Array.fromAsync(Deno.readDir(FOLDER), ({ name }) => name);
  assertEquals(names.toSorted(), Object.keys(files).toSorted());
  for (const [name, text] of Object.entries(files)) {
    assertEquals(await Deno.readTextFile(FOLDER + name), text, name);
  }
});
