/**
 * An operator who signs in with a keyboard.
 *
 * @module
 */
import type { Page } from "playwright-core";
import { type BrowserWorld, mailedLink } from "./chromium.ts";
import { typeInto } from "./keyboard.ts";

export const OPERATOR = "operator@example.com";

/** Signs in where the one address that is typed into the browser leads. */
export async function signInAtDesk(
  world: BrowserWorld,
  page: Page,
): Promise<void> {
  await page.goto("/operator");
  await typeInto(page, "E-mail address", OPERATOR);
  await page.keyboard.press("Enter");
  await page.waitForURL("**/sign-in/verify");
  const code = (await mailedLink(world, OPERATOR)).slice(-8);
  await typeInto(page, "Code of 8 digits", code);
  await page.keyboard.press("Enter");
  await page.waitForURL("**/operator");
}
