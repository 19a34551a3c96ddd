/**
 * `ci_report.ts FOLDER`: counts the cases of every JUnit report in the folder
 * and ends in the line `N passed, N failed`. Any failure is exit code 1.
 *
 * @module
 */
import { countReports, summaryLine } from "./junit.ts";

if (import.meta.main) {
  const counts = countReports(await readReports(Deno.args[0] ?? "."));
  // deno-lint-ignore no-console -- the line is what the command is for
  console.log(summaryLine(counts));
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
