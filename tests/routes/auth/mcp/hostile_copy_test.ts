import { assert, assertEquals } from "@std/assert";
import { SCOPES } from "../../../../domain/oauth/grant.ts";
import { type AgentApi, openAgentApi } from "../../../support/agent_api.ts";
import {
  type Agent,
  BID_DAY,
  readyAccount,
} from "../../../support/bidding_world.ts";
import { HOSTILE_COPY } from "../../../support/hostile_copy.ts";
import { callTool, resultOf, rpc } from "../../../support/mcp_agent.ts";
import { settle, spotlight } from "../../../support/public_spotlights.ts";
import { askRest, bidTwin } from "../../../support/twins.ts";

/** An advertiser whose name and creative are that text. */
async function hostile(
  api: AgentApi,
  name: string,
  copy: string,
): Promise<Agent> {
  const { company, ...account } = readyAccount(name);
  assert(company !== null);
  return await api.world.agent(name, {
    scopes: SCOPES,
    account: { ...account, company: { ...company, name: `N${copy}` } },
    creative: { headline: `H${copy}`, description: `D${copy}` },
  });
}

/** Whether a text, or one of its JSON forms, holds that copy. */
function holds(text: string, copy: string): boolean {
  const once = JSON.stringify(copy).slice(1, -1);
  const twice = JSON.stringify(once).slice(1, -1);
  return [copy, once, twice].some((each) => text.includes(each));
}

Deno.test("one's own hostile name and creative come out as the same characters, in their own fields", async () => {
  for (const copy of HOSTILE_COPY) {
    await using api = await openAgentApi();
    const ada = await hostile(api, "ada", copy);
    const account = await callTool(api, ada, "get_account");
    const { company_name, ...others } = account.content;
    assertEquals(company_name, `N${copy}`);
    assert(!holds(JSON.stringify(others), copy));
    const creative = await callTool(api, ada, "get_creative", {
      ad_id: ada.adId,
    });
    const { headline, description, ...rest } = creative.content;
    assertEquals([headline, description], [`H${copy}`, `D${copy}`]);
    assert(!holds(JSON.stringify(rest), copy));
    assertEquals(JSON.parse(creative.text), creative.content);
  }
});

Deno.test("no result of the advertiser server holds copy of others, whoever won or bids", async () => {
  await using api = await openAgentApi();
  const copy = HOSTILE_COPY[0] ?? "";
  const bob = await hostile(api, "bob", copy);
  const ada = await api.world.agent("ada", { scopes: SCOPES });
  await settle(
    api.world.services.store,
    spotlight("2026-11-19", { headline: copy, advertiser: copy }),
  );
  await askRest(api, bob, bidTwin(bob));
  await askRest(api, ada, bidTwin(ada));
  const listed = await resultOf(await rpc(api, "tools/list", {}, { as: ada }));
  const given: Record<string, unknown> = {
    day: BID_DAY,
    ad_id: bob.adId,
    id: "bid_1",
    number: "SPOT-1",
  };
  let read = 0;
  for (const { name, inputSchema, annotations } of listed.tools) {
    if (!annotations.readOnlyHint) continue;
    const names = Object.keys(inputSchema.properties);
    const wanted = Object.fromEntries(
      names.flatMap((each) => each in given ? [[each, given[each]]] : []),
    );
    const params = { name, arguments: wanted };
    const answer = await rpc(api, "tools/call", params, { as: ada });
    const headers = JSON.stringify([...answer.headers]);
    assert(!holds(headers + await answer.text(), copy), name);
    read++;
  }
  assert(read >= 9, `${read} tools read`);
});

Deno.test("hostile copy is in no instruction, description, prompt or error of the advertiser server", async () => {
  await using api = await openAgentApi();
  for (const [at, copy] of HOSTILE_COPY.entries()) {
    const as = await hostile(api, `ada${at}`, copy);
    for (
      const [method, params] of [
        ["server/discover", {}],
        ["tools/list", {}],
        ["prompts/list", {}],
        ["prompts/get", { name: "first_bid_checklist", arguments: {} }],
        ["resources/list", {}],
        ["tools/call", {
          name: "place_bid",
          arguments: bidTwin(as, { amount_cents: 50_000_000 }).given,
        }],
        ["tools/call", {
          name: "submit_creative",
          arguments: { ad_id: as.adId },
        }],
      ] as const
    ) {
      const answer = await rpc(api, method, params, { as });
      const headers = JSON.stringify([...answer.headers]);
      assert(!holds(headers + await answer.text(), copy), method);
    }
  }
});
