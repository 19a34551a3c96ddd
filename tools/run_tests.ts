/**
 * `deno task test [NAME] [-- ARGUMENTS OF deno test]`: runs a suite, writes its
 * JUnit report and ends in the line `N passed, N failed`.
 *
 * Suites: `unit` is every `*_test.ts`, `browser` and `interop` are the files
 * with that word before `.ts`. A suite without files is skipped; before the
 * browser suite Chromium is installed where there is none.
 *
 * @module
 */
import { ensureChromium } from "./chromium.ts";
import { countReports, summaryLine } from "./junit.ts";
import { ownModules, ROOT } from "./own_modules.ts";

const SUITES: Readonly<Record<string, RegExp>> = {
  unit: /^tests\/.*_test\.tsx?$/,
  browser: /^tests\/.*\.browser\.ts$/,
  interop: /^tests\/.*\.interop\.ts$/,
};

if (import.meta.main) {
  const [name = "unit", ...others] = Deno.args;
  Deno.exit(await runSuite(name, others));
}

/** Runs one suite and answers the exit code. */
async function runSuite(
  name: string,
  others: readonly string[],
): Promise<number> {
  const shape = SUITES[name];
  if (shape === undefined) {
    const known = Object.keys(SUITES).join(", ");
    report(`Cannot run suite "${name}": a suite is one of ${known}`);
    return 2;
  }
  const files = (await ownModules()).filter((path) => shape.test(path));
  if (files.length === 0) {
    report(`No ${name} tests yet`);
    return 0;
  }
  if (name === "browser") await ensureChromium();
  return await runFiles(files, await reportPath(name), others);
}

/** Where the report goes: a folder that CI names, else the cache. */
async function reportPath(name: string): Promise<string> {
  const folder = Deno.env.get("JUNIT_DIR") ?? `${ROOT}.cache/junit`;
  await Deno.mkdir(folder, { recursive: true });
  const path = `${folder}/${name}.xml`;
  await Deno.remove(path).catch(() => {});
  return path;
}

async function runFiles(
  files: readonly string[],
  junit: string,
  others: readonly string[],
): Promise<number> {
  const { code } = await new Deno.Command(Deno.execPath(), {
    args: ["test", "-A", `--junit-path=${junit}`, ...others, ...files],
    cwd: ROOT,
  }).spawn().status;
  const xml = await Deno.readTextFile(junit).catch(() => "");
  const counts = countReports([xml]);
  // A run can fail without a failed case: a leak, or a module that throws.
  if (code !== 0 && counts.failed === 0) counts.failed = 1;
  report(summaryLine(counts));
  return counts.failed === 0 ? 0 : 1;
}

function report(line: string): void {
  // deno-lint-ignore no-console -- a command's output
  console.log(line);
}
