import { assertEquals } from "@std/assert";
import { ROOT } from "../../../../tools/own_modules.ts";

const MINUTE = 60_000;
const SCRIPT = await Deno.readTextFile(
  `${ROOT}routes/site/scripts/countdown.js`,
);

/** A page that the server wrote at 0 by its clock; the moment is in 3 minutes. */
function openedPage(
  { browserMs, transferSize = 300 }: {
    /** What the browser's clock says then. */
    browserMs: number;
    transferSize?: number;
  },
) {
  const place = {
    dataset: {
      until: String(3 * MINUTE),
      now: "0",
      says: "in {}",
      over: "it has passed",
    },
    textContent: "",
  };
  let nowMs = browserMs;
  let tick = () => {};
  const page = {
    document: { querySelectorAll: () => [place], addEventListener() {} },
    Date: { now: () => nowMs },
    performance: { getEntriesByType: () => [{ transferSize }] },
    setInterval: (show: () => void) => tick = show,
  };
  new Function(...Object.keys(page), SCRIPT)(...Object.values(page));
  return function after(ms: number): string {
    nowMs = browserMs + ms;
    tick();
    return place.textContent.replaceAll("\u00a0", " ");
  };
}

Deno.test("countdown.js says that the time is over once it is, and not before", () => {
  const after = openedPage({ browserMs: 0 });
  assertEquals(
    [0, 1, 2 * MINUTE, 2 * MINUTE + 1, 3 * MINUTE - 1].map(after),
    [
      "in 3 min",
      "in 2 min",
      "in 1 min",
      "in less than a minute",
      "in less than a minute",
    ],
  );
  assertEquals(
    [3 * MINUTE, 4 * MINUTE, 60 * MINUTE, 1e12].map(after),
    Array(4).fill("it has passed"),
  );
});

for (const browserMs of [-60 * MINUTE, 60 * MINUTE, 1e12]) {
  Deno.test(`countdown.js counts on from the server's clock, whatever the browser's says: ${browserMs}`, () => {
    const after = openedPage({ browserMs });
    assertEquals(after(15_000), "in 2 min");
    assertEquals(after(3 * MINUTE), "it has passed");
  });
}

Deno.test("countdown.js goes by the browser's clock on a page that was kept, which may be of any age", () => {
  const after = openedPage({ browserMs: 2 * MINUTE, transferSize: 0 });
  assertEquals(after(0), "in 1 min");
  assertEquals(after(MINUTE), "it has passed");
});
