/** The clients as whoever knows only the address gets them. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { readClientFiles } from "../../app/client_files.ts";
import { tarOf } from "../../routes/http/tar.ts";
import { runProcess } from "../support/captured_process.ts";
import { runService } from "../support/running_service.ts";

Deno.test("every file of the clients is served, for programs, and the package has the same", async () => {
  await using running = await runService();
  const { baseUrl } = running.config.settings;
  const files = await readClientFiles(baseUrl);
  const types = new Set<string | null>();
  for (const [path, text] of files) {
    const answer = await fetch(`${baseUrl}/clients/${path}`);
    assertEquals(await answer.text(), text, path);
    assertEquals(answer.headers.get("x-content-type-options"), "nosniff");
    assertEquals(answer.headers.get("access-control-allow-origin"), "*");
    types.add(answer.headers.get("content-type"));
  }
  assertEquals([...types].toSorted(), [
    "application/json",
    "application/typescript; charset=utf-8",
    "text/javascript; charset=utf-8",
    "text/markdown; charset=utf-8",
  ]);
  const readme = await (await fetch(`${baseUrl}/clients/README.md`)).text();
  assertStringIncludes(readme, `npx -y ${baseUrl}/clients/spotlight.tgz login`);
  assertEquals(readme.includes(".example"), false);
  const answer = await fetch(`${baseUrl}/clients/spotlight.tgz`);
  assertEquals(answer.headers.get("content-type"), "application/gzip");
  const unpacked = (answer.body ?? new Blob().stream())
    .pipeThrough(new DecompressionStream("gzip"));
  assertEquals(
    await new Response(unpacked).bytes(),
    tarOf(files.map(([path, text]) => [`package/${path}`, text])),
  );
});

Deno.test("the command line of a service speaks to that one where none is named, whatever was logged in to last", async () => {
  await using running = await runService();
  const { baseUrl } = running.config.settings;
  const config = await Deno.makeTempDir();
  await Deno.mkdir(`${config}/spotlight`);
  await Deno.writeTextFile(
    `${config}/spotlight/credentials.json`,
    JSON.stringify({ current: "http://127.0.0.1:9", logins: {} }),
  );
  const run = (args: readonly string[], env = {}) =>
    runProcess({
      command: Deno.execPath(),
      args: [
        ...["run", "-A", "--no-config", "--no-lock", "--quiet"],
        ...[`${baseUrl}/clients/cli/spotlight.js`, ...args],
      ],
      env: { XDG_CONFIG_HOME: config, ...env },
      printed: () => true,
    });
  const asked = ["ask", "closing time", "--json"];
  const { code, stdout } = await run(asked);
  assertEquals(code, 0);
  assertStringIncludes(stdout, '"@type"');
  assertStringIncludes((await run(["help"])).stdout, `or ${baseUrl}\n`);
  // Another that is named is asked, where nobody listens.
  const other = "http://127.0.0.1:9";
  assertEquals((await run([...asked, "--url", other])).code, 4);
  assertEquals((await run(asked, { SPOTLIGHT_URL: other })).code, 4);
  await Deno.remove(config, { recursive: true });
});
