import { ROOT } from "../../../tools/own_modules.ts";
import {
  CapturedProcess,
  type ProcessEnd,
} from "../../support/captured_process.ts";

/** Longest run, the download on a fresh machine included. */
const WITHIN_MS = 120_000;

/** A program of a package that is no dependency of the project. */
export interface NpmTool {
  /** With its version, as in `npm:name@1.2.3`. */
  specifier: string;
  /** The file beside this one that locks its packages. */
  lock: string;
  /** The variable that names the folder where it keeps things. */
  folderVariable?: string;
}

/** What Deno is started with to run a tool. */
export function npmToolArgs(
  { specifier, lock }: NpmTool,
  args: readonly string[],
): string[] {
  return [
    "run",
    "-A",
    "--quiet",
    "--no-config",
    "--node-modules-dir=none",
    `--lock=${ROOT}tests/interop/support/${lock}`,
    "--frozen",
    specifier,
    ...args,
  ];
}

/**
 * Runs a tool to its end, in a folder of its own, as some look for a package
 * where they are.
 */
export async function runNpmTool(
  tool: NpmTool,
  given: readonly string[],
): Promise<ProcessEnd> {
  const cwd = await Deno.makeTempDir({ prefix: "npm-tool-" });
  try {
    const { folderVariable } = tool;
    await using process = new CapturedProcess({
      args: npmToolArgs(tool, given),
      cwd,
      env: folderVariable === undefined ? {} : { [folderVariable]: cwd },
      printed: () => true,
    });
    const timer = setTimeout(() => process.kill("SIGKILL"), WITHIN_MS);
    const end = await process.ended;
    clearTimeout(timer);
    return end;
  } finally {
    await Deno.remove(cwd, { recursive: true });
  }
}
