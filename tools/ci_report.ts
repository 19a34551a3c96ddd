/**
 * `ci_report.ts FOLDER`: counts the cases of every JUnit report in the folder
 * names those that failed, and ends in the line `N passed, N failed`. Any
 * failure is exit code 1.
 *
 * @module
 */
import { countReports, failedCases, summaryLine } from "./junit.ts";

if (import.meta.main) {
  const reports = await readReports(Deno.args[0] ?? ".");
  const counts = countReports(reports);
  const failed = reports.flatMap(failedCases).map((text) => `FAILED ${text}`);
  // deno-lint-ignore no-console -- the lines are what the command is for
  console.log([...failed, summaryLine(counts)].join("\n"));
  Deno.exit(counts.failed === 0 ? 0 : 1);
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
