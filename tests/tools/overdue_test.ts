import { assertEquals } from "@std/assert";
import { overdueTest } from "../../tools/overdue.ts";

Deno.test("overdueTest() names a test that runs for two minutes, or for as long as its run may", () => {
  const line = (name: string, time: string) =>
    `\x1b[33m'${name}' has been running for over \x1b[90m(${time})\x1b[0m`;
  assertEquals(overdueTest(line("it hangs", "1m0s")), null);
  assertEquals(overdueTest(line("it hangs", "2m0s")), "it hangs");
  assertEquals(overdueTest(line("'quoted'", "10m0s")), "'quoted'");
  assertEquals(overdueTest("it passes ... ok (2m0s)"), null);
  assertEquals(overdueTest(line("it is far away", "2m0s"), 5), null);
  assertEquals(overdueTest(line("it hangs", "5m0s"), 5), "it hangs");
});
