import { assert, assertEquals } from "@std/assert";
import equivalents from "../../../tools/mutate/equivalent.json" with {
  type: "json",
};
import { mirroringTests } from "../../../tools/mutate/main.ts";
import { mutationsOf } from "../../../tools/mutate/mutations.ts";
import { ROOT } from "../../../tools/own_modules.ts";
import { runProcess } from "../../support/captured_process.ts";

const FIXTURES = "tests/fixtures/mutate/";

function mutate(...args: string[]) {
  return runProcess({
    args: ["run", "-A", "tools/mutate/main.ts", ...args],
    cwd: ROOT,
    printed: () => true,
  });
}

Deno.test("mutationsOf() changes one thing at a time, but nothing that an invariant holds", async () => {
  const mutations = await mutationsOf(`${FIXTURES}price.ts`);
  const changes = mutations.map(({ line, after }) => `${line} ${after}`);
  const free = "const isFree = ";
  assertEquals(changes, [
    "3 ;",
    '3 if (cents.length <= 1) throw new RangeError("“Nothing” has no price");',
    '3 if (cents.length < 2) throw new RangeError("“Nothing” has no price");',
    '3 if (cents.length < 0) throw new RangeError("“Nothing” has no price");',
    "4 ;",
    `5 ${free}!cents.some((each) => each !== 0);`,
    `5 ${free}true;`,
    `5 ${free}cents.some((each) => each !== 0) && true;`,
    `5 ${free}!cents.every((each) => each !== 0) && true;`,
    `5 ${free}!cents.some((each) => each === 0) && true;`,
    `5 ${free}!cents.some((each) => each !== 1) && true;`,
    `5 ${free}!cents.some((each) => each !== 0) && false;`,
    "6 const top = 1_000;",
    "6 const top = Math.min(...cents) ?? 1_000;",
    "6 const top = Math.max(...cents) ?? 1001;",
    "6 const top = Math.max(...cents) ?? 999;",
    "8 return !(isFree) ? 0 as 0 | 7 : top * 2;",
    "8 return isFree ? 1 as 0 | 7 : top * 2;",
    "8 return isFree ? 0 as 0 | 7 : top;",
    "8 return isFree ? 0 as 0 | 7 : top * 3;",
    "8 return isFree ? 0 as 0 | 7 : top * 1;",
    "12 ;",
    "12 if (holds) {",
  ]);
  const text = await Deno.readTextFile(`${ROOT}${FIXTURES}price.ts`);
  for (const { line, before, after, source } of mutations.slice(1, 4)) {
    assertEquals(text.split("\n")[line - 1]?.trim(), before);
    assertEquals(source, text.replace(before, after));
  }
});

Deno.test("mirroringTests() begins with the tests of the module's name, and looks further up where there are none", async () => {
  const near = await mirroringTests("domain/disputes/dispute.ts");
  const folder = "tests/domain/disputes/";
  assertEquals(near[0], `${folder}dispute_lost_test.ts`);
  assert(near.includes(`${folder}sync_dispute_test.ts`));
  const above = await mirroringTests("domain/no_such_folder/of/it.ts");
  assert(above.includes("tests/domain/limits_test.ts"));
});

Deno.test("mutate prints what survives, counts, fails, and leaves the work tree alone", async () => {
  const file = `${FIXTURES}of_age.ts`;
  const text = await Deno.readTextFile(ROOT + file);
  const run = await mutate(file, `--tests=${FIXTURES}of_age_check.ts`);
  const before = "return isSeen && years >= 18;";
  assertEquals(run.stdout.trimEnd().split("\n"), [
    `${file}:3 ${before} → return isSeen;`,
    `${file}:3 ${before} → return isSeen && years >= 17;`,
    "5 mutations: 3 noticed, 0 not compiled, 0 equivalent, 2 survived",
  ]);
  assertEquals([run.code, run.stderr], [1, ""]);
  assertEquals(await Deno.readTextFile(ROOT + file), text);
});

Deno.test("mutate judges by no tests that fail or that are not there", async () => {
  const file = `${FIXTURES}of_age.ts`;
  const run = await mutate(file, "--tests=tests/no_such_test.ts");
  assertEquals([run.code, run.stdout], [1, ""]);
  assertEquals(
    run.stderr.trimEnd(),
    "Cannot judge by tests that fail: tests/no_such_test.ts",
  );
  assertEquals((await mutate()).code, 2);
});

Deno.test("every equivalent mutation is one that is tried, and has a reason", async () => {
  type Known = { file: string; before: string; after: string; reason: string };
  const known: readonly Known[] = equivalents;
  for (const file of new Set(known.map((each) => each.file))) {
    const tried = await mutationsOf(file);
    for (const each of known.filter((other) => other.file === file)) {
      const isTried = tried.some(({ before, after }) =>
        before === each.before && after === each.after
      );
      assert(isTried && each.reason.length > 20, `${file}: ${each.after}`);
    }
  }
});
