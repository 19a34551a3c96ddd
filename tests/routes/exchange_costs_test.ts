/**
 * How long others wait for a hundred agents of one account that refresh and
 * revoke their tokens at once.
 *
 * @module
 */
import { assert, assertEquals } from "@std/assert";
import type { Agent } from "../support/bidding_world.ts";
import { bid, hundredAgents, openCosts } from "../support/costs.ts";
import { tokenEndpoint } from "../support/token_endpoint.ts";

const ASKED = {
  refreshes: ({ refreshToken, grant: { clientId } }: Agent) => ({
    grant_type: "refresh_token",
    refresh_token: refreshToken,
    client_id: clientId,
  }),
  // Whoever held a token of a line may end it.
  revocations: ({ refreshToken, grant: { clientId } }: Agent) => ({
    token: `${refreshToken.slice(0, -8)}AAAAAAAA`,
    client_id: clientId,
  }),
};

for (const [name, formOf] of Object.entries(ASKED)) {
  Deno.test(`a rival's bid waits for a few ${name} of an account whose hundred agents ask eight times each at once`, async () => {
    const { api, kv } = await openCosts();
    await using _ = api;
    const agents = await hundredAgents(api);
    const ask = tokenEndpoint(api);
    const ada = await api.world.agent("ada");
    await bid(api, ada, 1_000);
    kv.isSlow = true;
    const flood = agents.flatMap((as) =>
      Array.from({ length: 8 }, () => ask(formOf(as)))
    );
    // By now they are about to commit.
    await kv.answers(60);
    const before = kv.calls;
    await bid(api, ada, 2_000);
    const waitedFor = kv.calls - before;
    kv.isSlow = false;
    const statuses = new Set(await Promise.all(flood));
    assert([...statuses].every((status) => [200, 429].includes(status)));
    // One for each agent at most, however often it asks.
    assert(waitedFor <= 100, `${waitedFor} calls`);
  });
}

Deno.test("a token is refreshed beside five thousand codes that strangers made up", async () => {
  const { api, kv } = await openCosts();
  await using _ = api;
  const ada = await api.world.agent("ada");
  const ask = tokenEndpoint(api);
  kv.isSlow = true;
  const madeUp = Array.from({ length: 5_000 }, (_, nth) => {
    const form = {
      grant_type: "authorization_code",
      client_id: ada.grant.clientId,
      code: `svc_ac_${String(nth).padStart(43, "x")}`,
      code_verifier: "v".repeat(43),
    };
    return ask(form, `2001:db8:${nth.toString(16)}::1`);
  });
  await kv.answers(1);
  const refreshed = ask(ASKED.refreshes(ada), "192.0.2.1");
  kv.isSlow = false;
  assertEquals(await refreshed, 200);
  assertEquals(new Set(await Promise.all(madeUp)), new Set([400]));
});
