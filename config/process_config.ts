/**
 * The configuration of this process: its environment, and the folder where it
 * keeps its data.
 *
 * @module
 */
import { type Config, type ConfigDisk, parseConfig } from "./config.ts";
import { PLATFORM_MARK, PROXY_MARK } from "./contradictions.ts";
import { type Environment, WANTED } from "./variables.ts";

/**
 * Reads the configuration of a service that is about to run here, and makes
 * its folder ready.
 *
 * @throws {ConfigError} one line for each bad value
 */
export function loadConfig(fallback?: Environment): Config {
  return parseConfig(processEnvironment(fallback), { ...disk, prepare });
}

/**
 * Reads the configuration of a service that a tool works for, in development
 * unless ENVIRONMENT says otherwise. Outside development it touches no folder: a
 * tool may belong to somebody who can't write there.
 *
 * @throws as {@linkcode loadConfig} does
 */
export function loadToolConfig(): Config {
  const env = processEnvironment("development");
  const isDevelopment = env.ENVIRONMENT === "development";
  return parseConfig(env, isDevelopment ? { ...disk, prepare } : disk);
}

/** Asked one by one: permission is given for these names and no others. */
function processEnvironment(
  fallback: Environment | undefined,
): Record<string, string | undefined> {
  const names = [...Object.keys(WANTED), PLATFORM_MARK, PROXY_MARK];
  const env = Object.fromEntries(
    names.map((name) => [name, Deno.env.get(name)]),
  );
  return { ...env, ENVIRONMENT: env.ENVIRONMENT || fallback };
}

const disk: ConfigDisk = {
  read(path) {
    try {
      return Deno.readTextFileSync(path);
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) return null;
      throw error;
    }
  },
  create(path, text) {
    const folder = path.slice(0, path.lastIndexOf("/"));
    Deno.mkdirSync(folder, { recursive: true, mode: 0o700 });
    const draft = `${path}.${Deno.pid}`;
    writeDraft(draft, text);
    try {
      // Who starts beside it reads all of the file or finds none.
      Deno.linkSync(draft, path);
    } catch (error) {
      if (!(error instanceof Deno.errors.AlreadyExists)) throw error;
    } finally {
      Deno.removeSync(draft);
    }
  },
};

/** Over what a dead process of the same number has left, and safe on the disk. */
function writeDraft(draft: string, text: string): void {
  Deno.writeTextFileSync(draft, text, { mode: 0o600 });
  using file = Deno.openSync(draft, { write: true });
  file.syncSync();
}

/** Written and removed again: only a write tells of full and read-only disks. */
function prepare(folder: string): string | null {
  const probe = `${folder}/.write-check-${Deno.pid}`;
  try {
    Deno.mkdirSync(folder, { recursive: true, mode: 0o700 });
    Deno.writeTextFileSync(probe, "written\n", { mode: 0o600 });
    Deno.removeSync(probe);
    return null;
  } catch (error) {
    return `cannot be used: ${reasonOf(error)}`;
  }
}

/** Why a file can't be written, without Deno's advice on flags. */
function reasonOf(error: unknown): string {
  if (error instanceof Deno.errors.NotCapable) {
    return "the process was started without permission for it";
  }
  return error instanceof Error ? error.message : String(error);
}
