/**
 * The browser of the browser tests: Debian's Chromium and the faces that it
 * draws with, installed where there are none, so that a fresh machine needs no
 * preparation. It is Chromium's headless shell, the same engine without windows
 * and menus: opening a page costs it a fifth.
 *
 * @module
 */
import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import { print, runTool, ToolFailure } from "./command.ts";
import { ROOT } from "./own_modules.ts";
import { endGroup, startGroup } from "./process_group.ts";

/**
 * Nothing but the pages under test: no updates, no first run, no QUIC. No
 * scrollbars, which would take of a page's width, a mouse, and letters drawn as
 * wide as they are. Pages behind others are no slower than those before them.
 */
export const CHROMIUM_FLAGS: readonly string[] = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--hide-scrollbars",
  "--force-color-profile=srgb",
  "--font-render-hinting=full",
  "--disable-lcd-text",
  "--blink-settings=primaryHoverType=2,availableHoverTypes=2," +
  "primaryPointerType=4,availablePointerTypes=4",
  "--disable-renderer-backgrounding",
  "--disable-background-timer-throttling",
  "--disable-backgrounding-occluded-windows",
  "--disable-back-forward-cache",
  "--disable-dev-shm-usage",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** Has it draw with the same faces on each machine. */
export const CHROMIUM_ENV: Readonly<Record<string, string>> = {
  FONTCONFIG_FILE: `${ROOT}tests/support/looks/fonts.conf`,
};

/** Names the address of a Chromium that runs already, for tests to share. */
export const CHROMIUM_URL = "CHROMIUM_URL";

/** Where Chromium is: where Debian puts it, unless `CHROMIUM` says otherwise. */
export function chromiumPath(): string {
  return Deno.env.get("CHROMIUM") ??
    "/usr/lib/chromium/chromium-headless-shell";
}

/** The faces that pages are drawn with, and one file of each. */
const FACES: Readonly<Record<string, string>> = {
  "fonts-liberation":
    "/usr/share/fonts/truetype/liberation/LiberationSans-Regular.ttf",
  "fonts-dejavu-core": "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf",
};

/**
 * Installs Chromium and its faces with apt where they are missing.
 *
 * @throws {ToolFailure} where that is not possible
 */
export async function ensureChromium(): Promise<void> {
  const wanted = { "chromium-headless-shell": chromiumPath(), ...FACES };
  const missing: string[] = [];
  for (const [name, path] of Object.entries(wanted)) {
    if (!await exists(path)) missing.push(name);
  }
  if (missing.length === 0) return;
  await print(`Installing ${missing.join(", ")} for the browser tests`);
  await apt("update");
  await apt("install", "-y", "--no-install-recommends", ...missing);
}

/** A Chromium that several test files use at a time. */
export interface SharedChromium extends AsyncDisposable {
  /** What its tests are told, to find it by. */
  env: Readonly<Record<string, string>>;
}

/** Starts Chromium with a profile of its own, and waits until it can be used. */
export async function startChromium(): Promise<SharedChromium> {
  const profile = await Deno.makeTempDir({ prefix: "spotlight-chromium-" });
  const child = startGroup(chromiumPath(), {
    args: [
      ...CHROMIUM_FLAGS,
      "--remote-debugging-port=0",
      `--user-data-dir=${profile}`,
    ],
    env: { ...CHROMIUM_ENV },
    stdin: "null",
    stdout: "null",
    stderr: "piped",
  });
  const address = Promise.withResolvers<string>();
  const read = readAddress(child.stderr, address.resolve)
    .then(() => address.reject(new ToolFailure("Cannot start Chromium")));
  return {
    env: { [CHROMIUM_URL]: await address.promise },
    async [Symbol.asyncDispose]() {
      endGroup(child);
      await Promise.all([child.status, read]);
      await Deno.remove(profile, { recursive: true });
    },
  };
}

/** Reads on to the end, so that what it says never waits for a reader. */
async function readAddress(
  output: ReadableStream<Uint8Array>,
  tell: (address: string) => void,
): Promise<void> {
  for await (const line of createInterface(Readable.fromWeb(output))) {
    const [, address] = /listening on (ws:\S+)/.exec(line) ?? [];
    if (address !== undefined) tell(address);
  }
}

async function exists(path: string): Promise<boolean> {
  try {
    return (await Deno.stat(path)).isFile;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

/** A download that breaks off is tried again; another apt is waited for. */
const APT_PATIENCE: readonly string[] = [
  "--option=Acquire::Retries=3",
  "--option=DPkg::Lock::Timeout=300",
];

async function apt(...args: string[]): Promise<void> {
  const command = new Deno.Command("apt-get", {
    args: ["-q", ...APT_PATIENCE, ...args],
    env: { DEBIAN_FRONTEND: "noninteractive" },
    stdin: "null",
    stdout: "null",
    stderr: "inherit",
  });
  const wanted = "install Chromium and name it in CHROMIUM";
  try {
    const { code } = await command.spawn().status;
    if (code === 0) return;
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    throw new ToolFailure(`Cannot install Chromium without apt-get: ${wanted}`);
  }
  throw new ToolFailure(`Cannot install Chromium with apt-get: ${wanted}`);
}

if (import.meta.main) await runTool(ensureChromium);
