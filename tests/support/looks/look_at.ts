/**
 * Looks at pages: each in three windows and two colour schemes has to be as it
 * was kept, to fit, and to have nothing that axe finds. `UPDATE_LOOKS=1` keeps
 * what is seen instead.
 *
 * @module
 */
import { assertEquals } from "@std/assert";
import type { Browser, CDPSession, Page } from "playwright-core";
import { ROOT } from "../../../tools/own_modules.ts";
import { unwanted } from "../advertiser_browser.ts";
import { htmlFaultsOf } from "../valid_html.ts";
import {
  assertAccessible,
  assertFits,
  launchBrowser,
  openPage,
} from "../chromium.ts";
import { capture, DOT, pictureOf } from "./capture.ts";
import {
  assertPaintsInTime,
  assertWithin,
  bareMs,
  type Load,
  watchLoad,
} from "./budget.ts";
import { type Difference, differenceOf } from "./compare.ts";
import { LOOKS_AT_MS, type LooksWorld, openLooksWorld } from "./looks_world.ts";
import type { Look } from "./pages.ts";
import type { Picture } from "./picture.ts";
import { picturesOf, sheetOf } from "./sheet.ts";

/** Where kept sheets are. */
export const KEPT = `${ROOT}tests/browser/looks/`;
/** Where whole pictures are, to look at: of what was kept, or is not as kept. */
const ARTIFACTS = `${ROOT}.cache/looks/`;
const HEIGHT = 800;
type Scheme = "light" | "dark";
const OTHER = { light: "dark", dark: "light" } as const;
/** How often a page is looked at before it counts as another than the kept one. */
const LOOKS_MAX = 10;
/** Ends when two frames were drawn. */
const NEXT_FRAMES = `new Promise((drawn) =>
  requestAnimationFrame(() => requestAnimationFrame(drawn)))`;

/** The narrowest window. */
const PHONE = 320;
/** Tables of figures that are wider than the window, by the names of them. */
const WIDE_TABLES = `[...document.querySelectorAll("table.figures")]
  .map((table) => table.parentElement)
  .filter((around) => around.scrollWidth > around.clientWidth)
  .map((around) => around.getAttribute("aria-labelledby"))`;

/** The windows and schemes, in the order of a sheet. */
const VIEWS = [PHONE, 768, 1_280].flatMap((width) =>
  (["light", "dark"] as const).map((scheme) => ({ width, scheme }))
);

/** Has a test for each of these pages, in a world that they share. */
export function lookAt(looks: readonly Look[]): void {
  let opened: Opened | null = null;
  Deno.test.beforeAll(async () => {
    await Deno.mkdir(ARTIFACTS, { recursive: true });
    opened = { world: await openLooksWorld(), browser: await launchBrowser() };
  });
  Deno.test.afterAll(async () => {
    await opened?.browser.close();
    await opened?.world[Symbol.asyncDispose]();
  });
  Deno.test.afterAll(() => printSlowest());
  for (const [nth, look] of looks.entries()) {
    Deno.test({
      name: `a page looks as it was kept: ${look.name}`,
      // Connections to the shared service stay open from page to page.
      sanitizeOps: false,
      sanitizeResources: false,
      async fn() {
        if (opened === null) throw new TypeError("The world was not opened");
        const kept = await keptOf(look.name);
        const pictures = await picturesOfLook(opened, look, nth, kept);
        await compareOrKeep(look.name, pictures, kept);
      },
    });
  }
}

/** Writes what is drawn at random, ports and ids of payments, as it is each time. */
const SAME_TEXTS = `
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const { data } = texts.currentNode;
    const same = data.replaceAll(/(localhost|127\\.0\\.0\\.1):\\d+/g, "$1:10000")
      .replaceAll(/\\b(?:pi|txn)_\\w{8,}/g, ({ length }) => "id_".padEnd(length, "x"));
    if (same !== data) texts.currentNode.data = same;
  }`;

/** What each page took. */
const loads: [name: string, load: Load][] = [];

/** What came closest to the budget. */
function printSlowest(): void {
  const [slowest] = loads.toSorted(([, a], [, b]) => b.paintMs - a.paintMs);
  const [largest] = loads.toSorted(([, a], [, b]) => b.bytes - a.bytes);
  // deno-lint-ignore no-console -- whoever reads the run is to see it
  console.log(
    `${loads.length} pages; the largest paint came last in ${slowest?.[0]}, ` +
      `after ${Math.round(slowest?.[1].paintMs ?? 0)} ms; most bytes took ` +
      `${largest?.[0]}, ${largest?.[1].bytes}`,
  );
}

/** What a look is looked at with. */
interface Opened {
  world: LooksWorld;
  browser: Browser;
}

/** Opens the page as who looks at it for the first time. */
async function load(
  { world, browser }: Opened,
  { as, path, status = 200 }: Look,
  nth: number,
) {
  const { page, context, complaints } = await openPage(browser, {
    baseURL: world.baseUrl,
    viewport: { width: 1_280, height: HEIGHT },
    // The clock stands still, so that no address would be let in again. What
    // development alone has is for this machine, without a proxy.
    ...!path.startsWith("/dev/") && {
      extraHTTPHeaders: { "x-forwarded-for": `198.51.100.${nth}` },
    },
  });
  await context.addCookies(world.cookiesOf(as));
  await page.clock.setFixedTime(LOOKS_AT_MS);
  const session = await context.newCDPSession(page);
  const loaded = await watchLoad(session, page);
  const answer = await page.goto(await world.addressFor(as, path));
  assertEquals(answer?.status(), status, path);
  return { page, context, complaints, session, answer, load: await loaded() };
}

/** Loads the page once more: when the largest part of it was drawn, ms. */
async function paintMsOf(
  opened: Opened,
  look: Look,
  nth: number,
): Promise<number> {
  const { context, load: { paintMs } } = await load(opened, look, nth);
  await context.close();
  return paintMs;
}

/** Opens the page, and takes its picture in each view. */
async function picturesOfLook(
  opened: Opened,
  look: Look,
  nth: number,
  kept: readonly Picture[] | null,
): Promise<Picture[]> {
  const { name, act } = look;
  const seen = await load(opened, look, nth);
  const { page, context, complaints, session, answer } = seen;
  loads.push([name, seen.load]);
  assertWithin(name, seen.load);
  await assertPaintsInTime(
    name,
    seen.load.paintMs,
    () => paintMsOf(opened, look, nth),
    () => bareMs(opened.browser),
  );
  assertEquals(await htmlFaultsOf(await answer?.text() ?? ""), []);
  await act?.(page);
  await page.evaluate(SAME_TEXTS);
  const pictures: Picture[] = [];
  for (const { width, scheme } of VIEWS) {
    await page.setViewportSize({ width, height: HEIGHT });
    await page.emulateMedia({ colorScheme: scheme });
    const drawn = { page, session, scheme };
    pictures.push(await drawnPicture(drawn, kept?.[pictures.length]));
    if (!isAsKept(pictures, kept)) {
      const whole = await capture(session);
      await Deno.writeFile(`${ARTIFACTS}${name}-${width}-${scheme}.png`, whole);
    }
    // Once a window: it looks in both schemes.
    if (scheme === "dark") await assertAccessible(page);
    await assertFits(page);
    if (width === PHONE) await assertTablesFit(page);
  }
  assertEquals(unwanted(complaints), []);
  await context.close();
  return pictures;
}

/** All of a table's figures are seen on a phone, without scrolling it sideways. */
async function assertTablesFit(page: Page): Promise<void> {
  assertEquals(await page.evaluate(WIDE_TABLES), [], "tables that scroll");
}

/** A page in a colour scheme. */
interface Drawn {
  page: Page;
  session: CDPSession;
  scheme: Scheme;
}

/**
 * The page as it is once it was drawn. On a machine that is busy Chromium may
 * hand out the frame before a change, or forget the colours it was told: a page
 * unlike the kept one is told them anew and looked at again.
 */
async function drawnPicture(
  { page, session, scheme }: Drawn,
  kept: Picture | undefined,
): Promise<Picture> {
  let seen = await pictureOf(session);
  for (let look = 1; look < LOOKS_MAX; look++) {
    if (kept !== undefined && differenceOf(kept, seen) === null) return seen;
    await page.emulateMedia({ colorScheme: OTHER[scheme] });
    await page.evaluate(NEXT_FRAMES);
    await page.emulateMedia({ colorScheme: scheme });
    await page.evaluate(NEXT_FRAMES);
    const before = seen;
    seen = await pictureOf(session);
    if (kept === undefined && differenceOf(before, seen) === null) return seen;
  }
  return seen;
}

/** Whether the last picture is as its kept one; never where none is. */
function isAsKept(
  pictures: readonly Picture[],
  kept: readonly Picture[] | null,
): boolean {
  const nth = pictures.length - 1;
  const [before, now] = [kept?.[nth], pictures[nth]];
  return before !== undefined && now !== undefined &&
    differenceOf(before, now) === null;
}

/** The pictures that were kept of a page; null where new ones are to be. */
async function keptOf(name: string): Promise<Picture[] | null> {
  if (Deno.env.get("UPDATE_LOOKS") === "1") return null;
  const widths = VIEWS.map(({ width }) => width / DOT);
  return picturesOf(await Deno.readFile(`${KEPT}${name}.png`), widths);
}

async function compareOrKeep(
  name: string,
  pictures: readonly Picture[],
  kept: readonly Picture[] | null,
): Promise<void> {
  if (kept === null) {
    return await Deno.writeFile(`${KEPT}${name}.png`, sheetOf(pictures));
  }
  const told = pictures.flatMap((picture, nth) => {
    const found = differenceOf(kept[nth] ?? picture, picture);
    return found === null ? [] : [sentenceOf(name, nth, found)];
  });
  assertEquals(told, [], "UPDATE_LOOKS=1 keeps what is meant to be so");
}

function sentenceOf(
  name: string,
  nth: number,
  { dots, left, top }: Difference,
): string {
  const { width, scheme } = VIEWS[nth] ?? { width: 0, scheme: "" };
  return `.cache/looks/${name}-${width}-${scheme}.png differs in ${dots} dots ` +
    `of ${DOT} pixels, first at ${left * DOT}, ${top * DOT}`;
}
