/** What the reports of a run say. */
export interface Counts {
  passed: number;
  failed: number;
}

const CASE = /<testcase\b[^>]*?(?:\/>|>([\s\S]*?)<\/testcase>)/g;

/**
 * Counts the cases of a JUnit report. A failed or broken case has failed; a
 * skipped one has not passed, and counts as neither.
 */
export function countCases(xml: string): Counts {
  const counts = { passed: 0, failed: 0 };
  for (const [, inside = ""] of xml.matchAll(CASE)) {
    if (/<(failure|error)\b/.test(inside)) counts.failed++;
    else if (!/<skipped\b/.test(inside)) counts.passed++;
  }
  return counts;
}

/** The counts of several reports. A report without a case counts as a failure. */
export function countReports(reports: readonly string[]): Counts {
  const total = { passed: 0, failed: 0 };
  for (const report of reports) {
    const { passed, failed } = countCases(report);
    total.passed += passed;
    total.failed += passed + failed === 0 ? 1 : failed;
  }
  if (reports.length === 0) total.failed = 1;
  return total;
}

/** Characters of what a failed case says that are shown. */
const MESSAGE_MAX = 600;

/**
 * The failed cases of a JUnit report: name and what it said, entities as they
 * are in the report, so that the end of a long log tells them.
 */
export function failedCases(xml: string): string[] {
  return [...xml.matchAll(CASE)].flatMap(([whole, inside = ""]) => {
    if (!/<(failure|error)\b/.test(inside)) return [];
    const name = /\bname="([^"]*)"/.exec(whole)?.[1] ?? "without a name";
    const message = inside.replaceAll(/<[^>]*>/g, "").trim();
    return [`${name}\n    ${message.slice(0, MESSAGE_MAX)}`];
  });
}

/** The line a run of tests ends in. */
export function summaryLine({ passed, failed }: Counts): string {
  return `${passed} passed, ${failed} failed`;
}
