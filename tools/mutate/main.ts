/**
 * `deno task mutate FILE… [--tests PATH]…`: changes the modules in one place at
 * a time, in a copy of the project, and runs the tests that are to notice it:
 * those of the folder that mirrors the module's, or those that are named. What
 * no test notices survives: it is printed, and the exit code is 1, unless
 * `equivalent.json` gives a reason why nothing could notice it.
 *
 * @module
 */
import { parseArgs } from "node:util";
import { print, runTool, ToolFailure, UsageError } from "../command.ts";
import { ownModules, ROOT } from "../own_modules.ts";
import equivalents from "./equivalent.json" with { type: "json" };
import { type Mutation, mutationsOf } from "./mutations.ts";
import { type PrivateCopy, privateCopy } from "./private_copy.ts";

/** How long the unchanged tests may take, and checking types. */
const RUN_MS = 10 * 60_000;
/** Tests of changed code may take so many times as long, and a while more. */
const SLOWER_TIMES = 3;
const SLOWER_MS = 10_000;

const RESULTS = ["noticed", "not compiled", "equivalent", "survived"] as const;
type Result = typeof RESULTS[number];

/** A change that nothing could notice, by the line that it changes. */
type Equivalent = Pick<Mutation, "file" | "before" | "after"> & {
  reason: string;
};

if (import.meta.main) await runTool(mutate);

async function mutate(args: string[]): Promise<void> {
  const { values: { tests }, positionals: files } = parseArgs({
    args,
    allowPositionals: true,
    options: { tests: { type: "string", multiple: true } },
  });
  if (files.length === 0) {
    throw new UsageError("Name the modules to change, such as domain/day.ts");
  }
  await using copy = await privateCopy();
  const results: Result[] = [];
  for (const file of files) {
    const chosen = tests ?? await mirroringTests(file);
    results.push(...await mutateFile(copy, file, chosen));
  }
  const counts = RESULTS.map((result) =>
    `${results.filter((each) => each === result).length} ${result}`
  );
  await print(`${results.length} mutations: ${counts.join(", ")}`);
  if (results.includes("survived")) Deno.exitCode = 1;
}

/**
 * The tests in the folder that mirrors a module's, or in the nearest above that
 * has any; first those with its name, as they notice most.
 */
export async function mirroringTests(file: string): Promise<string[]> {
  const all = (await ownModules("tests/")).filter((path) =>
    /_test\.tsx?$/.test(path)
  );
  const [name = ""] = file.slice(file.lastIndexOf("/") + 1).split(".");
  let folder = `tests/${file}`;
  let found: string[] = [];
  while (found.length === 0 && folder.includes("/")) {
    folder = folder.slice(0, folder.lastIndexOf("/"));
    found = all.filter((path) => path.lastIndexOf("/") === folder.length)
      .filter((path) => path.startsWith(folder));
  }
  const isNamed = (path: string) => path.startsWith(`${folder}/${name}_`);
  return [...found.filter(isNamed), ...found.filter((path) => !isNamed(path))];
}

async function mutateFile(
  copy: PrivateCopy,
  file: string,
  tests: readonly string[],
): Promise<Result[]> {
  const args = ["test", "-A", "--no-check", "--fail-fast", ...tests];
  const begun = performance.now();
  if (tests.length === 0 || !await copy.succeeds(args, RUN_MS)) {
    throw new ToolFailure(
      `Cannot judge by tests that fail: ${tests.join(" ")}`,
    );
  }
  const limitMs = (performance.now() - begun) * SLOWER_TIMES + SLOWER_MS;
  const results: Result[] = [];
  for (const mutation of await mutationsOf(file)) {
    const { line, before, after, source } = mutation;
    await copy.write(file, source);
    const result = isEquivalent(mutation)
      ? "equivalent"
      : !await copy.succeeds(args, limitMs)
      ? "noticed"
      : !await copy.succeeds(["check", file], RUN_MS)
      ? "not compiled"
      : "survived";
    results.push(result);
    if (result === "survived") {
      await print(`${file}:${line} ${before} → ${after}`);
    }
  }
  await copy.write(file, await Deno.readTextFile(ROOT + file));
  return results;
}

function isEquivalent({ file, before, after }: Mutation): boolean {
  const known: readonly Equivalent[] = equivalents;
  return known.some((each) =>
    each.file === file && each.before === before && each.after === after
  );
}
