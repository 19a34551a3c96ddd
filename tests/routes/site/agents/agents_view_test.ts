import { assert, assertEquals } from "@std/assert";
import type { Bid } from "../../../../domain/bids/bid.ts";
import type { GrantOverview } from "../../../../domain/oauth/list_grants.ts";
import { agentsView } from "../../../../routes/site/agents/agents_view.ts";
import { grant } from "../../../kv/records.ts";
import { dayText } from "../../../support/public_spotlights.ts";

function overview(
  id: string,
  state: GrantOverview["state"],
  changes: Partial<GrantOverview["grant"]> = {},
): GrantOverview {
  const base = grant(id, "acc_ada");
  const client = { ...base.client, name: `Agent ${id}` };
  const whole = { ...base, client, ...changes };
  return { grant: whole, state, mandateUse: null, lines: whole.lines };
}

function bid(id: string, grantId: string | null): Bid {
  return {
    id,
    day: dayText("2026-11-20"),
    accountId: "acc_ada",
    adId: "ad_1",
    amountCents: 500,
    status: "active",
    placedAtMs: 0,
    paymentMethodId: "pm_1",
    grantId,
  };
}

Deno.test("agentsView() parts what an agent sees from what it changes", () => {
  const scopes = ["account:read", "bids:read", "bids:write"] as const;
  const { connected } = agentsView([overview("a", "live", { scopes })], []);
  const [agent] = connected;
  assertEquals(agent?.sees, ["See your account", "See your bids"]);
  assertEquals(agent?.changes.length, 1);
});

Deno.test("agentsView() keeps approved and live agents apart from past ones", () => {
  const view = agentsView([
    overview("a", "live"),
    overview("b", "unused"),
    overview("c", "ended"),
    overview("d", "revoked", { revokedAtMs: 5, revokedReason: "user" }),
    overview("e", "revoked", { revokedAtMs: 6, revokedReason: "client" }),
    overview("f", "revoked", { revokedAtMs: 7, revokedReason: "code_replay" }),
    overview("g", "revoked", { revokedAtMs: 8, revokedReason: "account" }),
    overview("h", "revoked", { revokedAtMs: 9, revokedReason: "merged" }),
    overview("i", "ended", {
      lines: [],
      lastEnding: { reason: "client", atMs: 4 },
    }),
  ], []);
  assertEquals(view.connected.map(({ grantId }) => grantId), ["a", "b"]);
  assertEquals(view.past.map(({ ending }) => ending), [
    "run out",
    "revoked",
    "given back",
    "stopped for safety",
    "revoked",
    "joined with a later connection",
    "given back",
  ]);
  assertEquals(view.past.at(-1)?.endedAtMs, 4);
});

Deno.test("agentsView() says of an agent whose mandate was brought forward when that ended, and not when its tokens would have", () => {
  const refresh = {
    lineHash: "line",
    number: 1,
    currentHash: "now",
    previousHash: null,
    previousUsedAtMs: null,
    endsAtMs: 9,
    keyId: "k1",
  };
  const lines = grant("a", "acc_ada").lines
    .map((line) => ({ ...line, refresh }));
  const mandate = { maxBidCents: 1_000, dailyCapCents: 1_000, validUntilMs: 8 };
  const ended = overview("a", "ended", { lines, mandate });
  const { past } = agentsView([ended], []);
  assertEquals(past[0]?.ending, "run out");
  assertEquals(past[0]?.endedAtMs, mandate.validUntilMs);
});

Deno.test("agentsView() says in how many places an agent is connected, and since when in the last, but for the one of its beginning", () => {
  const { lines: [first] } = grant("a", "acc_ada");
  assert(first !== undefined);
  const begun = { ...first, id: "a", begunAtMs: 10 };
  const another = { ...first, id: "b", begunAtMs: 30 };
  const ended = { reason: "too_many", atMs: 40 } as const;
  const views = [
    { lines: [begun] },
    { lines: [another, begun] },
    { lines: [another], lastEnding: ended },
  ].map((changes) =>
    agentsView([overview("a", "live", changes)], []).connected[0]
  );
  assertEquals(views.map((view) => view?.installations), [
    null,
    { count: 2, lastAtMs: 30 },
    { count: 1, lastAtMs: 30 },
  ]);
  assertEquals(views.map((view) => view?.oneEndedAtMs), [null, null, 40]);
});

Deno.test("agentsView() says which of those that are connected share a name", () => {
  const { client } = grant("b", "acc_ada");
  const same = { client: { ...client, name: "Agent a" } };
  const { connected } = agentsView([
    overview("a", "live"),
    overview("b", "unused", same),
    overview("c", "live"),
    overview("d", "ended", { client: { ...client, name: "Agent c" } }),
  ], []);
  assertEquals(connected.map(({ isNamesake }) => isNamesake), [
    true,
    true,
    false,
  ]);
});

Deno.test("agentsView() lists the bids of a grant that was merged under the one that goes on", () => {
  const merged = { mergedInto: "a", revokedAtMs: 5 };
  const grants = [overview("a", "live"), overview("b", "revoked", merged)];
  const view = agentsView(grants, [bid("1", "a"), bid("2", "b")]);
  assertEquals(view.connected[0]?.liveBids.map(({ id }) => id), ["1", "2"]);
  assertEquals(view.otherBids, []);
});

Deno.test("agentsView() lists each bid that stands once, with who placed it", () => {
  const grants = [overview("a", "live"), overview("d", "revoked")];
  const bids = [bid("1", "a"), bid("2", "d"), bid("3", null), bid("4", "gone")];
  const view = agentsView(grants, bids);
  assertEquals(view.connected[0]?.liveBids.map(({ id }) => id), ["1"]);
  assertEquals(view.otherBids.map(({ bid, by }) => [bid.id, by]), [
    ["2", "Agent d"],
    ["3", "you"],
    ["4", "a former agent"],
  ]);
});

Deno.test("agentsView() shows twenty past agents at most", () => {
  const past = Array.from(
    { length: 30 },
    (_, at) => overview(String(at), "revoked", { revokedAtMs: at }),
  );
  assertEquals(agentsView(past, []).past.length, 20);
});
