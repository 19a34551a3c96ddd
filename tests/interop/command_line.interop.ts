/** The command line by the way in which Node's users start it. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { ROOT } from "../../tools/own_modules.ts";
import { runProcess } from "../support/captured_process.ts";
import { runService } from "../support/running_service.ts";

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

Deno.test("npx runs the command line from a service's address", async () => {
  await using running = await runService();
  const { baseUrl } = running.config.settings;
  const home = await Deno.makeTempDir();
  try {
    const { code, stdout, stderr } = await runProcess({
      command: "npx",
      args: [
        ...["--yes", `${baseUrl}/clients/spotlight.tgz`, "ask"],
        "closing time",
      ],
      cwd: home,
      env: { npm_config_cache: `${home}/cache`, XDG_CONFIG_HOME: home },
      printed: () => true,
    });
    assertEquals([code, stderr], [0, ""]);
    assertStringIncludes(stdout, "Opening and closing time");
  } finally {
    await Deno.remove(home, { recursive: true });
  }
});
