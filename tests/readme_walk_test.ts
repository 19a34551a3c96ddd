import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { runProcess } from "./support/captured_process.ts";
import { DevFolder } from "./tools/dev_service.ts";

const ROOT = new URL("../", import.meta.url).pathname;
const README = await Deno.readTextFile(`${ROOT}README.md`);
const SECTION = "## One auction day with curl";
const MARK = "# → ";

/** A fenced block of commands and what its output has to contain. */
interface Block {
  commands: string;
  fragments: string[];
}

/** The `sh` blocks of the section, as a reader pastes them. */
function walk(): Block[] {
  const [, rest = ""] = README.split(`${SECTION}\n`);
  const [section = ""] = rest.split("\n## ");
  return [...section.matchAll(/^```sh\n(.*?)^```$/gms)].map((match) => {
    const commands = match[1] ?? "";
    const fragments = commands.split("\n")
      .filter((line) => line.startsWith(MARK))
      .map((line) => line.slice(MARK.length));
    return { commands, fragments };
  });
}

/** The two commands of the README's first block. */
function setUp(): string[] {
  return /^```sh\n(.*?)^```$/ms.exec(README)?.[1]?.trim().split("\n") ?? [];
}

/** Today, or tomorrow when today's auction is as good as over. */
function biddableDay(): { day: string; isOpen: boolean } {
  const now = Date.now();
  const ahead = now + 3 * 60_000;
  const day = new Date(ahead).toISOString().slice(0, 10);
  return { day, isOpen: new Date(now).toISOString().startsWith(day) };
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
  const separator = "==== next block ====";
  const script = blocks.map(({ commands }) => commands)
    .join(`\necho; echo '${separator}'\n`);
  const { stdout } = await runProcess({
    command: "bash",
    args: ["-c", `exec 2>&1\n${script}`],
    cwd: ROOT,
    env: {
      ...folder.env,
      DAY: day,
      NO_COLOR: "1",
      PATH: `${bin}:${Deno.env.get("PATH")}`,
    },
    printed: () => true,
  });
  return stdout.split(separator);
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

Deno.test("the README's auction day goes as it says", async (t) => {
  await using folder = await DevFolder.make({ AUCTION_CLOSES_AT: "23:59" });
  await folder.start();
  const { day, isOpen } = biddableDay();
  if (!isOpen) {
    assertEquals((await folder.run("auction", ["open", day])).code, 0);
  }
  const blocks = walk();
  assertEquals(blocks.length, 9);
  assert(blocks.flatMap(({ fragments }) => fragments).length > 12);
  const outputs = await paste(blocks, folder, day);
  for (const [at, { commands, fragments }] of blocks.entries()) {
    const [first = ""] = commands.split("\n");
    await t.step(`block ${at + 1} answers: ${first.slice(0, 50)}`, () => {
      let output = outputs[at] ?? "";
      for (const fragment of fragments) {
        const wanted = fragment.replaceAll("$DAY", day);
        assertStringIncludes(output, wanted);
        // Each fragment belongs to a later answer than the one before.
        output = output.slice(output.indexOf(wanted) + wanted.length);
      }
    });
  }
  assertEquals(await folder.stop(), 0);
});
