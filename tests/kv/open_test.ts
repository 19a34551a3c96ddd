import { assertEquals } from "@std/assert";
import { openKv } from "../../kv/open.ts";

Deno.test("openKv() makes the folder of its file, for its owner only", async () => {
  const folder = await Deno.makeTempDir();
  const kv = await openKv(`${folder}/new/data/store.sqlite3`);
  kv.close();
  const { mode } = await Deno.stat(`${folder}/new/data`);
  assertEquals((mode ?? 0) & 0o777, 0o700);
  await Deno.remove(folder, { recursive: true });
});

/** The modes of all files in a folder, by name. */
async function modesIn(folder: string): Promise<Record<string, string>> {
  const modes: Record<string, string> = {};
  for await (const { name } of Deno.readDir(folder)) {
    const { mode } = await Deno.stat(`${folder}/${name}`);
    modes[name] = ((mode ?? 0) & 0o777).toString(8);
  }
  return modes;
}

const OWNER_ONLY = {
  "store.sqlite3": "600",
  "store.sqlite3-shm": "600",
  "store.sqlite3-wal": "600",
};

Deno.test("openKv() keeps every file of the store for its owner, in an open folder and under any umask", async () => {
  const folder = await Deno.makeTempDir();
  await Deno.chmod(folder, 0o755);
  const before = Deno.umask(0);
  try {
    const kv = await openKv(`${folder}/store.sqlite3`);
    const write = kv.atomic();
    write.set(["a"], "written");
    await write.commit();
    assertEquals(await modesIn(folder), OWNER_ONLY);
    kv.close();
  } finally {
    Deno.umask(before);
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("openKv() closes the files of an earlier store to others, and keeps what is in it", async () => {
  const folder = await Deno.makeTempDir();
  const path = `${folder}/store.sqlite3`;
  const before = await Deno.openKv(path);
  await before.set(["a"], "kept");
  // As a process leaves them that was killed.
  for (const suffix of ["", "-wal", "-shm"]) {
    await Deno.chmod(`${path}${suffix}`, 0o644);
  }
  const kv = await openKv(path);
  assertEquals((await kv.get(["a"])).value, "kept");
  assertEquals(await modesIn(folder), OWNER_ONLY);
  kv.close();
  before.close();
  await Deno.remove(folder, { recursive: true });
});
