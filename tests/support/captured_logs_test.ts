import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { isLogLine, runProcess } from "./captured_process.ts";

const FIXTURE = new URL("../fixtures/leaks/leaks.ts", import.meta.url).pathname;

Deno.test("a test whose log tells a secret fails by its name, whichever log it is", async () => {
  const { code, stdout } = await runProcess({
    args: ["test", "-A", "--no-check", FIXTURE],
  });
  assertEquals(code, 1);
  const outcomes = [...stdout.matchAll(/^(\w+): (.*) \.\.\. (ok|FAILED)\b/gm)];
  // A step makes two lines of its test.
  assert(outcomes.length >= 11, stdout);
  for (const [, promise, name = "", outcome] of outcomes) {
    assertEquals(outcome, promise === "keeps" ? "ok" : "FAILED", name);
  }
  assertStringIncludes(stdout, 'a process tells access token: {"ts":"",');
  assertStringIncludes(stdout, '"what":"[access token]"}');
  assertStringIncludes(stdout, 'the service tells e-mail code: {"ts":');
  // What is said of a leak is no leak: this output was looked through too.
});

Deno.test("a line of the log is told from what a command prints", () => {
  const request = '{"ts":"2026-11-20T12:00:00.000Z","route":"/api/x"}';
  assert(isLogLine(request));
  assert(isLogLine(`${request}\n`));
  assert(isLogLine('{"ts":"2026-11-20T12:00:00.000Z","event":"started"}'));
  assert(isLogLine('{"level":"error","event":"log_dropped","lines":1}'));
  assert(isLogLine('{"ts":"2026-11-20T12:00:00.000Z","eve'));
  for (
    const printed of [
      "Spotlight is ready.",
      '  curl -H "Authorization: Bearer x" \\',
      '{"access_token":"x","token_type":"Bearer"}',
      "{",
      "",
    ]
  ) {
    assert(!isLogLine(printed), printed);
  }
});
