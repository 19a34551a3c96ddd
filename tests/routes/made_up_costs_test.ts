/**
 * How long others wait for a stranger who makes up tokens and codes, thousands
 * at once, each of which has to be looked up.
 *
 * @module
 */
import { assert, assertEquals } from "@std/assert";
import type { AgentApi } from "../support/agent_api.ts";
import type { Agent } from "../support/bidding_world.ts";
import { bid, connectMore, openCosts } from "../support/costs.ts";
import { rpc } from "../support/mcp_agent.ts";
import type { OneAtATime } from "../support/one_at_a_time.ts";
import { tokenEndpoint } from "../support/token_endpoint.ts";

const STRANGER = "198.51.100.7";

/** Shows what was made up, the nth of its kind; the status of the answer. */
type Shows = (nth: number) => Promise<number>;

/** What strangers show, by where they do. */
const MADE_UP: Record<string, (api: AgentApi, ada: Agent) => Shows> = {
  "access tokens of the API": (api) => async (nth) => {
    const headers = { authorization: `Bearer ${accessToken(nth)}` };
    const answer = await api.ask("/v1/agent/me", { headers, from: STRANGER });
    await answer.body?.cancel();
    return answer.status;
  },
  "access tokens of the tool server": (api) => async (nth) => {
    const headers = { authorization: `Bearer ${accessToken(nth)}` };
    const asked = { headers, from: STRANGER };
    const answer = await rpc(api, "tools/list", {}, asked);
    await answer.body?.cancel();
    return answer.status;
  },
  codes: (api, ada) => {
    const ask = tokenEndpoint(api);
    return (nth) =>
      ask({
        grant_type: "authorization_code",
        client_id: ada.grant.clientId,
        code: `svc_ac_${String(nth).padStart(43, "x")}`,
        code_verifier: "v".repeat(43),
      }, STRANGER);
  },
  "refresh tokens": (api, ada) => {
    const ask = tokenEndpoint(api);
    return (nth) =>
      ask({
        grant_type: "refresh_token",
        client_id: ada.grant.clientId,
        refresh_token: refreshToken(nth),
      }, STRANGER);
  },
  "tokens to be revoked": (api) => {
    const ask = tokenEndpoint(api);
    return (nth) => ask({ token: refreshToken(nth) }, STRANGER);
  },
  "refresh tokens on a hundred links": (api, ada) => {
    const ask = tokenEndpoint(api);
    return (nth) =>
      ask({
        grant_type: "refresh_token",
        client_id: ada.grant.clientId,
        refresh_token: refreshToken(nth),
      }, linkOf(nth % 100));
  },
  "clients on a hundred links, to revoke by": (api) => {
    const ask = tokenEndpoint(api);
    return (nth) =>
      ask({
        token: "nothing",
        client_id: `client_${String(nth).padStart(22, "0")}`,
        client_assertion: "e30.e30.e30",
        client_assertion_type:
          "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
      }, linkOf(nth % 100));
  },
};

/** An address on one of the links of a stranger's site. */
function linkOf(nth: number): string {
  return `2001:db8:1:${nth.toString(16)}::1`;
}

function accessToken(nth: number): string {
  return `svc_at_${madeUpGrant(nth)}_${"0".repeat(14)}${"x".repeat(29)}`;
}

function refreshToken(nth: number, grantId = madeUpGrant(nth)): string {
  const secret = String(nth).padStart(43, "y");
  return `svc_rt_${grantId}_${"x".repeat(22)}000001${secret}`;
}

function madeUpGrant(nth: number): string {
  return `grant_${String(nth).padStart(22, "0")}`;
}

for (const [name, showsOf] of Object.entries(MADE_UP)) {
  Deno.test(`a rival's bid waits for a few reads of a stranger who makes up two thousand ${name}`, async () => {
    const { api, kv } = await openCosts();
    await using _ = api;
    const ada = await api.world.agent("ada");
    await bid(api, ada, 1_000);
    const flood = await beginFlood(kv, showsOf(api, ada));
    const before = kv.calls;
    await bid(api, ada, 2_000);
    const waitedFor = kv.calls - before;
    kv.isSlow = false;
    const told = [...await flood.told];
    // On a slow machine the last of them have waited for as long as anybody may.
    assert(told.some((status) => status < 500), `${told}`);
    assert(told.every((status) => status < 500 || status === 503), `${told}`);
    assert(waitedFor <= 60, `${waitedFor} calls`);
  });
}

Deno.test("tokens of a grant that is known here wait for none that a stranger of their network makes up, and others for their turn", async () => {
  const { api, kv } = await openCosts();
  await using _ = api;
  const shows = MADE_UP["refresh tokens"];
  const ada = await api.world.agent("ada");
  const [other] = await connectMore(api, ada, 1);
  assert(other && shows);
  assertEquals(await readMe(api, ada), 200);
  const flood = await beginFlood(kv, shows(api, ada));
  const before = kv.calls;
  const ask = tokenEndpoint(api);
  const refreshed = await ask({
    grant_type: "refresh_token",
    client_id: ada.grant.clientId,
    refresh_token: ada.refreshToken,
  }, STRANGER);
  assertEquals(refreshed, 200);
  const waitedFor = kv.calls - before;
  assert(waitedFor <= 60, `${waitedFor} calls`);
  const met = readMe(api, other);
  kv.isSlow = false;
  assertEquals(await met, 200);
  assertEquals(await flood.told, new Set([400, 429]));
});

for (const isKnown of [true, false]) {
  const known = isKnown ? "known here" : "new here";
  Deno.test(`a token of a grant that is ${known} is refreshed beside hundreds that others make up in its name`, async () => {
    const { api, kv } = await openCosts();
    await using _ = api;
    const ada = await api.world.agent("ada");
    if (isKnown) assertEquals(await readMe(api, ada), 200);
    const ask = tokenEndpoint(api);
    const form = (refresh_token: string) => ({
      grant_type: "refresh_token",
      client_id: ada.grant.clientId,
      refresh_token,
    });
    kv.isSlow = true;
    const madeUp = Array.from(
      { length: 480 },
      (_, nth) => ask(form(refreshToken(nth, ada.grant.id)), linkOf(nth % 8)),
    );
    await kv.answers(5);
    const before = kv.calls;
    const refreshed = await ask(form(ada.refreshToken), "192.0.2.1");
    const waitedFor = kv.calls - before;
    kv.isSlow = false;
    assertEquals(refreshed, 200);
    assertEquals(new Set(await Promise.all(madeUp)), new Set([400]));
    assert(waitedFor <= 30, `${waitedFor} calls`);
  });
}

/** Reads from the stranger's network. */
async function readMe(api: AgentApi, as: Agent): Promise<number> {
  const answer = await api.ask("/v1/agent/me", { as, from: STRANGER });
  await answer.body?.cancel();
  return answer.status;
}

/** Shows two thousand at once; what they are told. */
async function beginFlood(
  kv: OneAtATime,
  shows: Shows,
): Promise<{ told: Promise<Set<number>> }> {
  kv.isSlow = true;
  const flood = Promise.all(Array.from({ length: 2_000 }, (_, n) => shows(n)));
  // By now what is charged has been, on however many links, and they are looked up.
  await kv.answers(15);
  return { told: flood.then((statuses) => new Set(statuses)) };
}
