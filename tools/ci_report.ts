/**
 * `ci_report.ts FOLDER [STEP ...]`: counts the cases of every JUnit report in
 * the folder, names those that failed and the steps, which are told, that
 * failed, and ends in the line `N passed, N failed`. Any failure is exit code 1.
 *
 * @module
 */
import { countReports, failedCases, summaryLine } from "./junit.ts";

if (import.meta.main) {
  const [folder = ".", ...steps] = Deno.args;
  const { lines, ok } = ciReport(await readReports(folder), steps);
  // deno-lint-ignore no-console -- the lines are what the command is for
  console.log(lines.join("\n"));
  Deno.exit(ok ? 0 : 1);
}

/**
 * What is said of JUnit reports and of the steps that failed. A step can fail
 * without a failed case, by a leak or without a report: it counts then.
 */
export function ciReport(
  reports: readonly string[],
  steps: readonly string[],
): { lines: string[]; ok: boolean } {
  const counts = countReports(reports);
  if (counts.failed === 0) counts.failed = steps.length;
  const failed = [...reports.flatMap(failedCases), ...steps];
  const lines = failed.map((text) => `FAILED ${text}`);
  return {
    lines: [...lines, summaryLine(counts)],
    ok: counts.failed === 0,
  };
}

/** The texts of the `.xml` files in a folder; none when it does not exist. */
export async function readReports(folder: string): Promise<string[]> {
  const reports: string[] = [];
  try {
    for await (const { name } of Deno.readDir(folder)) {
      if (!name.endsWith(".xml")) continue;
      reports.push(await Deno.readTextFile(`${folder}/${name}`));
    }
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
  return reports;
}
