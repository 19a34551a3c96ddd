import { assertEquals } from "@std/assert";
import { connectKv, openRemoteKv } from "./client.ts";

Deno.test("the KV Connect server keeps values of every kind", async () => {
  await using connected = await connectKv();
  const { kv } = connected;
  const values = [
    { text: "ä", at: 1.5, list: [1n, null] },
    new Uint8Array([0, 255]),
    new Uint8Array(0),
    new Deno.KvU64(2n ** 63n),
    undefined,
  ];
  for (const value of values) {
    await kv.set(["row"], value);
    assertEquals((await kv.get(["row"])).value, value);
  }
  await kv.delete(["row"]);
  assertEquals((await kv.get(["row"])).versionstamp, null);
});

Deno.test("versionstamps of the KV Connect server rise, and checks hold to them", async () => {
  await using connected = await connectKv();
  const { kv } = connected;
  const { versionstamp: first } = await kv.set(["row"], 1);
  const { versionstamp: second } = await kv.set(["row"], 2);
  assertEquals(first < second, true);
  const commit = (versionstamp: string | null) =>
    kv.atomic().check({ key: ["row"], versionstamp }).set(["row"], 3).commit();
  assertEquals(await commit(first), { ok: false });
  assertEquals(await commit(null), { ok: false });
  assertEquals((await kv.get(["row"])).value, 2);
  assertEquals((await commit(second)).ok, true);
  assertEquals((await kv.get(["row"])).value, 3);
});

Deno.test("the KV Connect server sums, and takes the least and the largest", async () => {
  await using connected = await connectKv();
  const { kv } = connected;
  const counted = async () => {
    const { value } = await kv.get<Deno.KvU64>(["count"]);
    return value?.value;
  };
  await kv.atomic().sum(["count"], 5n).sum(["count"], 2n).commit();
  assertEquals(await counted(), 7n);
  await kv.atomic().max(["count"], 6n).commit();
  assertEquals(await counted(), 7n);
  await kv.atomic().min(["count"], 6n).commit();
  assertEquals(await counted(), 6n);
  await kv.atomic().sum(["count"], 2n ** 64n - 6n).commit();
  assertEquals(await counted(), 0n);
});

Deno.test("the KV Connect server lists forwards and backwards, in pages", async () => {
  await using connected = await connectKv();
  const { kv } = connected;
  for (const at of [-300, -1, 0, 1.5, 255, 256]) await kv.set(["row", at], at);
  await kv.set(["rows"], "not one of them");
  const listed = async (options: Deno.KvListOptions) => {
    const found = kv.list<number>({ prefix: ["row"] }, options);
    return await Array.fromAsync(found, ({ value }) => value);
  };
  const forwards = await listed({ batchSize: 2 });
  assertEquals(forwards, await listed({}));
  assertEquals(forwards.length, 6);
  assertEquals(
    await listed({ reverse: true, batchSize: 2 }),
    forwards.toReversed(),
  );
  assertEquals(await listed({ limit: 2 }), forwards.slice(0, 2));
});

Deno.test("rows of the KV Connect server outlive their expiry until they are swept", async () => {
  await using connected = await connectKv();
  const { kv, server } = connected;
  await kv.set(["row"], 1, { expireIn: 1 });
  await kv.set(["other"], 1);
  server.sweep(0);
  assertEquals((await kv.get(["row"])).value, 1);
  server.sweep(Date.now() + 1_000);
  assertEquals((await kv.get(["row"])).value, null);
  assertEquals((await kv.get(["other"])).value, 1);
});

Deno.test("each path of the KV Connect server is a database of its own", async () => {
  await using connected = await connectKv();
  const { kv, server } = connected;
  await kv.set(["row"], "root");
  using one = await openRemoteKv(`${server.url}/one`);
  assertEquals((await one.get(["row"])).value, null);
  await one.set(["row"], "one");
  using again = await openRemoteKv(`${server.url}/one`);
  assertEquals((await again.get(["row"])).value, "one");
  assertEquals((await kv.get(["row"])).value, "root");
});

Deno.test("a file of the KV Connect server is there after a restart, with newer versions", async () => {
  const dir = await Deno.makeTempDir({ prefix: "kv_connect_" });
  try {
    const file = `${dir}/kv.sqlite3`;
    let newest: string;
    {
      await using connected = await connectKv({ file });
      newest = (await connected.kv.set(["row"], 1)).versionstamp;
    }
    await using connected = await connectKv({ file });
    const row = await connected.kv.get(["row"]);
    assertEquals([row.value, row.versionstamp], [1, newest]);
    const { versionstamp } = await connected.kv.set(["row"], 2);
    assertEquals(versionstamp > newest, true);
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
});
