import { ALERTS } from "../domain/alerts/alert.ts";
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

Deno.test("docs/operations.md explains every event that the code logs", async () => {
  const logged = new Set((await levels()).keys());
  const explained = new Set(
    [...DOC.matchAll(/^\| ((?:`[a-z_.]+`(?:, )?)+)[^|]* \|/gm)]
      .flatMap(([, names = ""]) => names.match(/[a-z_.]+/g) ?? []),
  );
  assert(logged.size > 90, "the code is read");
  assertEquals([...logged].filter((name) => !explained.has(name)), []);
});

Deno.test("every alert has a runbook under its name, and every runbook is of an alert", async () => {
  const text = await Deno.readTextFile(`${ROOT}docs/operations.md`);
  const [, told = ""] = /\n## Being told\n([^]*?)\n## /.exec(text) ?? [];
  const runbooks = [...told.matchAll(/^### (.+)\n\n(.+)/gm)];
  assertEquals(
    runbooks.map(([, title]) => title).sort(),
    Object.values(ALERTS).map(({ title }) => title as string).sort(),
  );
  for (const [, title, first = ""] of runbooks) {
    assert(first.length > 40, title);
  }
});

/** Events by their level, as the code logs them. */
async function levels(): Promise<Map<string, Set<string>>> {
  const found = new Map<string, Set<string>>();
  const folders = ["adapters", "app", "cron", "domain", "kv", "routes"];
  for (const path of (await Promise.all(folders.map(modules))).flat()) {
    const source = await Deno.readTextFile(`${ROOT}${path}`);
    for (const [, level = "error", event = ""] of source.matchAll(LOGGED)) {
      found.set(event, (found.get(event) ?? new Set()).add(level));
    }
  }
  return found;
}

Deno.test("every error has a line that says what a person does about it", async () => {
  const text = await Deno.readTextFile(`${ROOT}docs/operations.md`);
  const rows = [...text.matchAll(/^\| (`[^|]+) \|.* \| ([^|]+) \|$/gm)];
  const dos = new Map(
    rows.flatMap(([, names = "", toDo = ""]) =>
      [...names.matchAll(/`([a-z_.]+)`/g)].map(([, name = ""]) =>
        [name, toDo] as const
      )
    ),
  );
  const all = [...await levels()];
  const errors = all.filter(([, each]) => each.has("error"));
  assert(errors.length > 50, `${errors.length} errors`);
  const idle = errors.filter(([name]) =>
    dos.get(name)?.startsWith("Nothing") ?? true
  );
  assertEquals(idle.map(([name]) => name), []);
});

/**
 * A call of the log, or of what hands an event on to it: settlements tell what
 * waits for a person by helpers of their own, as errors.
 */
const LOGGED =
  /\b(?:log\s*\.(info|error)|report|waitForPerson)\((?:\s*saga,\s*\w+,)?\s*"([a-z_.]+)"/g;

async function modules(folder: string): Promise<string[]> {
  const paths: string[] = [];
  for await (const entry of Deno.readDir(`${ROOT}${folder}`)) {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory) paths.push(...await modules(path));
    else if (/\.tsx?$/.test(path)) paths.push(path);
  }
  return paths;
}
