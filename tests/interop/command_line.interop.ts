/** The command line by the way in which Node's users start it. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { ROOT } from "../../tools/own_modules.ts";
import { runProcess } from "../support/captured_process.ts";

Deno.test("npx runs the command line from its folder", async () => {
  const { code, stdout } = await runProcess({
    command: "npx",
    args: ["--yes", "./clients", "help"],
    cwd: ROOT,
    printed: () => true,
  });
  assertEquals(code, 0);
  assertStringIncludes(stdout, "watch [DAY]");
});
