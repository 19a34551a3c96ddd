/**
 * Holds what the service is made of to what was looked at once: packages are
 * pinned, locked with their hashes, and nothing else is loaded. Decision 0001
 * says what each is for.
 */
import { assert, assertEquals } from "@std/assert";
import { ownModules, ROOT } from "../tools/own_modules.ts";
import { factsOf } from "./support/module_facts.ts";

const { imports, lock } = JSON.parse(
  await Deno.readTextFile(`${ROOT}deno.json`),
);
const LOCKED = JSON.parse(await Deno.readTextFile(`${ROOT}deno.lock`));

Deno.test("packages are pinned to one version", () => {
  const sources = Object.values<string>(imports);
  const loose = sources.filter((source) =>
    !source.startsWith("./") &&
    !/^(npm|jsr):\/?(@[\w-]+\/)?[\w.-]+@\d+\.\d+\.\d+(\/|$)/.test(source)
  );
  assertEquals(loose, []);
  assert(sources.length > 20);
});

Deno.test("every package is locked with its hash, and a run never changes the lock", () => {
  assertEquals(lock.frozen, true);
  const packages = Object.entries<{ integrity?: string }>(LOCKED.npm);
  const unproven = packages.filter(([, { integrity = "" }]) =>
    !/^sha512-[A-Za-z0-9+/]{86}==$/.test(integrity)
  );
  assertEquals(unproven, []);
  assert(packages.length > 100);
  // Where modules by their address would be.
  assertEquals(LOCKED.remote, undefined);
});

Deno.test("code of others is loaded by the import map alone", async () => {
  const known = Object.keys(imports);
  const strange: string[] = [];
  for (const path of await ownModules()) {
    const source = await Deno.readTextFile(`${ROOT}${path}`);
    for (const each of factsOf(path, source).imports) {
      // Tests load own modules by paths that they work out.
      if (each === "?" && path.startsWith("tests/")) continue;
      const isKnown = /^(\.\.?\/|node:)/.test(each) || known.includes(each) ||
        known.some((name) => name.endsWith("/") && each.startsWith(name));
      if (!isKnown) strange.push(`${path}: ${each}`);
    }
  }
  assertEquals(strange, []);
});
