import { assertEquals, assertRejects } from "@std/assert";
import { copyBody } from "../../../routes/http/export_answer.ts";
import { STALLED_MS } from "../../../routes/http/large_body.ts";
import { openTestStore } from "../../support/store.ts";
import { ManualTimer } from "../../support/timer.ts";

const FIRST = new Uint8Array([1]);

/** A copy of so many parts, of which the store has only the one that is given. */
async function openCopy(parts: number) {
  const test = await openTestStore();
  const timer = new ManualTimer();
  let reads = 0;
  const body = copyBody(test, { id: "exp_1", parts }, {
    first: FIRST,
    read: () => reads++,
  }, timer.start);
  const reader = body.getReader();
  return {
    reader,
    timer,
    isRead: () => reads > 0,
    [Symbol.asyncDispose]: () => test[Symbol.asyncDispose](),
  };
}

Deno.test("a copy is read no more once its last part was handed over", async () => {
  await using copy = await openCopy(1);
  assertEquals(copy.isRead(), false);
  assertEquals((await copy.reader.read()).value, FIRST);
  assertEquals(copy.isRead(), true);
});

Deno.test("a copy is read no more once its reader has gone", async () => {
  await using copy = await openCopy(2);
  await copy.reader.read();
  assertEquals(copy.isRead(), false);
  await copy.reader.cancel();
  assertEquals(copy.isRead(), true);
});

Deno.test("a copy is read no more where a part of it is gone", async () => {
  await using copy = await openCopy(2);
  await copy.reader.read();
  await assertRejects(() => copy.reader.read(), Error, "part of the copy");
  assertEquals(copy.isRead(), true);
});

Deno.test("a copy is read no more once no part was taken for half a minute", async () => {
  await using copy = await openCopy(2);
  await copy.reader.read();
  copy.timer.fire(STALLED_MS);
  assertEquals(copy.isRead(), true);
});
