/** The secret that development makes for itself, by processes of their own. */
import { assertEquals, assertNotEquals } from "@std/assert";
import { runProcess } from "../support/captured_process.ts";

/** Starts a process that prints its secret; `first` is run before. */
async function printSecret(folder: string, first = ""): Promise<string> {
  const module =
    new URL("../../config/process_config.ts", import.meta.url).href;
  const { code, stdout } = await runProcess({
    args: [
      "eval",
      `import { loadConfig } from "${module}";${first}` +
      'console.log(loadConfig("development").secrets[0]);',
    ],
    env: { DATA_DIR: `${folder}/data` },
    printed: () => true,
  });
  assertEquals(code, 0);
  return stdout.trim();
}

/** Has a process end before the file has its name; prints what it has written. */
const DIES_BEFORE = `Deno.linkSync = (draft) => {
  console.log(Deno.readTextFileSync(draft).trim());
  Deno.exit(0);
};`;

/** Has a process wait with the file's name until there is one of another. */
const COMES_SECOND = `const link = Deno.linkSync;
Deno.linkSync = (draft, path) => {
  const other = path + ".other";
  Deno.writeTextFileSync(other, "o".repeat(43) + "\\n");
  link(other, path);
  Deno.removeSync(other);
  link(draft, path);
};`;

Deno.test("loadConfig() takes the secret of whoever was first, and none that was half written", async () => {
  const folder = await Deno.makeTempDir();
  const given = await printSecret(folder, DIES_BEFORE);
  assertEquals(given.length, 43);
  const others = await Promise.all([1, 2, 3].map(() => printSecret(folder)));
  assertEquals(new Set(others).size, 1);
  assertNotEquals(others[0], given);
  await Deno.remove(`${folder}/data`, { recursive: true });
  assertEquals(await printSecret(folder, COMES_SECOND), "o".repeat(43));
  const kept = Array.from(Deno.readDirSync(`${folder}/data`));
  assertEquals(kept.map(({ name }) => name), ["secrets"]);
  await Deno.remove(folder, { recursive: true });
});

Deno.test("loadConfig() keeps its secret in a file of its owner's", async () => {
  const folder = await Deno.makeTempDir();
  const print = () => printSecret(folder);
  const secret = await print();
  assertEquals(secret.length, 43);
  assertEquals(await print(), secret);
  const file = await Deno.stat(`${folder}/data/secrets`);
  assertEquals((file.mode ?? 0) & 0o777, 0o600);
  await Deno.remove(folder, { recursive: true });
});
