import { assert, assertEquals } from "@std/assert";
import { ALERTS } from "../domain/alerts/alert.ts";
import { ROOT } from "../tools/own_modules.ts";
import { tablesOf, testsIn } from "./support/doc_tables.ts";
import { isTest, readTestNames } from "./support/test_names.ts";

const FOLDER = `${ROOT}docs/drills/`;
const TABLES = tablesOf(await Deno.readTextFile(`${FOLDER}README.md`));

function rowsOf(section: string): readonly string[][] {
  const table = TABLES.find((each) => each.section === section);
  assert(table !== undefined, section);
  return table.rows;
}

Deno.test("every alert has been answered in a drill or a test, and no other", () => {
  const drilled = rowsOf("Alerts").map(([alert]) => alert ?? "");
  const titles = Object.values(ALERTS).map(({ title }) => title);
  assertEquals(drilled.toSorted(), titles.toSorted());
});

Deno.test("every secret of docs/operations.md has been rotated in a drill or a test", async () => {
  const doc = await Deno.readTextFile(`${ROOT}docs/operations.md`);
  const named = [...doc.matchAll(/^\| (`[A-Z].*?) \|/gm)].flatMap(([, cell]) =>
    [...(cell ?? "").matchAll(/`([A-Z_]+)`/g)].map(([, name]) => name ?? "")
  );
  const secrets = named.filter((name) =>
    /SECRETS$|SECRET$|_TOKEN$|_KEY$|MAIL_URL|WEBHOOK_URL/.test(name) &&
    !name.includes("PUBLISHABLE")
  );
  assert(secrets.length >= 8, secrets.join());
  const drilled = rowsOf("Secrets").map(([secret]) => secret);
  for (const name of secrets) assert(drilled.includes(`\`${name}\``), name);
});

Deno.test("every drill has its transcript, and every test that stands for one is run", async () => {
  const names = await readTestNames();
  const files = new Set<string>();
  for (const { rows } of TABLES) {
    for (const [what = "", done = ""] of rows) {
      const transcripts = [...done.matchAll(/\]\(([a-z_]+\.md)\)/g)]
        .map(([, file]) => file ?? "");
      const tests = testsIn(done);
      assert(transcripts.length + tests.length > 0, what);
      for (const test of tests) assert(isTest(names, test), test);
      for (const file of transcripts) {
        files.add(file);
        const text = await Deno.readTextFile(`${FOLDER}${file}`);
        assert(/^```\n\$ |^```\n\(.*\n\$ /m.test(text), file);
      }
    }
  }
  const kept = [...Deno.readDirSync(FOLDER)].map(({ name }) => name)
    .filter((name) => name !== "README.md");
  assertEquals(kept.toSorted(), [...files].toSorted());
});
