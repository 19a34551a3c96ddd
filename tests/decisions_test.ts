/**
 * Holds docs/decisions/ to its form and its index, and the rest of the
 * project to the records: a number that is cited is a record.
 */
import { assert, assertEquals } from "@std/assert";
import { ownModules, ROOT } from "../tools/own_modules.ts";
import { tablesOf } from "./support/doc_tables.ts";

const FOLDER = `${ROOT}docs/decisions/`;

/** More than this nobody reads: amend or merge before a record is added. */
const MOST = 50;

const HEADINGS = [
  "What was open",
  "What we chose",
  "Why",
  "What it costs",
];

/** A citation in code or docs: `decision 0041`, `Decisions 0030 and 0041`. */
const CITED =
  /\bdecisions? (0\d{3}(?:(?:,|,? and|,? or| to) 0\d{3})*)|\bdecisions\/(0\d{3})/gi;

interface DecisionRecord {
  file: string;
  number: string;
  text: string;
}

async function readRecords(): Promise<DecisionRecord[]> {
  const records: DecisionRecord[] = [];
  for await (const { name } of Deno.readDir(FOLDER)) {
    if (name === "README.md") continue;
    const text = await Deno.readTextFile(FOLDER + name);
    records.push({ file: name, number: name.slice(0, 4), text });
  }
  return records.toSorted((a, b) => a.file < b.file ? -1 : 1);
}

const RECORDS = await readRecords();
const NUMBERS = new Set(RECORDS.map(({ number }) => number));
const INDEX = tablesOf(await Deno.readTextFile(`${FOLDER}README.md`));

/** The rows of the index's tables that have this column first. */
function rowsOf(column: string): string[][] {
  return INDEX.filter(({ head }) => head[0] === column)
    .flatMap(({ rows }) => rows);
}

/** The numbers that a text cites, over the line breaks of comments and prose. */
function citedIn(source: string): string[] {
  const text = source.replace(/\n\s*(?:\*|\/\/)? ?/g, " ");
  return [...text.matchAll(CITED)].flatMap(([all]) =>
    all.match(/0\d{3}/g) ?? []
  );
}

/** A file or folder of the project as a record names it: from the top. */
const PATH =
  /`((?:app|config|routes|domain|kv|cron|adapters|simulators|tests|tools)\/[\w./-]*(?:\.\w+|\/))`/g;

/** The numbers in a record's body, where a number alone is a citation. */
function citedInRecord({ text }: DecisionRecord): string[] {
  const body = text.slice(text.indexOf("\n")).replace(/`[^`]*`/g, "");
  return body.match(/(?<![\w.,-])0\d{3}(?![\w-])/g) ?? [];
}

/** What docs, modules and the project's own pages are, records apart. */
async function citingFiles(): Promise<string[]> {
  const files = ["README.md", "CONTRIBUTING.md", ...await ownModules()];
  for await (const { name, isFile } of Deno.readDir(`${ROOT}docs`)) {
    if (isFile) files.push(`docs/${name}`);
  }
  return files.filter((path) => path !== "tests/decisions_test.ts");
}

Deno.test("a decision record has a number, a title, a date, a status and its headings", () => {
  for (const { file, number, text } of RECORDS) {
    assert(/^0\d{3}-[a-z0-9]+(-[a-z0-9]+)*\.md$/.test(file), file);
    const day = String.raw`\d{4}-\d\d-\d\d`;
    const form = new RegExp(
      `^# ${number}: \\S.*\n\nDate: ${day}\\. Status: accepted\\.` +
        `(?: Amended: ${day}\\.)?\n\n## `,
    );
    assert(form.test(text), `${file}: title, date or status`);
    const headings = [...text.matchAll(/^## (.+)$/gm)].map(([, name]) => name);
    assertEquals(headings, HEADINGS, file);
  }
});

Deno.test(`there are at most ${MOST} decision records, each number once`, () => {
  assert(RECORDS.length > 40 && RECORDS.length <= MOST, `${RECORDS.length}`);
  assertEquals(NUMBERS.size, RECORDS.length);
});

Deno.test("the index of decisions names every record by its title, and no other", () => {
  const titles = RECORDS.map(({ file, number, text }) => [
    `[${number}](${file})`,
    text.slice("# 0000: ".length, text.indexOf("\n")),
  ]);
  const named = rowsOf("Record").map(([link = "", title = ""]) => [
    link,
    title,
  ]);
  assertEquals(named.toSorted(), titles);
});

Deno.test("the number of a merged decision is no record's and leads to one", () => {
  const merged = rowsOf("Number");
  assert(merged.length > 40);
  const links = new Set(
    RECORDS.map(({ file, number }) => `[${number}](${file})`),
  );
  for (const [number = "", , link = ""] of merged) {
    assert(/^0\d{3}$/.test(number) && !NUMBERS.has(number), number);
    assert(links.has(link), `${number}: ${link}`);
  }
  assertEquals(new Set(merged.map(([number]) => number)).size, merged.length);
});

Deno.test("docs, code and tests cite only decisions that are records", async () => {
  const unknown: string[] = [];
  let citations = 0;
  for (const path of await citingFiles()) {
    for (const number of citedIn(await Deno.readTextFile(ROOT + path))) {
      citations++;
      if (!NUMBERS.has(number)) unknown.push(`${path}: ${number}`);
    }
  }
  for (const record of RECORDS) {
    const gone = citedInRecord(record).filter((each) => !NUMBERS.has(each));
    unknown.push(...gone.map((number) => `${record.file}: ${number}`));
  }
  assertEquals(unknown, []);
  assert(citations > 30);
});

Deno.test("decision records name only files and folders that are there", async () => {
  const gone: string[] = [];
  let named = 0;
  for (const { file, text } of RECORDS) {
    for (const [, path = ""] of text.matchAll(PATH)) {
      named++;
      const found = await Deno.stat(ROOT + path).catch(() => null);
      if (found === null) gone.push(`${file}: ${path}`);
    }
  }
  assertEquals(gone, []);
  assert(named > 20);
});

Deno.test("citedIn() finds lists, paths and what a line break divides", () => {
  const text = [
    "Decisions 0030, 0031 and\n0040 say why.",
    "/**\n * See decision\n * 0041 and docs/decisions/0042-oauth-clients.md.\n */",
    "// 0100 is a number (decisions 0170 to 0175).",
  ].join("\n");
  assertEquals(citedIn(text), [
    ...["0030", "0031", "0040", "0041", "0042"],
    ...["0170", "0175"],
  ]);
});
