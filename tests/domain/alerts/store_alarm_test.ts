import { assertEquals } from "@std/assert";
import { StoreAlarm } from "../../../domain/alerts/store_alarm.ts";
import { MemoryLog } from "../../support/captured_logs.ts";
import { BID_SETTINGS } from "../../support/bidding_world.ts";
import { CountingIds } from "../../support/ids.ts";
import { ManualTimer } from "../../support/timer.ts";

/** An alarm whose mails are taken, or refused so often. */
function opened(refusals = 0) {
  const timer = new ManualTimer();
  const log = new MemoryLog();
  const sent: string[] = [];
  let left = refusals;
  const alarm = new StoreAlarm({
    ids: new CountingIds(),
    log,
    settings: BID_SETTINGS,
    startTimer: timer.start,
    mailer: {
      keepsText: false,
      send({ subject }) {
        if (left-- > 0) return Promise.reject(new Error("away"));
        sent.push(subject);
        return Promise.resolve();
      },
    },
  });
  return { alarm, timer, sent, log };
}

/** Lets what was begun go on until it waits for a timer. */
async function turns(count = 20): Promise<void> {
  for (let nth = 0; nth < count; nth++) await Promise.resolve();
}

const DOWN = "Spotlight: The store takes no writes";
const UP = "Spotlight: Over: The store takes no writes";

Deno.test("a store that is down for a minute is told once, and once that it is back", async () => {
  const { alarm, timer, sent } = opened();
  alarm.changed("disk I/O error");
  await turns();
  assertEquals(sent, []);
  timer.fire();
  await turns();
  assertEquals(sent, [DOWN]);
  alarm.changed(null);
  await turns();
  assertEquals(sent, [DOWN, UP]);
  alarm.close();
});

for (
  const why of [
    "disk I/O error",
    "database or disk is full",
    "attempt to write a readonly database",
  ]
) {
  Deno.test(`a disk is told of before the runtime ends the process: ${why}`, async () => {
    const { alarm, timer, sent } = opened();
    alarm.changed(why);
    assertEquals(timer.waiting, [10_000]);
    timer.fire();
    await turns();
    assertEquals(sent, [DOWN]);
    alarm.close();
  });
}

Deno.test("a store that is back within the minute is told to nobody", async () => {
  const { alarm, timer, sent } = opened();
  alarm.changed("disk I/O error");
  alarm.changed(null);
  timer.fire();
  await turns();
  assertEquals(sent, []);
});

Deno.test("a store that is away for moments again and again is told to nobody", async () => {
  const { alarm, timer, sent } = opened();
  for (let nth = 0; nth < 5; nth++) {
    alarm.changed("no answer in time");
    alarm.changed("disk I/O error");
    // One minute is waited for, whatever came before and is said meanwhile.
    assertEquals(timer.waiting, [60_000]);
    alarm.changed(null);
    assertEquals(timer.waiting, []);
  }
  alarm.changed("disk I/O error");
  timer.fire();
  await turns();
  assertEquals(sent, [DOWN]);
  alarm.close();
});

Deno.test("an alarm that is not taken is tried ten times, and then logged", async () => {
  const { alarm, timer, sent, log } = opened(1_000);
  alarm.changed("disk I/O error");
  timer.fire();
  for (let nth = 0; nth < 20; nth++) {
    await turns();
    timer.fire();
  }
  assertEquals(sent, []);
  assertEquals(timer.waiting, []);
  const told = log.lines.filter((line) => line.includes("alert.untold"));
  assertEquals(told.length, 1);
});

Deno.test("an alarm that was not taken at first is taken later", async () => {
  const { alarm, timer, sent } = opened(2);
  alarm.changed("disk I/O error");
  timer.fire();
  for (let nth = 0; nth < 3; nth++) {
    await turns();
    timer.fire();
  }
  await turns();
  assertEquals(sent, [DOWN]);
});

Deno.test("an alarm that is closed tells nothing more", async () => {
  const { alarm, timer, sent } = opened();
  alarm.changed("disk I/O error");
  alarm.close();
  timer.fire();
  await turns();
  assertEquals([sent, timer.waiting], [[], []]);
});
