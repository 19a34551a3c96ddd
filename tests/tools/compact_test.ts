/** What was deleted is in no file of the store once it was compacted. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { ROOT } from "../../tools/own_modules.ts";
import { runProcess } from "../support/captured_process.ts";

const CANARY = "CANARY-OF-WHO-WAS-ERASED";
const ROWS = 300;

function compact(folder: string, args: string[] = [], env = {}) {
  return runProcess({
    args: ["run", "-A", `${ROOT}tools/compact.ts`, ...args],
    env: { ENVIRONMENT: "development", DATA_DIR: folder, ...env },
    printed: () => true,
  });
}

/** How often the word is in any file of the folder. */
async function countIn(folder: string): Promise<number> {
  let count = 0;
  for await (const { name } of Deno.readDir(folder)) {
    const bytes = await Deno.readFile(`${folder}/${name}`);
    count += new TextDecoder("latin1").decode(bytes).split(CANARY).length - 1;
  }
  return count;
}

/** A store in which rows were written and deleted again, and one stays. */
async function writeAndDelete(kv: Deno.Kv): Promise<void> {
  for (let nth = 0; nth < ROWS; nth++) {
    await kv.set(["rows", nth], `${CANARY} ${"x".repeat(500)}`);
  }
  for (let nth = 0; nth < ROWS; nth++) await kv.delete(["rows", nth]);
  await kv.set(["kept"], "stays");
}

for (const state of ["runs", "has stopped"] as const) {
  Deno.test(`deno task compact leaves no deleted row in the files of a store whose service ${state}`, async () => {
    const folder = await Deno.makeTempDir();
    const path = `${folder}/spotlight.sqlite3`;
    let kv = await Deno.openKv(path);
    await writeAndDelete(kv);
    if (state === "has stopped") kv.close();
    assert(await countIn(folder) > 0, "SQLite leaves what was deleted");
    const { code, stdout } = await compact(folder);
    assertEquals(code, 0);
    const { bytes_before, bytes_after } = JSON.parse(stdout);
    assert(bytes_after < bytes_before || state === "runs");
    assertEquals(await countIn(folder), 0);
    if (state === "has stopped") kv = await Deno.openKv(path);
    assertEquals((await kv.get(["kept"])).value, "stays");
    await kv.set(["later"], "is written");
    assertEquals((await kv.get(["later"])).value, "is written");
    kv.close();
    await Deno.remove(folder, { recursive: true });
  });
}

Deno.test("deno task compact says what it can't do in one sentence", async () => {
  const folder = await Deno.makeTempDir();
  const absent = await compact(folder);
  assertEquals(absent.code, 1);
  assertStringIncludes(absent.stderr, "there is no ");
  const wrong = await compact(folder, ["now"]);
  assertEquals([wrong.code, wrong.stderr], [2, "Usage: compact\n"]);
  const KV_URL = "http://localhost:1";
  const remote = await compact(folder, [], {
    KV_URL,
    DENO_KV_ACCESS_TOKEN: "x".repeat(40),
  });
  assertEquals(remote.code, 1);
  assertStringIncludes(remote.stderr, "it is no file of this machine");
  await Deno.remove(folder, { recursive: true });
});
