import { groupsOf } from "../domain/groups.ts";
import { ROOT } from "./own_modules.ts";

/**
 * Files a group holds at most. Loading the service costs more than most files'
 * tests, and a group loads it once; too few groups would leave a processor idle
 * at the end.
 */
const GROUP_MAX = 24;

/** The same of long files, each of which takes as long as several others. */
const LONG_GROUP_MAX = 4;

/**
 * Tests that start processes, live whole days, install the packages of others or
 * look at every page: long, so they begin first.
 */
const LONG =
  /^tests\/((http|simulation|tools|networked)\/|interop\/(mcp_hosts|openapi)|browser\/looks_)/;

/** Tests that compare times, or hold something to one. */
const TIMED =
  /^tests\/(expressions|http\/(hostile_texts|two_processes)|routes\/http\/shared_pieces|tools\/dev)_test\.ts$/;

/** Whether a file's tests measure, and so want the machine for themselves. */
export function isTimed(file: string): boolean {
  return TIMED.test(file);
}

/** The same files, those first that take long. */
export function longFirst(files: readonly string[]): string[] {
  const long = files.filter((file) => LONG.test(file));
  return [...long, ...files.filter((file) => !LONG.test(file))];
}

/**
 * Divides test files into groups, each run in an isolate of its own: long files
 * first and few at a time, the others by their order, so that neighbours share
 * what they import.
 */
export function testGroups(files: readonly string[]): string[][] {
  const long = files.filter((file) => LONG.test(file));
  const short = files.filter((file) => !LONG.test(file));
  return [...groupsOf(long, LONG_GROUP_MAX), ...groupsOf(short, GROUP_MAX)];
}

/**
 * Writes a module for each group, which imports its files, into a folder.
 *
 * @returns the paths of the modules, in the order of the groups
 */
export async function writeGroups(
  folder: string,
  groups: readonly (readonly string[])[],
): Promise<string[]> {
  const width = String(groups.length).length;
  return await Promise.all(groups.map(async (files, at) => {
    const imports = files.map((file) =>
      `import ${JSON.stringify(`file://${ROOT}${file}`)};\n`
    );
    const path = `${folder}/${String(at).padStart(width, "0")}_test.ts`;
    await Deno.writeTextFile(path, imports.join(""));
    return path;
  }));
}
