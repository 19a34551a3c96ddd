import { assert, assertEquals } from "@std/assert";
import {
  type DayClicks,
  readDayClicks,
} from "../../domain/clicks/day_clicks.ts";
import {
  addDays,
  type Day,
  DAY_MS,
  dayOf,
  startOfDayMs,
} from "../../domain/day.ts";
import { seen } from "../support/captured_logs.ts";
import { BROWSER } from "../support/click_world.ts";
import {
  type ChildService,
  type SharedService,
  shareService,
} from "../support/processes.ts";
import { settle, spotlight } from "../support/public_spotlights.ts";

/** What `kill -9` may lose of the latest clicks. */
const LOST_AT_MOST_MS = 500;

Deno.test("SIGTERM loses no click that was redirected", async () => {
  await using shared = await shareService(untilNoonMs());
  const day = await settleYesterday(shared);
  const child = await startBehindProxy(shared);
  const sent = Array.from({ length: 60 }, (_, n) => `10.0.0.${n}`);
  await Promise.all(sent.map((address) => click(child, day, address)));
  await child.stop();
  assertEquals((await counted(shared, day)).humanClicks, sent.length);
});

Deno.test("kill -9 loses no click older than half a second", async () => {
  await using shared = await shareService(untilNoonMs());
  const day = await settleYesterday(shared);
  const child = await startBehindProxy(shared);
  const answeredMs: number[] = [];
  const began = performance.now();
  for (let n = 0; performance.now() - began < 3 * LOST_AT_MOST_MS; n++) {
    // Enough visitors for no bucket to be empty.
    await click(child, day, `10.0.0.${n % 200}`);
    answeredMs.push(performance.now());
  }
  const killedMs = performance.now();
  await child.kill();
  const safe = answeredMs.filter((ms) => ms < killedMs - LOST_AT_MOST_MS);
  const { clicks } = await counted(shared, day);
  assert(safe.length > 0);
  assert(
    clicks >= safe.length && clicks <= answeredMs.length,
    `${clicks} counted of ${answeredMs.length}, ${safe.length} safe`,
  );
});

Deno.test("two processes on one store count together exactly", async () => {
  await using shared = await shareService(untilNoonMs());
  const day = await settleYesterday(shared);
  const both = [await startBehindProxy(shared), await startBehindProxy(shared)];
  const sent: Promise<void>[] = [];
  for (let n = 0; n < 200; n++) {
    const child = both[n % both.length];
    assert(child !== undefined);
    sent.push(click(child, day, `10.0.1.${n}`));
    sent.push(click(child, day, `10.0.2.${n}`, "curl/8.15.0"));
  }
  await Promise.all(sent);
  await Promise.all(both.map((child) => child.stop()));
  const figures = await counted(shared, day);
  assertEquals([figures.clicks, figures.humanClicks], [400, 200]);
});

Deno.test("a visitor that comes through both processes at once is counted once", async () => {
  await using shared = await shareService(untilNoonMs());
  const day = await settleYesterday(shared);
  const both = [await startBehindProxy(shared), await startBehindProxy(shared)];
  const visitors = Array.from({ length: 20 }, (_, n) => `10.0.3.${n}`);
  await Promise.all(
    [...both, ...both].flatMap((child) =>
      visitors.map((address) => click(child, day, address))
    ),
  );
  await Promise.all(both.map((child) => child.stop()));
  const figures = await counted(shared, day);
  assertEquals(figures.humanClicks, visitors.length);
  assertEquals(figures.clicks, 4 * visitors.length);
});

Deno.test("a visitor that was counted before a restart is a repeat after it", async () => {
  await using shared = await shareService(untilNoonMs());
  const day = await settleYesterday(shared);
  for (let start = 0; start < 2; start++) {
    const child = await startBehindProxy(shared);
    await click(child, day, "10.0.4.1");
    await child.stop();
  }
  const figures = await counted(shared, day);
  assertEquals([figures.clicks, figures.humanClicks], [2, 1]);
});

async function settleYesterday(shared: SharedService): Promise<Day> {
  const day = addDays(dayOf(Date.now() + shared.clockAheadMs), -1);
  await shared.withStore(({ store }) => settle(store, spotlight(day)));
  return day;
}

/** How far the clocks run ahead, so that no test meets a midnight. */
function untilNoonMs(): number {
  const noonMs = startOfDayMs(dayOf(Date.now())) + 12 * 3_600_000;
  return noonMs - Date.now() + DAY_MS;
}

function startBehindProxy(shared: SharedService): Promise<ChildService> {
  return shared.start({ env: { TRUSTED_PROXY_HOPS: "1" } });
}

async function click(
  { baseUrl }: ChildService,
  day: Day,
  address: string,
  userAgent: string = BROWSER,
): Promise<void> {
  const answer = await seen.fetch(`${baseUrl}/go/${day}`, {
    redirect: "manual",
    headers: { "user-agent": userAgent, "x-forwarded-for": address },
  });
  await answer.body?.cancel();
  assertEquals(answer.status, 302);
}

/** What has been counted, once no process has the store open. */
function counted(shared: SharedService, day: Day): Promise<DayClicks> {
  return shared.withStore((services) => readDayClicks(services, day));
}
