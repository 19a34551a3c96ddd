/**
 * Fills the disk that a store's file is on until the probe says so, and prints
 * what was told and what is read. Its argument is the file.
 *
 * @module
 */
import { openKv } from "../../kv/open.ts";
import { StoreProbe } from "../../kv/store_probe.ts";

const kv = await openKv(Deno.args[0]);
const told: (string | null)[] = [];
const probe = new StoreProbe({ kv, onChange: (why) => told.push(why) });
await write(["row", 0], "first");
for (let n = 1; probe.why === null; n++) {
  await write(["row", n], "x".repeat(2_000)).catch(() => {});
  await probe.look();
}
await probe.stop();
const { value } = await kv.get(["row", 0]);
kv.close();
await print(`${JSON.stringify(told)}\nread: ${value}\n`);

async function write(key: Deno.KvKey, value: string): Promise<void> {
  const atomic = kv.atomic();
  atomic.set(key, value);
  await atomic.commit();
}

async function print(text: string): Promise<void> {
  await Deno.stdout.write(new TextEncoder().encode(text));
}
