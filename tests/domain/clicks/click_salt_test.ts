import { assertEquals, assertNotEquals } from "@std/assert";
import {
  readClickSalt,
  rotateClickSalts,
} from "../../../domain/clicks/click_salt.ts";
import { visitorHash } from "../../../domain/clicks/visitor.ts";
import { addDays, type Day, dayOf } from "../../../domain/day.ts";
import { dump } from "../../../kv/dump.ts";
import { figuresOf, startCounter } from "../../support/click_world.ts";
import { keyOf } from "../../support/faults.ts";
import { openTestStore, type TestStore } from "../../support/store.ts";

const TODAY = "2026-11-20" as Day;
const SPOTLIGHT = "2026-11-19" as Day;

Deno.test("readClickSalt() makes one salt a day, the same for every isolate", async () => {
  await using test = await openTestStore();
  const other = { ...test, ...test.another() };
  const salts = await Promise.all([
    readClickSalt(test, TODAY),
    readClickSalt(other, TODAY),
    readClickSalt(test, TODAY),
  ]);
  assertEquals(new Set(salts).size, 1);
  assertNotEquals(await readClickSalt(test, addDays(TODAY, 1)), salts[0]);
});

Deno.test("two isolates that make today's salt at once agree on one", async () => {
  await using test = await openTestStore();
  const first = readClickSalt(test, TODAY);
  const slow = test.another([{
    on: "commit",
    key: keyOf("click_salts"),
    fault: { kind: "hold", until: first },
  }]);
  const second = readClickSalt({ ...test, ...slow }, TODAY);
  assertEquals(await second, await first);
});

Deno.test("rotateClickSalts() destroys the salts of days that are over, an outage of days long", async () => {
  await using test = await openTestStore();
  for (let day = 0; day < 5; day++) {
    await rotateClickSalts(test);
    if (day < 2) test.clock.advance(86_400_000);
  }
  test.clock.advance(30 * 86_400_000);
  await rotateClickSalts(test);
  assertEquals(await saltDays(test), [dayOf(test.clock.now())]);
});

Deno.test("rotateClickSalts() keeps today's salt, however often it runs", async () => {
  await using test = await openTestStore();
  const salt = await readClickSalt(test, TODAY);
  await rotateClickSalts(test);
  await rotateClickSalts(test);
  assertEquals(await readClickSalt(test, TODAY), salt);
});

Deno.test("a salt of a day that is over is not kept", async () => {
  await using test = await openTestStore();
  await readClickSalt(test, addDays(TODAY, -1));
  assertEquals(await saltDays(test), []);
});

Deno.test("no backup holds a salt or a visitor", async () => {
  await using test = await openTestStore();
  const salt = await readClickSalt(test, TODAY);
  const { counter, click } = startCounter(test);
  click(SPOTLIGHT);
  await counter.close();
  let backup = "";
  const decoder = new TextDecoder();
  for await (const bytes of dump(test.realKv, { keys: null })) {
    backup += decoder.decode(bytes);
  }
  assertEquals(backup.includes(salt), false);
  assertEquals(/click_(visitors|salts|bookings)/.test(backup), false);
  assertEquals(backup.includes("click_counts"), true);
});

Deno.test("no address and no user agent is ever written", async () => {
  await using test = await openTestStore();
  const { counter, click, log } = startCounter(test);
  const address = "10.77.66.55";
  click(SPOTLIGHT, { address, headers: { "user-agent": "Mozilla/5.0 Zebra" } });
  click(SPOTLIGHT, { address, headers: { "user-agent": "curl/Zebra" } });
  await counter.close();
  const written = JSON.stringify(
    test.kv.commits,
    (_, value) => typeof value === "bigint" ? String(value) : value,
  );
  for (const text of [written, ...log.lines]) {
    assertEquals(/10\.77|66\.55|Zebra/.test(text), false, text);
  }
});

Deno.test("after midnight a visitor has another name, and counts again", async () => {
  await using test = await openTestStore();
  test.clock.set("2026-11-20T23:59:59.999Z");
  const { counter, click, book, midnight } = startCounter(test);
  click(SPOTLIGHT);
  await book();
  assertEquals(midnight.waiting, [1]);
  test.clock.advance(1);
  midnight.fire();
  await rotateClickSalts(test);
  click(SPOTLIGHT);
  click(SPOTLIGHT);
  await book();
  const figures = await figuresOf(test.store, SPOTLIGHT);
  assertEquals(figures["outcome human"], 2);
  assertEquals(figures["outcome repeat"], 1);
  await counter.close();
});

Deno.test("an isolate that has slept over midnight does not use the old salt", async () => {
  await using test = await openTestStore();
  const { counter, click, book } = startCounter(test);
  click(SPOTLIGHT);
  await book();
  test.clock.set("2026-11-21T00:00:00.000Z");
  click(SPOTLIGHT);
  await book();
  assertEquals((await figuresOf(test.store, SPOTLIGHT))["outcome human"], 2);
  assertEquals((await saltDays(test)).length, 2);
  await counter.close();
});

Deno.test("visitors of two isolates are the same while they use the same salt", async () => {
  await using test = await openTestStore();
  const one = startCounter(test);
  const two = startCounter({ ...test, ...test.another() });
  one.click(SPOTLIGHT);
  await one.book();
  two.click(SPOTLIGHT);
  await two.book();
  const figures = await figuresOf(test.store, SPOTLIGHT);
  assertEquals(figures["outcome human"], 1);
  assertEquals(figures["outcome repeat"], 1);
  await one.counter.close();
  await two.counter.close();
});

Deno.test("visitorHash() names all that makes a visitor, and only the same the same", () => {
  const names = new Set([
    visitorHash("salt", SPOTLIGHT, "10.0.0.1", "a"),
    visitorHash("tlas", SPOTLIGHT, "10.0.0.1", "a"),
    visitorHash("salt", TODAY, "10.0.0.1", "a"),
    visitorHash("salt", SPOTLIGHT, "10.0.0.2", "a"),
    visitorHash("salt", SPOTLIGHT, "10.0.0.1", "b"),
  ]);
  assertEquals(names.size, 5);
  const again = visitorHash("salt", SPOTLIGHT, "10.0.0.1", "a");
  assertEquals(names.has(again), true);
  assertEquals(/^[\w-]{22}$/.test(again), true);
});

/** The days whose salts lie in the store. */
async function saltDays(test: TestStore): Promise<string[]> {
  const days: string[] = [];
  const rows = test.realKv.list({ prefix: ["click_salts"] });
  for await (const { key } of rows) days.push(String(key[1]));
  return days;
}
