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
