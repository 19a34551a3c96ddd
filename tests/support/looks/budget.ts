import { assert } from "@std/assert";
import type { Browser, CDPSession, Page } from "playwright-core";

/**
 * What a page may take to load, its style, faces and scripts included. Only the
 * style may keep it from being drawn.
 */
const BUDGET = { bytes: 60_000, requests: 6, blocking: 1 };
/** When the largest part of a page has been drawn, ms, on a machine that is free. */
const PAINT_MS = 1_000;
/** How much longer than a bare page one of ours may take on a machine that is not. */
const TIMES_BARE = 6;
/** How often a page that was late is loaded again before it counts as slow. */
const TRIES = 3;
/**
 * How far letters may move when their face comes after the page was drawn: a word
 * is never as wide in two faces. A line that moves is 0.02 and more.
 */
const SHIFT_MAX = 0.015;

/** What loading a page took. */
export interface Load {
  bytes: number;
  requests: number;
  /** Files that had to come before anything was drawn. */
  blocking: number;
  /** How far what was drawn moved while the page came; 0 where nothing did. */
  shift: number;
  /** When the largest part of the page was drawn, ms; it depends on the machine. */
  paintMs: number;
}

/**
 * Counts what a page loads from now on. Faces and scripts come once the page has
 * been drawn, as over a slow line: what they move is seen.
 */
export async function watchLoad(
  session: CDPSession,
  page: Page,
): Promise<() => Promise<Load>> {
  let [bytes, requests] = [0, 0];
  session.on("Network.requestWillBeSent", () => requests += 1);
  session.on(
    "Network.loadingFinished",
    ({ encodedDataLength }) => bytes += encodedDataLength,
  );
  await session.send("Network.enable");
  await page.route(/\.(woff2|js)\b/, async (route) => {
    await page.evaluate(TWO_FRAMES);
    await route.continue();
  });
  return async () => {
    await page.evaluate(`document.fonts.ready.then(() => ${TWO_FRAMES})`);
    const [shift, paintMs] = await page.evaluate(DRAWN) as [number, number];
    const blocking = await page.evaluate(BLOCKING) as number;
    return { bytes, requests, blocking, shift, paintMs };
  };
}

const BLOCKING = `performance.getEntriesByType("resource")
  .filter(({ renderBlockingStatus }) => renderBlockingStatus === "blocking")
  .length`;

/** By the second frame, what was to be drawn in the first has been. */
const TWO_FRAMES =
  "new Promise((end) => requestAnimationFrame(() => requestAnimationFrame(end)))" +
  ".then(() => null)";

/** The sum of shifts, and the last of the largest paints, as the browser saw them. */
const DRAWN = `new Promise((resolve) => {
  let shift = 0;
  new PerformanceObserver((list) => {
    for (const { value } of list.getEntries()) shift += value;
  }).observe({ type: "layout-shift", buffered: true });
  new PerformanceObserver((list) => {
    const { startTime } = list.getEntries().at(-1);
    setTimeout(() => resolve([shift, startTime]), 0);
  }).observe({ type: "largest-contentful-paint", buffered: true });
})`;

/** Asserts that a page took no more than any may. */
export function assertWithin(name: string, load: Load): void {
  const { bytes, requests, blocking, shift } = load;
  assert(bytes <= BUDGET.bytes, `${name}: ${bytes} bytes over the wire`);
  assert(requests <= BUDGET.requests, `${name}: ${requests} requests`);
  assert(blocking <= BUDGET.blocking, `${name} waits for ${blocking} files`);
  assert(shift < SHIFT_MAX, `${name} moves by ${shift} while it loads`);
}

/**
 * Asserts that the largest part of a page is drawn in time. How long drawing takes
 * is the machine's as well: a page that was late is loaded again beside a bare one,
 * and is slow where it is late each time by that measure, too.
 *
 * @param paintMs of the load that is there
 * @param again loads the page, ms
 * @param bare loads a page of one sentence, ms
 */
export async function assertPaintsInTime(
  name: string,
  paintMs: number,
  again: () => Promise<number>,
  bare: () => Promise<number>,
): Promise<void> {
  if (paintMs <= PAINT_MS) return;
  const late: string[] = [];
  while (late.length < TRIES) {
    const bareMs = await bare();
    const againMs = await again();
    if (againMs <= Math.max(PAINT_MS, TIMES_BARE * bareMs)) return;
    late.push(`${Math.round(againMs)} ms, a bare one ${Math.round(bareMs)}`);
  }
  assert(false, `the largest paint of ${name} comes late: ${late.join("; ")}`);
}

/** When the largest part of a page of one sentence has been drawn, ms. */
export async function bareMs(browser: Browser): Promise<number> {
  const page = await browser.newPage();
  await using server = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen() {} },
    () =>
      new Response("<!doctype html><title>Bare</title><p>One sentence.</p>", {
        headers: { "content-type": "text/html" },
      }),
  );
  await page.goto(`http://127.0.0.1:${server.addr.port}/`);
  const [, paintMs] = await page.evaluate(DRAWN) as [number, number];
  await page.close();
  return paintMs;
}
