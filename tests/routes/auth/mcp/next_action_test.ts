import { assert, assertEquals } from "@std/assert";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import type { Creative } from "../../../../domain/creatives/creative.ts";
import { SCOPES } from "../../../../domain/oauth/grant.ts";
import { firstBid } from "../../../../domain/readiness/first_bid.ts";
import {
  AGENT_TOOLS,
  type NextAction,
} from "../../../../domain/readiness/next_action.ts";
import type { BidSnapshot } from "../../../../domain/readiness/snapshot.ts";
import {
  GRANT,
  LIVE_BID,
  snapshotOf,
} from "../../../domain/readiness/snapshots.ts";
import { advertiserTools } from "../../../../routes/auth/mcp/advertiser_tools.ts";
import { openAgentApi } from "../../../support/agent_api.ts";
import { approvedCreative, BID_DAY } from "../../../support/bidding_world.ts";
import { callTool, resultOf, rpc } from "../../../support/mcp_agent.ts";

/** What a caller answers for an input that an action asks for. */
const INPUTS: Readonly<Record<string, unknown>> = {
  day: BID_DAY,
  ad_id: "ad_ada",
  amount_cents: 1_000,
  idempotency_key: "key-1",
  headline: "Bread that takes its time",
  description: "Forty hours of sourdough, baked before you are up.",
  target_url: "https://bakery.example.com/",
};

/** States of every kind, as an agent with every scope or few meets them. */
function* snapshots(): Generator<BidSnapshot> {
  const all = { ...GRANT, scopes: SCOPES };
  const open = { day: null, adId: null, amountCents: null };
  const states = ["draft", "submitted", "rejected", "archived"] as const;
  const creative = (state: Creative["state"]) => ({
    ...approvedCreative("ada"),
    state,
  });
  for (const grant of [GRANT, all]) {
    yield snapshotOf({ grant });
    yield snapshotOf({ grant, creative: null });
    yield snapshotOf({ grant, creative: null, nearest: "none" });
    for (const state of states) {
      yield snapshotOf({ grant, creative: creative(state) });
    }
    yield snapshotOf({ grant, usedCents: 7_001 });
    yield snapshotOf({ grant, auction: null });
    yield snapshotOf({
      grant,
      liveBid: { ...LIVE_BID, amountCents: 1_000 },
    });
    yield snapshotOf({
      grant,
      auction: null,
      wanted: { ...open, paymentMethodId: null },
    });
  }
}

function actionsOf(snapshot: BidSnapshot): NextAction[] {
  const { next_action, requirements, recovery } = firstBid(snapshot);
  return [
    next_action,
    ...requirements.flatMap(({ action }) => action ?? []),
    { ...next_action, ...recovery.read, required_inputs: [] },
  ];
}

Deno.test("every tool an action names is listed for all scopes, takes its arguments and the inputs it asks for", async () => {
  await using api = await openAgentApi();
  const as = await api.world.agent("ada", { scopes: SCOPES });
  const { tools } = await resultOf(await rpc(api, "tools/list", {}, { as }));
  const ajv = new Ajv2020({ strict: true });
  // deno-lint-ignore no-explicit-any -- the package's types are for CommonJS
  (addFormats as any)(ajv);
  const named = new Set<string>();
  for (const action of [...snapshots()].flatMap(actionsOf)) {
    if (action.tool === undefined) continue;
    named.add(action.tool);
    const tool = tools.find(({ name }: { name: string }) =>
      name === action.tool
    );
    assert(tool !== undefined, `${action.tool} is listed`);
    const inputs = action.required_inputs ?? [];
    const asked = Object.fromEntries(
      inputs.map((name) => [name, INPUTS[name]]),
    );
    assert(!inputs.some((name) => name in (action.arguments ?? {})));
    const takes = ajv.compile(tool.inputSchema);
    const given = { ...action.arguments, ...asked };
    assert(takes(given), JSON.stringify([action, takes.errors]));
  }
  assertEquals([...named].sort(), Object.keys(AGENT_TOOLS).sort());
});

Deno.test("the tools of actions take the scopes that actions say they take", async () => {
  await using api = await openAgentApi();
  const tools = advertiserTools(api.world.services);
  for (const [name, { scope }] of Object.entries(AGENT_TOOLS)) {
    const tool = tools.find((each) => each.name === name);
    assertEquals(tool?.scope, scope, name);
  }
});

Deno.test("an agent that has no creative and follows next_action comes to a bid by tools and the desk's yes alone", async () => {
  await using api = await openAgentApi();
  const as = await api.world.agent("ada", { scopes: SCOPES });
  const { store } = api.world.services;
  await store.transact(async (tx) => {
    const creative = await tx.creatives.find(as.account.id, as.adId);
    if (creative !== null) tx.creatives.remove(creative);
  });
  const next = async (wanted: Readonly<Record<string, unknown>> = {}) => {
    const { content } = await callTool(api, as, "get_account", wanted);
    return content.first_bid.next_action;
  };
  const inputsOf = ({ required_inputs = [] }: NextAction) =>
    Object.fromEntries(required_inputs.map((name) => [name, INPUTS[name]]));
  // A made-up ad_id leads there as well, and not to a list of nothing.
  assertEquals((await next({ ad_id: "ad_none" })).tool, "create_creative");
  const write = await next();
  assertEquals(write.tool, "create_creative");
  const { content: { ad_id } } = await callTool(api, as, write.tool, {
    ...write.arguments,
    ...inputsOf(write),
  });
  const submit = await next();
  assertEquals([submit.tool, submit.arguments], ["submit_creative", { ad_id }]);
  const done = await callTool(api, as, submit.tool, submit.arguments);
  assertEquals(done.content.state, "submitted");
  assertEquals((await next()).actor, "wait");
  await store.transact(async (tx) => {
    const creative = await tx.creatives.find(as.account.id, ad_id);
    assert(creative !== null);
    tx.creatives.save({ ...creative, state: "approved" });
  });
  const again = await next();
  assertEquals([again.tool, again.required_inputs], [
    "get_account",
    ["day", "ad_id", "amount_cents"],
  ]);
  const bid = await next({ day: BID_DAY, ad_id, amount_cents: 1_000 });
  assertEquals(bid.required_inputs, ["idempotency_key"]);
  const placed = await callTool(api, as, bid.tool, {
    ...bid.arguments,
    idempotency_key: "first",
  });
  assertEquals([placed.isError, placed.content.bidCount], [false, 1]);
});
