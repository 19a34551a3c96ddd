/**
 * Holds that no test captures a log, or starts what writes one, but by way of
 * what looks through it for secrets.
 */
import { assertEquals } from "@std/assert";
import { ownModules, ROOT } from "../tools/own_modules.ts";
import { factsOf } from "./support/module_facts.ts";
import { logMakersIn } from "./support/log_makers.ts";

/** The modules that may, and what: each is looked through, or is no log. */
const MAKERS: Readonly<Record<string, readonly string[]>> = {
  // The central place.
  "tests/support/captured_logs.ts": ["{ info, error }", "{ write, flush }"],
  "tests/support/captured_process.ts": ["Deno.Command"],
  // Its log is a captured text.
  "tests/support/running_service.ts": ["startService()", "{ sink }"],
  // They run in captured processes and log to standard output.
  "tests/support/child_service.ts": ["startService()"],
  "tests/support/slow_service.ts": ["startService()"],
  // The writer itself, whose lines are "one" and "two".
  "tests/routes/line_writer_test.ts": ["lineWriter()"],
  // Someone else's client: what it prints is an address for its user.
  "tests/interop/support/conformance.ts": ["Deno.Command"],
};

/** Benchmarks are no part of a test run, and keep no log. */
const NO_TESTS = "tests/bench/";

const TESTS = (await ownModules()).filter((path) =>
  path.startsWith("tests/") && !path.startsWith(NO_TESTS)
);

Deno.test("a log is captured only where it is looked through for secrets", async () => {
  const found: Record<string, readonly string[]> = {};
  for (const path of TESTS) {
    const source = await Deno.readTextFile(ROOT + path);
    const makers = logMakersIn(path, source);
    if (makers.length > 0) found[path] = makers;
  }
  assertEquals(found, MAKERS);
});

Deno.test("the service writes nothing but its log and why it can't start", async () => {
  const writes = /^(console\.|Deno\.(stdout|stderr)$)/;
  const found: string[] = [];
  for (const path of await ownModules()) {
    if (/^(tests|tools)\//.test(path)) continue;
    const { members } = factsOf(path, await Deno.readTextFile(ROOT + path));
    if (members.some((name) => writes.test(name))) found.push(path);
  }
  assertEquals(found, ["app/serve.ts", "main.ts"]);
});

for (
  const [maker, source] of [
    ["{ info, error }", "const log = { info() {}, error() {} };"],
    ["{ info, error }", "class Own { info(e: string) {} error = () => {}; }"],
    ["{ write, flush }", "const lines = { write: push, flush };"],
    ["{ sink }", "start({ sink: () => Promise.resolve() });"],
    ["lineWriter()", "const writer = lineWriter(keep);"],
    ["startService()", "await startService(config);"],
    ["Deno.Command", 'new Deno.Command("deno");'],
  ] as const
) {
  Deno.test(`a test with a log of its own is found: ${source}`, () => {
    assertEquals(logMakersIn("tests/own_test.ts", source), [maker]);
  });
}
