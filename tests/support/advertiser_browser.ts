import type { Page } from "playwright-core";
import {
  assertAccessible,
  assertFits,
  type BrowserWorld,
  mailedLink,
  picture,
} from "./chromium.ts";

/** Who signs in. */
export const ADA = "ada@example.com";

/**
 * The window that most things are done in: the narrowest, where most goes wrong.
 * Each page is looked at in wider ones as well, by `looks/look_at.ts`.
 */
export const PHONE = { viewport: { width: 320, height: 640 } } as const;

/** The windows of what an operator does, who has a desk. */
export const LOOKS = [
  ["wide", { viewport: { width: 1_280, height: 800 } }],
  ["phone", PHONE],
] as const;

/** Signs in on the sign-in page that is open, by the mailed code. */
export async function signInHere(
  world: BrowserWorld,
  page: Page,
  email = ADA,
): Promise<void> {
  await page.getByLabel("E-mail address").fill(email);
  await page.getByRole("button", { name: "Send me a code" }).click();
  await page.waitForURL("**/sign-in/verify");
  const code = (await mailedLink(world, email)).slice(-8);
  await page.getByLabel("Code of 8 digits").fill(code);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
}

/** Looks at a page: accessible, nothing too wide, and pictures of it. */
export async function see(page: Page, name: string): Promise<void> {
  await assertAccessible(page);
  await assertFits(page);
  await picture(page, name);
}

/** What the browser complained of, but for answers that were wanted. */
export function unwanted(complaints: readonly string[]): string[] {
  return complaints.filter((text) => !/status of 4\d\d/.test(text));
}
