import { assert } from "@std/assert";
import type { CDPSession, Page } from "playwright-core";

/** What a page may take to load, its style, faces and scripts included. */
const BUDGET = { bytes: 60_000, requests: 6 };
/**
 * How far letters may move when their face comes after the page was drawn: a word
 * is never as wide in two faces. A line that moves is 0.02 and more.
 */
const SHIFT_MAX = 0.015;

/** What loading a page took. */
export interface Load {
  bytes: number;
  requests: number;
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
    return { bytes, requests, shift, paintMs };
  };
}

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
  const { bytes, requests, shift } = load;
  assert(bytes <= BUDGET.bytes, `${name}: ${bytes} bytes over the wire`);
  assert(requests <= BUDGET.requests, `${name}: ${requests} requests`);
  assert(shift < SHIFT_MAX, `${name} moves by ${shift} while it loads`);
}
