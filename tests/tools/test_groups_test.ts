import { assertEquals } from "@std/assert";
import {
  isTimed,
  SLOW_GROUP_SIZES,
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

/** The files of a suite, in their groups. */
async function groupsOfSuite(suite: string): Promise<string[][]> {
  const all = await ownModules(`tests/${suite}/`);
  const files = all.filter((path) => path.endsWith(`.${suite}.ts`));
  const groups = testGroups(files, SLOW_GROUP_SIZES);
  assertEquals(groups.flat().toSorted(), files.toSorted());
  return groups;
}

Deno.test("testGroups() begins with what installs most, each by itself", async () => {
  const groups = await groupsOfSuite("interop");
  assertEquals(groups.slice(0, 2), [
    ["tests/interop/mcp_hosts.interop.ts"],
    ["tests/interop/openapi.interop.ts"],
  ]);
});

Deno.test("testGroups() begins with what looks at every page or does every act, each by itself", async () => {
  const groups = await groupsOfSuite("browser");
  const names = [
    "desk",
    "desk_acts",
    ...[
      "advertiser",
      "operator",
      "proof",
      "public",
    ].map((whose) => `looks_${whose}`),
  ];
  assertEquals(
    groups.slice(0, names.length),
    names.map((name) => [`tests/browser/${name}.browser.ts`]),
  );
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
