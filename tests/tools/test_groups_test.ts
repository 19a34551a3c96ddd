import { assertEquals } from "@std/assert";
import { groupsOf, isTimed, writeGroups } from "../../tools/test_groups.ts";
import { ownModules, ROOT } from "../../tools/own_modules.ts";

Deno.test("groupsOf() puts every file into one group, long ones alone and first", () => {
  const short = Array.from({ length: 50 }, (_, n) => `tests/kv/${n}_test.ts`);
  const files = [...short, "tests/http/kill_test.ts", "tests/tools/a_test.ts"];
  const groups = groupsOf(files);
  assertEquals(groups.flat().toSorted(), files.toSorted());
  assertEquals(groups.slice(0, 2), [
    ["tests/http/kill_test.ts"],
    ["tests/tools/a_test.ts"],
  ]);
  assertEquals(groups.slice(2).map(({ length }) => length), [24, 24, 2]);
});

Deno.test("writeGroups() writes modules that import their files", async () => {
  const folder = await Deno.makeTempDir();
  const files = [["tests/a_test.ts", "tests/b_test.ts"], ["tests/c_test.ts"]];
  const paths = await writeGroups(folder, files);
  assertEquals(
    await Promise.all(paths.map((path) => Deno.readTextFile(path))),
    files.map((group) =>
      group.map((file) => `import "file://${ROOT}${file}";\n`).join("")
    ),
  );
  await Deno.remove(folder, { recursive: true });
});

Deno.test("isTimed() names files that are there", async () => {
  const timed = (await ownModules()).filter(isTimed);
  assertEquals(timed, [
    "tests/expressions_test.ts",
    "tests/http/hostile_texts_test.ts",
    "tests/http/two_processes_test.ts",
    "tests/tools/dev_test.ts",
  ]);
});
