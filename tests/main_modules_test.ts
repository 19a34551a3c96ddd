/** Holds what is run as a program to an order in which it can run. */
import { assertEquals } from "@std/assert";
import { ownModules, ROOT } from "../tools/own_modules.ts";

/** What a module makes after it has begun to run as the main one. */
function madeTooLate(source: string): string[] {
  const [, after = ""] = source.split(/^if \(import\.meta\.main\)/m);
  return [...after.matchAll(/^(?:export )?(?:const|let|class) (\w+)/gm)]
    .map(([, name = ""]) => name);
}

Deno.test("a module that runs something has made its constants before: it waits for that at its top, and would find none", async () => {
  const late: string[] = [];
  for (const path of await ownModules()) {
    const names = madeTooLate(await Deno.readTextFile(ROOT + path));
    late.push(...names.map((name) => `${path}: ${name}`));
  }
  assertEquals(late, []);
  const source = "if (import.meta.main) run();\nconst PLACE = 1;\n";
  assertEquals(madeTooLate(source), ["PLACE"]);
});
