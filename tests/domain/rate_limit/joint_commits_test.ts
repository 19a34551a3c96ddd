import { assertEquals } from "@std/assert";
import { openStepped } from "./scripts.ts";

const POLICY = { capacity: 5, refillPerS: 3 };

Deno.test("takeAll() fills a commit up to 9 buckets, of which one that several draw on counts once", async () => {
  const { rows, limiter } = openStepped();
  const take = (ids: readonly string[]) =>
    limiter.takeAll(ids.map((id) => ({ id, policy: POLICY })), "a");
  const first = take(["x"]);
  await rows.step(); // it has read, and its commit waits
  const rest = [
    take(["a0", "a1", "a2", "a3", "all"]),
    take(["b0", "b1", "b2", "b3", "all"]),
    take(["c"]),
  ];
  await rows.drain();
  for (const each of [first, ...rest]) {
    assertEquals((await each).admitted, true);
  }
  assertEquals(rows.calls.filter((call) => call.startsWith("commit")), [
    "commit x",
    "commit a0 a1 a2 a3 all b0 b1 b2 b3",
    "commit c",
  ]);
  await limiter.close();
});

Deno.test("takeAll() takes an asker's second request into the commit of its first, where nobody else waits", async () => {
  const { rows, limiter } = openStepped();
  const take = (id: string) => limiter.takeAll([{ id, policy: POLICY }], "a");
  const first = take("x");
  await rows.step();
  const rest = [take("y"), take("z")];
  await rows.drain();
  await Promise.all([first, ...rest]);
  assertEquals(rows.calls.filter((call) => call.startsWith("commit")), [
    "commit x",
    "commit y z",
  ]);
  await limiter.close();
});

Deno.test("takeAll() serves who waited as long as one may, and a millisecond longer no more", async () => {
  for (const waitedMs of [5_000, 5_001]) {
    const { clock, rows, limiter } = openStepped();
    const first = limiter.takeAll([{ id: "x", policy: POLICY }], "a");
    await rows.step();
    const next = limiter.takeAll([{ id: "y", policy: POLICY }], "a")
      .then(({ admitted }) => admitted, () => "too late");
    clock.advance(waitedMs);
    await rows.drain();
    await first;
    assertEquals(await next, waitedMs === 5_000 ? true : "too late");
    await limiter.close();
  }
});
