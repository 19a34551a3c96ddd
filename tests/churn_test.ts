import { assert } from "@std/assert";
import { runProcess } from "./support/captured_process.ts";

const SCRIPT = new URL("./support/churn.ts", import.meta.url).pathname;

/** How often V8 collected young objects, and all of memory. */
async function collections(what: string): Promise<[number, number]> {
  const { stdout } = await runProcess({
    args: ["run", "--no-check", "--v8-flags=--trace-gc", SCRIPT, what],
  });
  const count = (kind: string) => stdout.split(kind).length - 1;
  return [count(": Scavenge "), count("Mark-Compact ")];
}

// A Set or Map that churns instead has all of memory collected three or four
// times: what was taken out of its old tables goes no sooner.
for (const what of ["deadlines", "rows"]) {
  Deno.test(`nothing that hung from ${what} outlives them`, async () => {
    const [young, all] = await collections(what);
    assert(young > 20, `young objects were collected ${young} times`);
    assert(all <= 1, `all of memory was collected ${all} times`);
  });
}
