/**
 * What the advertiser server lists is answered from memory as the library answers
 * it; what the library is asked for beside calls is paid for by the account.
 */
import { assert, assertEquals } from "@std/assert";
import { BUCKET_POLICIES } from "../../../../domain/rate_limit/policy.ts";
import type { Agent } from "../../../support/bidding_world.ts";
import { connectMore, openCosts } from "../../../support/costs.ts";
import type { Params } from "../../../support/mcp_calls.ts";
import { rpc } from "../../../support/mcp_agent.ts";

const PROMPT = { name: "first_bid_checklist" };

/** What is out of the ordinary, and may ask the library for all that there is. */
const ODD: readonly [what: string, method: string, Params, accept?: string][] =
  [
    ["a list from a cursor on", "tools/list", { cursor: "x" }],
    ["a list in whatever type", "tools/list", {}, "*/*"],
    ["what there is not", "tools/everything", {}],
    ["a prompt", "prompts/get", PROMPT],
  ];

for (const [what, method, params, accept] of ODD) {
  Deno.test(`${what} costs the account a token, whichever of its agents asks, and what is listed from memory does not`, async () => {
    const { api } = await openCosts();
    await using _ = api;
    const ada = await api.world.agent("ada");
    const agents = await connectMore(api, await api.world.agent("eve"), 7);
    const [eve] = agents.splice(-1);
    assert(eve);
    const headers: Record<string, string> = accept ? { accept } : {};
    const odd = async (as: Agent) => {
      const asked = { as, old: true, headers };
      const answer = await rpc(api, method, params, asked);
      await answer.body?.cancel();
      return answer.status;
    };
    const plain = async (as: Agent) => {
      const answer = await rpc(api, "tools/list", {}, { as, old: true });
      await answer.body?.cancel();
      return answer.status;
    };
    // The first list of all is the library's.
    assertEquals(await plain(eve), 200);
    const { capacity } = BUCKET_POLICIES.list;
    for (let nth = 1; nth < capacity; nth++) {
      const as = agents[nth % agents.length];
      assert(as);
      assertEquals(await odd(as), 200);
    }
    assertEquals(await odd(eve), 429);
    assertEquals([await plain(eve), await odd(ada)], [200, 200]);
  });
}

Deno.test("who asks for something else is answered between the lists that the library makes for an account", async () => {
  const { api } = await openCosts();
  await using _ = api;
  const ada = await api.world.agent("ada");
  const agents = await connectMore(api, await api.world.agent("eve"), 10);
  const headers = { accept: "*/*" };
  const list = async (as: Agent) => {
    const answer = await rpc(api, "tools/list", {}, { as, old: true, headers });
    await answer.body?.cancel();
  };
  // The second time their tokens are known, so that all lists are made at once.
  for (const atMost of [Infinity, 20]) {
    let made = 0;
    const lists = Array.from({ length: 80 }, async (_, nth) => {
      await list(agents[nth % agents.length] ?? ada);
      made++;
    });
    const answer = await api.ask("/v1/agent/me", { as: ada });
    assert(made <= atMost, `${made} lists were made before`);
    assertEquals(answer.status, 200, await answer.text());
    await Promise.all(lists);
    api.world.clock.advance(60_000);
  }
});
