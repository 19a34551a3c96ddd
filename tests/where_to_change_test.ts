/**
 * Holds the table of docs/architecture.md that says where to change what: each
 * file is there and declares what the table says is to be found in it.
 */
import { assert, assertEquals } from "@std/assert";
import { ROOT } from "../tools/own_modules.ts";

const PAGE = await Deno.readTextFile(`${ROOT}docs/architecture.md`);

/** Changes that a newcomer finds the place of by the page alone. */
const ROOMS = new Map([
  ["change how many requests an address", "domain/rate_limit/policy.ts"],
  ["refuse a bid for one more reason", "domain/readiness/requirements.ts"],
  ["check one more thing before a winner", "domain/settlement/recheck.ts"],
  ["add an operation", "routes/operations/agent_operations.ts"],
  ["handle another event of the processor", "domain/webhooks/handlers.ts"],
  ["run something every hour", "cron/jobs.ts"],
  ["keep a new kind of record", "kv/tables.ts"],
  ["add a company's country", "domain/tax/countries.ts"],
  ["take another environment variable", "config/variables.ts"],
  ["reword the page for a refusal", "routes/errors/page_problems.ts"],
  ["change how every page looks", "routes/pages/style.ts"],
  ["change the policies", "domain/creatives/policies.ts"],
  ["change what a partner earns", "domain/partners/limits.ts"],
  ["have operators do one more thing", "domain/audit/operator_act.ts"],
  ["tell operators of one more trouble", "domain/alerts/alert.ts"],
  ["say what a copy of one's data", "domain/privacy/families.ts"],
]);

interface Room {
  change: string;
  file: string;
  name: string;
}

function roomsOf(page: string): Room[] {
  const [, section = ""] = page.split("## Where to change what\n");
  const [table = ""] = section.split("\n## ");
  return [...table.matchAll(/^\| (.+?) \| `(.+?)` \| `(\w+)` \|$/gm)]
    .map(([, change = "", file = "", name = ""]) => ({ change, file, name }));
}

Deno.test("docs/architecture.md says where each of sixteen changes goes", () => {
  const rooms = roomsOf(PAGE);
  assertEquals(rooms.length, ROOMS.size);
  for (const [change, file] of ROOMS) {
    const room = rooms.find((each) => each.change.startsWith(change));
    assertEquals(room?.file, file, change);
  }
});

Deno.test("what docs/architecture.md sends a reader to is declared there", async () => {
  for (const { file, name } of roomsOf(PAGE)) {
    const source = await Deno.readTextFile(ROOT + file);
    const declared = new RegExp(
      `^(?:export )?(?:const|function) ${name}\\b`,
      "m",
    );
    assert(declared.test(source), `${file} declares no ${name}`);
  }
});
