import { assert, assertEquals } from "@std/assert";
import { runProcess } from "./support/captured_process.ts";
import {
  assertAnswers,
  type Block,
  blockOf,
  isAlmostMidnight,
  outputsOf,
  scriptOf,
  today,
} from "./support/pasted_blocks.ts";
import { DevFolder } from "./tools/dev_service.ts";

const ROOT = new URL("../", import.meta.url).pathname;
const README = await Deno.readTextFile(`${ROOT}README.md`);
const SECTION = "## One auction day with curl";

/** The `sh` blocks of the section, as a reader pastes them. */
function walk(): Block[] {
  const [, rest = ""] = README.split(`${SECTION}\n`);
  const [section = ""] = rest.split("\n## ");
  return [...section.matchAll(/^```sh\n(.*?)^```$/gms)]
    .map(([, commands = ""]) => blockOf(commands));
}

/** The two commands of the README's first block. */
function setUp(): string[] {
  return /^```sh\n(.*?)^```$/ms.exec(README)?.[1]?.trim().split("\n") ?? [];
}

/** A folder with an `npx` that runs the Deno of this test, without network. */
async function fakeNpx(folder: string): Promise<string> {
  const bin = `${folder}/bin`;
  await Deno.mkdir(bin, { recursive: true });
  const script = `#!/bin/sh
[ "$1 $2" = "-y deno@2.9.6" ] || exit 64
shift 2
exec "${Deno.execPath()}" "$@"
`;
  await Deno.writeTextFile(`${bin}/npx`, script, { mode: 0o755 });
  return bin;
}

/** Runs the blocks in one shell and answers the output of each. */
async function paste(
  blocks: readonly Block[],
  folder: DevFolder,
  day: string,
): Promise<string[]> {
  const bin = await fakeNpx(folder.dataDir);
  const { stdout } = await runProcess({
    command: "bash",
    args: ["-c", `exec 2>&1\n${scriptOf(blocks)}`],
    cwd: ROOT,
    env: {
      ...folder.env,
      DAY: day,
      NO_COLOR: "1",
      PATH: `${bin}:${Deno.env.get("PATH")}`,
    },
    printed: () => true,
  });
  return outputsOf(stdout);
}

Deno.test("the README begins with the two commands that set the project up", () => {
  assertEquals(setUp(), [
    "npx -y deno@2.9.6 task dev",
    "npx -y deno@2.9.6 task test",
  ]);
});

Deno.test("the README's tasks are those of deno.json", async () => {
  const { tasks } = JSON.parse(await Deno.readTextFile(`${ROOT}deno.json`));
  const [, table = ""] = README.split("## Tasks\n");
  const [rows = ""] = table.split("\n## ");
  const named = [...rows.matchAll(/^\| (`.*?`) \|/gm)]
    .flatMap((row) => [...(row[1] ?? "").matchAll(/`([^`]+)`/g)])
    .map((name) => name[1]);
  assert(named.length > 10);
  assertEquals(named.filter((name) => !Object.hasOwn(tasks, name ?? "")), []);
});

Deno.test("the README's auction day goes as it says", {
  ignore: isAlmostMidnight(),
}, async (t) => {
  await using folder = await DevFolder.make({ AUCTION_CLOSES_AT: "23:59" });
  await folder.start();
  const day = today();
  const blocks = walk();
  assertEquals(blocks.length, 12);
  assert(blocks.flatMap(({ fragments }) => fragments).length > 12);
  const outputs = await paste(blocks, folder, day);
  for (const [at, { commands, fragments }] of blocks.entries()) {
    const [first = ""] = commands.split("\n");
    await t.step(`block ${at + 1} answers: ${first.slice(0, 50)}`, () => {
      const wanted = fragments.map((text) => text.replaceAll("$DAY", day));
      assertAnswers(outputs[at] ?? "", { commands, fragments: wanted });
    });
  }
  assertEquals(await folder.stop(), 0);
});
