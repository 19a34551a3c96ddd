import { groupsOf } from "../domain/groups.ts";
import { ROOT } from "./own_modules.ts";

/** How many files a group holds at most. */
interface GroupSizes {
  short: number;
  /** Of long files, each of which takes as long as several others. */
  long: number;
}

/**
 * Loading the service costs more than most files' tests, and a group loads it
 * once; too few groups would leave a processor idle at the end.
 */
const GROUP_SIZES: GroupSizes = { short: 24, long: 4 };

/**
 * The same of tests in a browser, or with the programs of others: each takes
 * seconds, but as much as one costs what the file loads.
 */
export const SLOW_GROUP_SIZES: GroupSizes = { short: 4, long: 1 };

/**
 * Tests that start processes, live whole days, install the packages of others,
 * look at every page or do all that the desk can: long, so they begin first.
 */
const LONG =
  /^tests\/((http|simulation|tools|networked)\/|interop\/(mcp_hosts|openapi)|browser\/(looks_|desk(_acts)?\.))/;

/** Tests that compare times, or hold something to one. */
const TIMED =
  /^tests\/(expressions|http\/(hostile_texts|two_processes)|routes\/http\/shared_pieces|tools\/dev)_test\.ts$/;

/** Whether a file's tests measure, and so want the machine for themselves. */
export function isTimed(file: string): boolean {
  return TIMED.test(file);
}

/**
 * Divides test files into groups, each run in an isolate of its own: long files
 * first and few at a time, the others by their order, so that neighbours share
 * what they import.
 */
export function testGroups(
  files: readonly string[],
  sizes: GroupSizes = GROUP_SIZES,
): string[][] {
  const long = files.filter((file) => LONG.test(file));
  const short = files.filter((file) => !LONG.test(file));
  return [...groupsOf(long, sizes.long), ...groupsOf(short, sizes.short)];
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
