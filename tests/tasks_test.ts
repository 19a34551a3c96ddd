import { assertEquals, assertStringIncludes } from "@std/assert";
import { WANTED } from "../config/variables.ts";
import { ROOT } from "../tools/own_modules.ts";

const { tasks } = JSON.parse(await Deno.readTextFile(`${ROOT}deno.json`));

Deno.test("the start task may read each variable and no other", () => {
  const allowed = /--allow-env=(\S+)/.exec(tasks.start)?.[1]?.split(",");
  // What the platform says of itself, and what may be said only there.
  const platform = [
    "DENO_DEPLOY",
    "DENO_KV_REQUIRES_DISTRIBUTED_DATABASE",
    "DENO_TRUST_PROXY_HEADERS",
  ];
  const read = [...Object.keys(WANTED), ...platform];
  assertEquals(allowed?.toSorted(), read.toSorted());
});

Deno.test("the start task asks for nothing while it runs", () => {
  assertStringIncludes(tasks.start, "--no-prompt");
  assertEquals(/ (-A|--allow-(all|run|sys|ffi))\b/.test(tasks.start), false);
});

Deno.test(".ci/run is executable", async () => {
  const { mode } = await Deno.stat(`${ROOT}.ci/run`);
  assertEquals((mode ?? 0) & 0o111, 0o111);
});
