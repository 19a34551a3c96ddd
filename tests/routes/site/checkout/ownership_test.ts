import { assertEquals } from "@std/assert";
import { revokeGrant } from "../../../../domain/oauth/revoke_grant.ts";
import { createGrant } from "../../../../tools/demo/create_grant.ts";
import { newSession, pay, paymentOf } from "../../../support/checkout_calls.ts";
import {
  type AskOptions,
  type Buyer,
  openCheckoutWorld,
} from "../../../support/checkout_world.ts";

/** The operations on a session, by what follows its id. */
const ON_A_SESSION: readonly [path: string, options: AskOptions][] = [
  ["", {}],
  ["/resource", {}],
  ["", { key: "k", body: { line_items: [{ id: "metrics:2026-11-18" }] } }],
  ["/complete", { key: "k", body: paymentOf("spt_1") }],
  ["/cancel", { key: "k", body: {} }],
];

const IMPOSSIBLE = [
  `cs_${"A".repeat(32)}`,
  `cs_${"a".repeat(31)}`,
  `cs_${"a".repeat(33)}`,
  `CS_${"a".repeat(32)}`,
  `cs_${"g".repeat(32)}`,
  "x".repeat(3_000),
  "%00",
  "%F0%9F%92%B6",
  "cs_%ZZ",
  "..%2f..%2foperator",
  "__proto__",
];

Deno.test("another grant's session, an unknown and an impossible one are answered 404 byte for byte alike", async () => {
  await using world = await openCheckoutWorld();
  const [ada, bob] = [await world.buyer("ada"), await world.buyer("bob")];
  const waiting = await newSession(world.ask, ada);
  const paid = await newSession(world.ask, ada, "2026-11-18", "create-2");
  await pay(world.ask, ada, paid, await world.token());
  const unknown = `cs_${"0".repeat(32)}`;
  const ids = [waiting.id, paid.id, unknown, ...IMPOSSIBLE];
  for (const [path, options] of ON_A_SESSION) {
    const seen = new Set<string>();
    for (const id of ids) {
      const at = `/checkout_sessions/${id}${path}`;
      const answer = await world.ask(at, { as: bob, ...options });
      const headers = [...answer.headers];
      seen.add(JSON.stringify([answer.status, headers, await answer.text()]));
    }
    assertEquals(seen.size, 1, path);
    assertEquals(JSON.parse([...seen][0] ?? "")[0], 404);
  }
  const rows = await world.services.store.checkoutSessions.find(waiting.id);
  assertEquals(rows?.status, "ready_for_payment");
});

Deno.test("another grant of the same account does not see the session either", async () => {
  await using world = await openCheckoutWorld();
  const first = await world.buyer("ada");
  const { accountId } = first.grant;
  const second = await createGrant(world.services, {
    accountId,
    clientId: "client_other",
    scopes: ["account:read"],
    mandate: null,
  });
  const { id } = await newSession(world.ask, first);
  for (const [path, options] of ON_A_SESSION) {
    const at = `/checkout_sessions/${id}${path}`;
    const answer = await world.ask(at, { as: second, ...options });
    assertEquals(answer.status, 404);
  }
});

Deno.test("a second consent of a client keeps its sessions", async () => {
  await using world = await openCheckoutWorld();
  const first = await world.buyer("ada");
  const { id } = await newSession(world.ask, first);
  const again = await world.buyer("ada");
  assertEquals(again.grant.id, first.grant.id);
  const answer = await world.ask(`/checkout_sessions/${id}`, { as: again });
  assertEquals(answer.status, 200);
  assertEquals((await answer.json()).id, id);
});

Deno.test("a key of one grant is nothing to another", async () => {
  await using world = await openCheckoutWorld();
  const buyers: Buyer[] = [await world.buyer("ada"), await world.buyer("bob")];
  const sessions = await Promise.all(
    buyers.map((buyer) => newSession(world.ask, buyer)),
  );
  assertEquals(new Set(sessions.map(({ id }) => id)).size, 2);
});

Deno.test("a session outlives its access token but not its grant", async () => {
  await using world = await openCheckoutWorld();
  const ada = await world.buyer("ada");
  const session = await newSession(world.ask, ada);
  await pay(world.ask, ada, session, await world.token());
  const { accountId, id: grantId } = ada.grant;
  await revokeGrant(world.services, { accountId, grantId });
  for (const path of ["", "/resource"]) {
    const at = `/checkout_sessions/${session.id}${path}`;
    assertEquals((await world.ask(at, { as: ada })).status, 401);
  }
});
