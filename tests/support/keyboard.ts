/**
 * A page that is worked through as by somebody who has a keyboard and no
 * pointer: nothing is focused but by its keys, and whatever they reach has to
 * be seen to have the focus.
 *
 * @module
 */
import { assert } from "@std/assert";
import type { Locator, Page } from "playwright-core";

/** Nobody is to press a key more often to get to one place of a page. */
const STOPS_MAX = 120;

/** Whether what has the focus has a ring and is in the window. */
interface Focus {
  html: string;
  hasRing: boolean;
  isInView: boolean;
}

/**
 * Null where nothing of the page has the focus. The button within a field for a
 * date has a ring that the browser draws, while the field has not the focus.
 */
const FOCUS = `(() => {
  const at = document.activeElement;
  if (at === null || at === document.body) return null;
  const { outlineStyle, outlineWidth } = getComputedStyle(at);
  const { top, right, bottom, left, width, height } =
    at.getBoundingClientRect();
  return {
    html: at.outerHTML.slice(0, 200),
    hasRing: at.matches("[type=date]:not(:focus)") ||
      at.matches(":focus-visible") && outlineStyle !== "none" &&
        parseFloat(outlineWidth) > 0,
    isInView: width > 0 && height > 0 && right > 0 && bottom > 0 &&
      left < innerWidth && top < innerHeight,
  };
})()`;

/** Asserts that one sees what has the focus, if anything has. */
export async function assertFocusSeen(page: Page): Promise<void> {
  const focus: Focus | null = await page.evaluate(FOCUS);
  if (focus === null) return;
  assert(focus.hasRing, `no ring around what has the focus: ${focus.html}`);
  assert(focus.isInView, `what has the focus is not in view: ${focus.html}`);
}

/** Presses Tab until something has the focus; backwards, Shift and Tab. */
export async function tabTo(
  page: Page,
  target: Locator,
  { back = false }: { back?: boolean } = {},
): Promise<void> {
  const reached = target.and(page.locator(":focus"));
  for (let stops = 0; stops < STOPS_MAX; stops++) {
    if (await reached.count() > 0) return await assertFocusSeen(page);
    await page.keyboard.press(back ? "Shift+Tab" : "Tab");
    await assertFocusSeen(page);
  }
  const where = `${await page.title()}, in ${STOPS_MAX} stops`;
  throw new Error(`No key leads to ${target} on ${where}`);
}

/** Goes to a field and types into it. */
export async function typeInto(
  page: Page,
  label: string,
  text: string,
): Promise<void> {
  await tabTo(page, page.getByLabel(label).and(page.locator(":visible")));
  await page.keyboard.type(text);
}

/** Goes to a link and follows it. */
export async function follow(
  page: Page,
  name: string | RegExp,
  to: string | RegExp,
): Promise<void> {
  await tabTo(page, page.getByRole("link", { name, exact: true }));
  await page.keyboard.press("Enter");
  await page.waitForURL(to);
}

/** Goes to a button and presses it. */
export async function press(
  page: Page,
  name: string | RegExp,
  key: "Enter" | "Space" = "Enter",
): Promise<void> {
  await tabTo(page, page.getByRole("button", { name, exact: true }));
  await page.keyboard.press(key);
}
