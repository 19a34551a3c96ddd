/** The project's folder, with a slash at its end. */
export const ROOT: string = new URL("../", import.meta.url).pathname;

/** Folders that hold no modules of ours, or what a task writes. */
const SKIPPED: ReadonlySet<string> = new Set([
  "node_modules",
  "fixtures",
  "generated",
]);

/** Our modules; of JavaScript those that run under Node as they are. */
const OURS = /^(?:.*\.tsx?|clients\/.*\.js)$/;

/** The paths of the project's own modules, relative to its folder, sorted. */
export async function ownModules(folder = ""): Promise<string[]> {
  const found: string[] = [];
  for await (const { name, isDirectory } of Deno.readDir(ROOT + folder)) {
    const path = folder + name;
    if (isDirectory) {
      if (name.startsWith(".") || SKIPPED.has(name)) continue;
      found.push(...await ownModules(`${path}/`));
    } else if (OURS.test(path)) found.push(path);
  }
  return found.toSorted();
}
