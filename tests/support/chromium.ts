import axe from "axe-core/axe.min.js";
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from "playwright-core";
import { assertEquals } from "@std/assert";
import {
  CHROMIUM_ENV,
  CHROMIUM_FLAGS,
  CHROMIUM_URL,
  chromiumPath,
} from "../../tools/chromium.ts";
import { seen } from "./captured_logs.ts";
import {
  type RunningService,
  type RunOptions,
  runService,
} from "./running_service.ts";

/** Where pictures of pages go, when anyone wants to look at them. */
export const PICTURES = Deno.env.get("PICTURES");

/** A service and a browser that look at each other. */
export interface BrowserWorld extends AsyncDisposable {
  running: RunningService;
  baseUrl: string;
  /** A browser's own cookies and storage, with a page in it. */
  open(options?: BrowserContextOptions): Promise<OpenPage>;
}

/** A page, and the faults that the browser found in it. */
export interface OpenPage {
  page: Page;
  context: BrowserContext;
  /** Errors of scripts and of the content security policy. */
  complaints: string[];
}

/** How a test's service runs, and what browser it is looked at with. */
export interface BrowserWorldOptions extends RunOptions {
  /**
   * Whether Chromium is this test's alone. A device is asked by the window that
   * has the focus, which windows of other tests take away.
   */
  isAlone?: boolean;
}

/** Starts a service on free ports and Chromium. */
export async function openBrowserWorld(
  { isAlone = false, ...options }: BrowserWorldOptions = {},
): Promise<BrowserWorld> {
  const running = await runService(options);
  const { baseUrl } = running.config.settings;
  const browser = await (isAlone ? startBrowser() : launchBrowser());
  return {
    running,
    baseUrl,
    open: (options = {}) => openPage(browser, { baseURL: baseUrl, ...options }),
    async [Symbol.asyncDispose]() {
      await browser.close();
      await running[Symbol.asyncDispose]();
    },
  };
}

/** Chromium: the one that the suite shares, or one of its own in a single file. */
export function launchBrowser(): Promise<Browser> {
  const shared = Deno.env.get(CHROMIUM_URL);
  return shared === undefined
    ? startBrowser()
    : chromium.connectOverCDP(shared);
}

function startBrowser(): Promise<Browser> {
  const executablePath = chromiumPath();
  return chromium.launch({
    executablePath,
    args: [...CHROMIUM_FLAGS],
    env: { ...Deno.env.toObject(), ...CHROMIUM_ENV },
  });
}

/** A page with cookies and storage of its own. */
export async function openPage(
  browser: Browser,
  options: BrowserContextOptions,
): Promise<OpenPage> {
  const context = await browser.newContext(options);
  OPTIONS.set(context, options);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on("pageerror", ({ message }) => void complaints.push(message));
  page.on("console", (message) => {
    if (message.type() === "error") complaints.push(message.text());
  });
  return { page, context, complaints };
}

/** How each context was opened. */
const OPTIONS = new WeakMap<BrowserContext, BrowserContextOptions>();

/** Asserts that axe finds no violation on the page, in either colour scheme. */
export async function assertAccessible(page: Page): Promise<void> {
  const options = OPTIONS.get(page.context()) ?? {};
  if (options.javaScriptEnabled !== false) return await runAxe(page);
  // Without JavaScript axe never ends: it looks at a copy of the page.
  const browser = page.context().browser();
  const context = await browser?.newContext({
    ...options,
    javaScriptEnabled: true,
  });
  const copy = await context?.newPage();
  if (copy === undefined) throw new TypeError("The browser has been closed");
  const body = (await page.content())
    .replaceAll(/<script\b.*?<\/script>/gs, "");
  await copy.route(
    page.url(),
    (route) => route.fulfill({ contentType: "text/html; charset=utf-8", body }),
  );
  await copy.goto(page.url());
  await runAxe(copy);
  await context?.close();
}

/** What is read of axe's answer; the service has no sounds or films to wait for. */
const VIOLATIONS = { resultTypes: ["violations"], preload: false };

/** What axe looks at in each scheme: all of it once, and colours once more. */
const SCHEMES = [
  ["dark", {
    ...VIOLATIONS,
    runOnly: ["color-contrast", "link-in-text-block"],
  }],
  ["light", VIOLATIONS],
] as const;

async function runAxe(page: Page): Promise<void> {
  if (await page.evaluate("!('axe' in window)")) {
    await page.evaluate(axe.source);
  }
  for (const [colorScheme, options] of SCHEMES) {
    await page.emulateMedia({ colorScheme });
    const found = await page.evaluate(`
axe.run(${JSON.stringify(options)}).then(({ violations }) => violations.map(
  ({ id, nodes }) => id + ": " + nodes.map(({ html }) => html)))`);
    assertEquals(found, [], colorScheme);
  }
}

/** Boxes to tick that take more than their place beside their text. */
const WIDE_BOXES = "[...document.querySelectorAll('[type=checkbox]')]" +
  ".filter((box) => box.offsetWidth > 2 * box.offsetHeight)" +
  ".map(({ name }) => name)";

/** Asserts that nothing is wider than the window, nor a box than a box. */
export async function assertFits(page: Page): Promise<void> {
  const [content, width] = await page.evaluate(
    "[document.documentElement.scrollWidth, innerWidth]",
  ) as [number, number];
  assertEquals(content, width);
  assertEquals(await page.evaluate(WIDE_BOXES), [], "boxes to tick");
}

/** Takes pictures in both schemes, if a folder for pictures is named. */
export async function picture(page: Page, name: string): Promise<void> {
  if (PICTURES === undefined) return;
  for (const [colorScheme] of SCHEMES) {
    await page.emulateMedia({ colorScheme });
    const path = `${PICTURES}/${name}-${colorScheme}.png`;
    await page.screenshot({ path, fullPage: true });
  }
}

/**
 * Gives the browser a device with a fingerprint that is always right. Who asks
 * it opens the world with `isAlone`.
 */
export async function addVirtualAuthenticator(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send("WebAuthn.enable", { enableUI: false });
  await session.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

/** The link in the newest mail to an address, from the page of mails. */
export async function mailedLink(
  { baseUrl }: BrowserWorld,
  email: string,
): Promise<string> {
  seen.add("e-mail address", email);
  const answer = await fetch(`${baseUrl}/dev/outbox`, {
    headers: { accept: "application/json" },
  });
  const { mails } = await answer.json() as {
    mails: { to: string; text: string }[];
  };
  const text = mails.find(({ to }) => to === email)?.text ?? "";
  return /^http\S+$/m.exec(text)?.[0] ?? "";
}
