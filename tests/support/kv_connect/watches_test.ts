import { assertEquals } from "@std/assert";
import { connectKv } from "./client.ts";
import { Rows } from "./rows.ts";
import { Watches } from "./watches.ts";

Deno.test("a watch of the KV Connect server tells the row and each change", async () => {
  await using connected = await connectKv();
  const { kv } = connected;
  await kv.set(["watched"], 1);
  const reader = kv.watch<[number]>([["watched"]]).getReader();
  const next = async () => (await reader.read()).value?.[0].value;
  assertEquals(await next(), 1);
  await kv.set(["other"], 1);
  await kv.set(["watched"], 2);
  assertEquals(await next(), 2);
  await kv.delete(["watched"]);
  assertEquals(await next(), null);
  await reader.cancel();
});

Deno.test("a silent watch gives signs of life and no change", async () => {
  const rows = new Rows(":memory:");
  const key = Uint8Array.of(1);
  let silent = true;
  const watches = new Watches(() => silent);
  const frames = watches.follow(rows, [key]);
  const sizeOfNext = async () => (await frames.next()).value?.length;
  const whole = await sizeOfNext();
  const silenced = sizeOfNext();
  watches.push(rows, [key]);
  assertEquals(await silenced, 4);
  silent = false;
  const pushed = sizeOfNext();
  watches.push(rows, [key]);
  assertEquals(await pushed, whole);
  assertEquals(watches.size, 1);
  const last = frames.next();
  watches.end();
  assertEquals((await last).done, true);
  assertEquals(watches.size, 0);
  rows.close();
});
