/** Advice of the command line begins with what it was started by. */
import { assertEquals } from "@std/assert";
import { named, startedAs } from "../../clients/cli/started.js";

const HERE = new URL("file:///opt/spot%20light/cli/spotlight.js");
const THERE = new URL("https://spotlight.example/clients/cli/spotlight.js");

Deno.test("advice begins with deno and the address or file of the program", () => {
  const by = (program: URL) => startedAs({ isDeno: true, program, script: "" });
  assertEquals(by(THERE), `deno run -A ${THERE.href}`);
  assertEquals(by(HERE), "deno run -A '/opt/spot light/cli/spotlight.js'");
});

Deno.test("advice begins with node and the file as it is named from here", () => {
  const by = (script: string) =>
    startedAs({ isDeno: false, program: HERE, script });
  assertEquals(by("/opt/cli/spotlight.js"), "node /opt/cli/spotlight.js");
  const below = `${Deno.cwd()}/package/cli/spotlight.js`;
  assertEquals(by(below), "node package/cli/spotlight.js");
});

Deno.test("advice begins with the package that npx fetched, else with the command where it is installed", async () => {
  const home = await Deno.makeTempDir({ prefix: "spotlight_npx_" });
  const script = `${home}/node_modules/.bin/spotlight`;
  const by = () => startedAs({ isDeno: false, program: HERE, script });
  assertEquals(by(), script);
  const installed = "/usr/local/bin/spotlight";
  assertEquals(
    startedAs({ isDeno: false, program: HERE, script: installed }),
    "spotlight",
  );
  // As npx writes it down, beside what it fetched.
  const packages = ["https://spotlight.example/clients/spotlight.tgz"];
  await Deno.writeTextFile(
    `${home}/package.json`,
    JSON.stringify({ dependencies: {}, _npx: { packages } }),
  );
  assertEquals(by(), `npx -y ${packages[0]}`);
  await Deno.remove(home, { recursive: true });
});

Deno.test("advice names the service again that was named, before any command", () => {
  assertEquals(
    named(["login", "--url", "http://localhost:8900"]),
    " --url http://localhost:8900",
  );
  assertEquals(
    named(["--url=http://a.example/?b&c", "me"]),
    " --url 'http://a.example/?b&c'",
  );
  assertEquals(named(["me", "--json"]), "");
  assertEquals(named(["me", "--url"]), "");
});
