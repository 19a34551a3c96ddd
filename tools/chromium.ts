/**
 * The browser of the browser tests: Debian's Chromium, installed where there
 * is none, so that a fresh machine needs no preparation.
 *
 * @module
 */
import { print, ToolFailure } from "./command.ts";

/** Where Chromium is: where Debian puts it, unless `CHROMIUM` says otherwise. */
export function chromiumPath(): string {
  return Deno.env.get("CHROMIUM") ?? "/usr/bin/chromium";
}

/**
 * Installs Chromium with apt where it is missing.
 *
 * @throws {ToolFailure} where that is not possible
 */
export async function ensureChromium(): Promise<void> {
  if (await exists(chromiumPath())) return;
  await print("Installing Chromium for the browser tests");
  await apt("update");
  await apt("install", "-y", "--no-install-recommends", "chromium");
}

async function exists(path: string): Promise<boolean> {
  try {
    return (await Deno.stat(path)).isFile;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

async function apt(...args: string[]): Promise<void> {
  const command = new Deno.Command("apt-get", {
    args: ["-q", ...args],
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
