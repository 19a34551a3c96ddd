import { assert, assertEquals } from "@std/assert";
import { WANTED } from "../config/variables.ts";
import { VERSION } from "../config/version.ts";

const ROOT = new URL("../", import.meta.url).pathname;
const DOC = await Deno.readTextFile(`${ROOT}docs/operations.md`);

/** The names in the first column of the table under a heading. */
function namesUnder(heading: string): string[] {
  const [, rest = ""] = DOC.split(`## ${heading}\n`);
  const [section = ""] = rest.split("\n## ");
  return [...section.matchAll(/^\| (`[^|]*`) \|/gm)]
    .flatMap((row) => [...(row[1] ?? "").matchAll(/`([^`]+)`/g)])
    .map((name) => name[1] ?? "");
}

Deno.test("docs/operations.md names every variable of the environment and no other", () => {
  assertEquals(
    namesUnder("Environment").toSorted(),
    Object.keys(WANTED).toSorted(),
  );
});

Deno.test("docs/operations.md names only tasks that are there", async () => {
  const { tasks } = JSON.parse(await Deno.readTextFile(`${ROOT}deno.json`));
  const unknown = namesUnder("Running").filter((name) =>
    !Object.hasOwn(tasks, name)
  );
  assertEquals(unknown, []);
});

Deno.test("docs/operations.md explains only events that the code logs", async () => {
  const sources = await Promise.all(
    [
      ...await modules("app"),
      ...await modules("domain"),
      ...await modules("adapters"),
      ...await modules("routes"),
    ]
      .map((path) => Deno.readTextFile(`${ROOT}${path}`)),
  );
  const code = sources.join("\n");
  const events = namesUnder("What to watch").filter((name) =>
    /[._]/.test(name)
  );
  assert(events.length > 10, "the table is read");
  assertEquals(events.filter((name) => !code.includes(`"${name}"`)), []);
});

Deno.test("CHANGELOG.md begins with the version of the service", async () => {
  const text = await Deno.readTextFile(`${ROOT}CHANGELOG.md`);
  assertEquals(/^## (\S+)/m.exec(text)?.[1], VERSION);
});

async function modules(folder: string): Promise<string[]> {
  const paths: string[] = [];
  for await (const entry of Deno.readDir(`${ROOT}${folder}`)) {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory) paths.push(...await modules(path));
    else if (/\.tsx?$/.test(path)) paths.push(path);
  }
  return paths;
}
