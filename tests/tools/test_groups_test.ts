import { assertEquals } from "@std/assert";
import {
  isTimed,
  longFirst,
  testGroups,
  writeGroups,
} from "../../tools/test_groups.ts";
import { ownModules, ROOT } from "../../tools/own_modules.ts";

Deno.test("testGroups() puts every file into one group, long ones first and few at a time", () => {
  const short = Array.from({ length: 50 }, (_, n) => `tests/kv/${n}_test.ts`);
  const long = Array.from({ length: 5 }, (_, n) => `tests/http/${n}_test.ts`);
  const files = [...short, ...long, "tests/tools/a_test.ts"];
  const groups = testGroups(files);
  assertEquals(groups.flat().toSorted(), files.toSorted());
  assertEquals(groups.slice(0, 2), [
    long.slice(0, 4),
    ["tests/http/4_test.ts", "tests/tools/a_test.ts"],
  ]);
  assertEquals(groups.slice(2).map(({ length }) => length), [24, 24, 2]);
});

Deno.test("longFirst() leaves nothing out, and begins with what installs most", async () => {
  const all = await ownModules("tests/interop/");
  const files = all.filter((path) => path.endsWith(".interop.ts"));
  const ordered = longFirst(files);
  assertEquals(ordered.toSorted(), files.toSorted());
  assertEquals(ordered.slice(0, 2), [
    "tests/interop/mcp_hosts.interop.ts",
    "tests/interop/openapi.interop.ts",
  ]);
});

Deno.test("longFirst() begins with what looks at every page", async () => {
  const all = await ownModules("tests/browser/");
  const files = all.filter((path) => path.endsWith(".browser.ts"));
  const ordered = longFirst(files);
  assertEquals(ordered.toSorted(), files.toSorted());
  const looks = files.filter((path) => path.includes("/looks_"));
  assertEquals(ordered.slice(0, looks.length), looks);
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
    "tests/routes/http/shared_pieces_test.ts",
    "tests/tools/dev_test.ts",
  ]);
});
