/**
 * `deno task test [NAME] [-- ARGUMENTS OF deno test]`: runs a suite, writes its
 * JUnit report and ends in the line `N passed, N failed`.
 *
 * Suites: `unit` is every `*_test.ts`, `browser` and `interop` are the files
 * with that word before `.ts`. A suite without files is skipped; before the
 * browser suite Chromium is installed where there is none. Files run side by
 * side, in groups; `deno test FILE` runs one by itself.
 * `networked` runs tests of the store, of several processes and of crashes over
 * a KV Connect server (`networked_runs.ts`), and a smoke over denokv.
 *
 * @module
 */
import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import { ensureChromium, startChromium } from "./chromium.ts";
import { countReports, summaryLine } from "./junit.ts";
import { FAR_AWAY_LIMIT_MINUTES, overdueTest } from "./overdue.ts";
import { ownModules, ROOT } from "./own_modules.ts";
import { denokvPath } from "./denokv.ts";
import {
  NETWORKED_RUNS,
  type NetworkedRun,
  withServer,
} from "./networked_runs.ts";
import { endGroup, endGroupsWithMe, startGroup } from "./process_group.ts";
import {
  isTimed,
  SLOW_GROUP_SIZES,
  testGroups,
  writeGroups,
} from "./test_groups.ts";

const SUITES: Readonly<Record<string, RegExp>> = {
  unit: /^tests\/.*_test\.tsx?$/,
  browser: /^tests\/.*\.browser\.ts$/,
  interop: /^tests\/.*\.interop\.ts$/,
  networked: /^tests\/.*\.networked\.ts$/,
};

/** Runs where denokv is installed. */
const DENOKV_SMOKE = "tests/networked/denokv.networked.ts";
const DENOKV = "denokv";

/** What of the networked suite can be run by itself. */
const NETWORKED_NAMES: ReadonlySet<string> = new Set([
  ...NETWORKED_RUNS.flat().map(({ name }) => name),
  DENOKV,
]);

/**
 * For each processor two: a test waits nearly half of its time for the threads of
 * its store, for processes that it starts or for Chromium.
 */
const JOBS = { DENO_JOBS: String(2 * navigator.hardwareConcurrency) };

/** Of a suite that runs beside others fewer, and its downloads are waited for. */
const JOBS_BESIDE = { DENO_JOBS: String(navigator.hardwareConcurrency + 1) };

/** Types are the matter of `deno task check`. */
const OPTIONS = ["--no-check", `--config=${ROOT}deno.json`];

if (import.meta.main) {
  endGroupsWithMe();
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
  const runs = await runnerOf(name)(files, others);
  const counts = countReports([runs.map(({ xml }) => xml).join("")]);
  // A run can fail without a failed case: a leak, or a module that throws.
  const failed = runs.some(({ code }) => code !== 0);
  if (failed && counts.failed === 0) counts.failed = 1;
  report(summaryLine(counts));
  return counts.failed === 0 ? 0 : 1;
}

/** Runs the files of a suite. */
type Runner = (
  files: readonly string[],
  others: readonly string[],
) => Promise<Run[]>;

function runnerOf(name: string): Runner {
  switch (name) {
    case "unit":
      return runUnit;
    case "browser":
      return runBrowser;
    case "networked":
      return (_, others) => runNetworked(others);
    default:
      return runInterop;
  }
}

/** How a run of `deno test` ended. */
interface Run {
  code: number;
  /** Its JUnit report; empty when there is none. */
  xml: string;
}

/** Side by side what can be, then by itself what measures. */
async function runUnit(
  files: readonly string[],
  others: readonly string[],
): Promise<Run[]> {
  const groups = testGroups(files.filter((file) => !isTimed(file)));
  return [
    await runGroups(groups, "unit", others, JOBS),
    await runFiles(files.filter(isTimed), "timed", others),
  ];
}

/** Groups side by side: for much of their time they wait for a download. */
async function runInterop(
  files: readonly string[],
  others: readonly string[],
): Promise<Run[]> {
  const groups = testGroups(files, SLOW_GROUP_SIZES);
  return [await runGroups(groups, "interop", others, JOBS_BESIDE)];
}

/** Groups side by side in one Chromium, each test with cookies of its own. */
async function runBrowser(
  files: readonly string[],
  others: readonly string[],
): Promise<Run[]> {
  await ensureChromium();
  await using shared = await startChromium();
  const env = { ...shared.env, ...JOBS };
  const groups = testGroups(files, SLOW_GROUP_SIZES);
  return [await runGroups(groups, "browser", others, env)];
}

/** Groups of files side by side, each as a module. */
async function runGroups(
  groups: readonly (readonly string[])[],
  name: string,
  others: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<Run> {
  const folder = await Deno.makeTempDir({ prefix: "spotlight-tests-" });
  try {
    const modules = await writeGroups(folder, groups);
    return await runFiles(modules, name, ["--parallel", ...others], { env });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/**
 * Servers at several distances side by side, at each one run after the other:
 * most of their time they wait for the line. The runs that are named, or all.
 */
async function runNetworked(others: readonly string[]): Promise<Run[]> {
  const names = others.filter((name) => NETWORKED_NAMES.has(name));
  const options = others.filter((other) => !NETWORKED_NAMES.has(other));
  const wanted = names.length > 0 ? new Set(names) : NETWORKED_NAMES;
  const runs = await Promise.all(NETWORKED_RUNS.map(async (lane) => {
    const ended: Run[] = [];
    for (const run of lane) {
      if (wanted.has(run.name)) ended.push(await runOverServer(run, options));
    }
    return ended;
  }));
  if (!wanted.has(DENOKV)) return runs.flat();
  if (await denokvPath() === null) {
    report(
      "\ndenokv is missing, so its tests were left out: `deno task " +
        "denokv:install` builds it",
    );
    return runs.flat();
  }
  const smoke = await runFiles([DENOKV_SMOKE], "networked_denokv", options);
  return [...runs.flat(), smoke];
}

/** Its output is shown when it has ended, since others run beside it. */
async function runOverServer(
  run: NetworkedRun,
  others: readonly string[],
): Promise<Run> {
  const filter = run.filter === undefined ? [] : [`--filter=${run.filter}`];
  const options = ["--parallel", ...filter, ...others];
  const lines: string[] = [];
  const began = performance.now();
  const ended = await withServer(
    run.settings,
    (env) =>
      runFiles(run.files, `networked_${run.name}`, options, {
        env: { ...env, TEST_DAYS: String(run.days ?? 0) },
        show: (line) => lines.push(line),
        limitMinutes: FAR_AWAY_LIMIT_MINUTES,
      }),
  );
  const tookS = Math.round((performance.now() - began) / 1_000);
  report(`\nOver a KV server: ${run.name}, ${tookS} s`);
  report(lines.join("\n"));
  return ended;
}

/** Where a report goes: a folder that CI names, else the cache. */
async function reportPath(name: string): Promise<string> {
  const folder = Deno.env.get("JUNIT_DIR") ?? `${ROOT}.cache/junit`;
  await Deno.mkdir(folder, { recursive: true });
  const path = `${folder}/${name}.xml`;
  await Deno.remove(path).catch(() => {});
  return path;
}

/** What a run's tests are told, where its output goes, and how long each may take. */
interface Showing {
  env?: Readonly<Record<string, string>>;
  show?: (line: string) => void;
  limitMinutes?: number;
}

async function runFiles(
  files: readonly string[],
  name: string,
  others: readonly string[],
  { env = {}, show = report, ...limit }: Showing = {},
): Promise<Run> {
  const junit = await reportPath(name);
  const child = startGroup(Deno.execPath(), {
    args: ["test", "-A", ...OPTIONS, `--junit-path=${junit}`, ...others]
      .concat(files),
    cwd: ROOT,
    env: { ...env },
    stdout: "piped",
  });
  await showUntilOverdue(child, show, limit.limitMinutes);
  const { code } = await child.status;
  return { code, xml: await Deno.readTextFile(junit).catch(() => "") };
}

/** Ends the run at a test that does not end, and says which it is. */
async function showUntilOverdue(
  child: Deno.ChildProcess,
  show: (line: string) => void,
  limitMinutes?: number,
): Promise<void> {
  const input = Readable.fromWeb(child.stdout);
  for await (const line of createInterface({ input })) {
    show(line);
    const name = overdueTest(line, limitMinutes);
    if (name === null) continue;
    report(`Ended the run: "${name}" has passed its time limit`);
    endGroup(child);
    return;
  }
}

function report(line: string): void {
  // deno-lint-ignore no-console -- a command's output
  console.log(line);
}
