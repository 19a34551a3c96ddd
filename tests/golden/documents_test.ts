/** What describes the agent API: byte for byte, as it is read by programs. */
import { SCOPES } from "../../domain/oauth/grant.ts";
import { openapiDocument } from "../../routes/discovery/openapi/document.ts";
import { openAgentApi } from "../support/agent_api.ts";
import { documentText } from "../support/documents.ts";
import { resultOf, rpc } from "../support/mcp_agent.ts";
import { TEST_SETTINGS } from "../support/site_app.ts";
import { assertGolden, linesOf, Recording } from "./golden.ts";

Deno.test("openapi.json has the bytes it always had", async () => {
  const text = JSON.stringify(openapiDocument(TEST_SETTINGS));
  await assertGolden("openapi.txt", linesOf(text));
});

Deno.test("the lists of tools, resources and prompts have the bytes they always had", async () => {
  await using api = await openAgentApi();
  const kept = new Recording();
  const all = await api.world.agent("ada", { scopes: SCOPES });
  for (const old of [false, true]) {
    for (const list of ["tools", "resources", "prompts"]) {
      const options = { as: all, old };
      const answer = await rpc(api, `${list}/list`, {}, options);
      const text = JSON.stringify(await resultOf(answer));
      kept.add(`${list}${old ? " of 2025" : ""}`, linesOf(text));
    }
    api.world.clock.advance(10_000);
  }
  await assertGolden("tools.txt", kept.text());
});

Deno.test("the tables of operations in docs/developers.md have the rows they always had", async () => {
  const rows = documentText("/developers.md").split("\n").filter((line) =>
    line.startsWith("|") && line.includes("/v1/agent")
  );
  await assertGolden("tables.txt", rows.join("\n"));
});
