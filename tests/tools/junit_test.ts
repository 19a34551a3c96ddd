import { assertEquals } from "@std/assert";
import { ciReport } from "../../tools/ci_report.ts";
import {
  countCases,
  countReports,
  failedCases,
  summaryLine,
} from "../../tools/junit.ts";

const REPORT = `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="deno test" tests="5" failures="2" errors="0">
  <testsuite name="a_test.ts">
    <testcase name="a &gt; b" classname="./a_test.ts" time="0.1"/>
    <testcase name="says &lt;failure" classname="./a_test.ts" time="0.1">
    </testcase>
    <testcase name="fails" classname="./a_test.ts" time="0.1">
      <failure message="Uncaught">at a_test.ts:1</failure>
    </testcase>
    <testcase name="breaks"><error message="Uncaught"/></testcase>
    <testcase name="skipped"><skipped/></testcase>
  </testsuite>
</testsuites>`;

Deno.test("countCases() counts passed and failed cases, not skipped ones", () => {
  assertEquals(countCases(REPORT), { passed: 2, failed: 2 });
});

Deno.test("failedCases() names what failed and what it said", () => {
  assertEquals(failedCases(REPORT), [
    "fails\n    at a_test.ts:1",
    "breaks\n    ",
  ]);
});

Deno.test("countReports() adds reports up", () => {
  assertEquals(countReports([REPORT, REPORT]), { passed: 4, failed: 4 });
});

Deno.test("countReports() takes a report without a case as a failure", () => {
  const empty = "<testsuites></testsuites>";
  assertEquals(countReports([empty]), { passed: 0, failed: 1 });
  const skipped = '<testcase name="a"><skipped/></testcase>';
  assertEquals(countReports([skipped]), { passed: 0, failed: 1 });
});

Deno.test("countReports() takes no report at all as a failure", () => {
  assertEquals(countReports([]), { passed: 0, failed: 1 });
});

Deno.test("summaryLine() is the line a run ends in", () => {
  assertEquals(summaryLine({ passed: 3, failed: 0 }), "3 passed, 0 failed");
});

Deno.test("ciReport() names a step that failed without a failed case, and counts it", () => {
  const passing = '<testcase name="a"/>';
  assertEquals(ciReport([passing], []), {
    lines: ["1 passed, 0 failed"],
    ok: true,
  });
  assertEquals(ciReport([passing], ["static"]), {
    lines: ["FAILED static", "1 passed, 1 failed"],
    ok: false,
  });
});

Deno.test("ciReport() counts failed cases, not the step that they failed too", () => {
  const { lines, ok } = ciReport([REPORT], ["test"]);
  assertEquals(lines.at(-1), "2 passed, 2 failed");
  assertEquals(ok, false);
});
