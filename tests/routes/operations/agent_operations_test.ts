/** What the table of operations makes of an entry. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { z } from "zod";
import { AGENT_OPERATIONS } from "../../../routes/operations/agent_operations.ts";
import { withAgentTables } from "../../../routes/operations/doc_tables.ts";
import {
  type AgentOperation,
  placeOf,
  reading,
} from "../../../routes/operations/operation.ts";
import { dayParameter } from "../../../routes/operations/parameters.ts";
import { describedOperation } from "../../../routes/discovery/openapi/agent_operations.ts";
import { openapiDocument } from "../../../routes/discovery/openapi/document.ts";
import { ROOT } from "../../../tools/own_modules.ts";
import { openAgentApi } from "../../support/agent_api.ts";
import { BID_DAY } from "../../support/bidding_world.ts";
import { callTool, toolNames } from "../../support/mcp_agent.ts";
import { TEST_SETTINGS } from "../../support/site_app.ts";

const HOROSCOPE = reading({
  at: "GET /horoscopes/{sign_id}",
  scope: "reports:read",
  id: "readHoroscope",
  summary: "Read a horoscope",
  docs: "What the stars say.",
  tool: "get_horoscope",
  title: "A horoscope",
  description: "Reads what the stars say.",
  argument: ["sign_id", z.string().max(9)],
  schema: "Removal",
  action: "Cannot read the horoscope",
  query: { day: dayParameter("Whose stars") },
  read: (_services, { id, query: { day } }) => ({
    id: `${id} on ${day}`,
    removed: true,
  }),
});

Deno.test("an operation in the table is a route, a tool, an entry of openapi.json and a row of each table", async () => {
  await using api = await openAgentApi({}, {}, [HOROSCOPE]);
  const ada = await api.world.agent("ada", { scopes: ["reports:read"] });
  const bob = await api.world.agent("bob");
  const path = `/v1/agent/horoscopes/leo?day=${BID_DAY}`;
  const said = { id: `leo on ${BID_DAY}`, removed: true };

  const read = await api.ask(path, { as: ada });
  assertEquals([read.status, await read.json()], [200, said]);
  assertEquals((await api.ask(path, { as: bob })).status, 403);
  const dayless = await api.ask("/v1/agent/horoscopes/leo", { as: ada });
  assertEquals(
    (await dayless.json()).detail,
    "Cannot read the horoscope: day must be given, as a calendar date " +
      "written YYYY-MM-DD, such as 2026-11-19",
  );

  // Every tool is listed to everybody, with what it needs.
  for (const as of [ada, bob]) {
    const tools = ["get_horoscope", "request_access"];
    assertEquals(await toolNames(api, { as }), tools);
  }
  const given = { sign_id: "leo", day: BID_DAY };
  const told = await callTool(api, ada, "get_horoscope", given);
  assertEquals([told.isError, told.content], [false, said]);

  const described = [describedOperation(HOROSCOPE)];
  // deno-lint-ignore no-explicit-any -- a document of any depth
  const { paths } = openapiDocument(TEST_SETTINGS, described) as any;
  const { get } = paths["/v1/agent/horoscopes/{id}"];
  assertEquals(get.security, [{ oauth: ["reports:read"] }]);
  assertEquals(get.parameters[0].name, "day");

  const tables = withAgentTables(
    "{agent_operations:reports}\n{agent_tools}\n{agent_operations:account}",
    [HOROSCOPE],
  );
  const request = "`GET /v1/agent/horoscopes/{sign_id}`";
  for (
    const row of [
      `| ${request} | \`reports:read\` | What the stars say. |`,
      `| \`get_horoscope\` | \`reports:read\` | ${request} |`,
    ]
  ) assertStringIncludes(tables, row);
  assert(tables.endsWith("|---|---|---|"), "no row in another's table");
});

Deno.test("contract §7.1 lists every operation with its scope and its tool, and no other", async () => {
  const contract = await Deno.readTextFile(`${ROOT}docs/contract.md`);
  const rows = contract.matchAll(
    /^\| `(\w+:\w+)` \| `([A-Z]+ \/\S*)` \| (?:`(\w+)`|none) \|$/gm,
  );
  const promised = [...rows].map((row) => row.slice(1).join(" "));
  const rowOf = (operation: AgentOperation) => {
    const name = operation.kind === "download" ? "" : operation.tool;
    return `${operation.scope} ${operation.at} ${name}`;
  };
  assertEquals(
    promised.toSorted(),
    AGENT_OPERATIONS.map(rowOf).toSorted(),
  );
});

Deno.test("no two operations have a place, a name or a tool in common", () => {
  const names = AGENT_OPERATIONS.flatMap((operation) => [
    JSON.stringify(placeOf(operation)),
    operation.id,
    ...operation.kind === "download" ? [] : [operation.tool],
  ]);
  assertEquals(names.length, new Set(names).size);
});
