/** What the checkout answers, byte for byte. */
import {
  cancel,
  cartOf,
  newSession,
  pay,
  payHeld,
  paymentOf,
  payUncertain,
  refresh,
  replace,
  report,
} from "../support/checkout_calls.ts";
import {
  type Ask,
  type CheckoutWorld,
  DAY,
  openCheckoutWorld,
} from "../support/checkout_world.ts";
import { assertGolden, Recording } from "./golden.ts";

/** What is stored for repeats. */
async function keepRows(
  { world: { testStore } }: CheckoutWorld,
  kept: Recording,
): Promise<void> {
  for await (
    const { key, value } of testStore.realKv.list({ prefix: ["idempotency"] })
  ) {
    kept.add(JSON.stringify(key), JSON.stringify(value, null, 1));
  }
}

Deno.test("a session is created in the bytes it always was", async () => {
  await using world = await openCheckoutWorld();
  const { ask } = world;
  const kept = new Recording();
  const ada = await world.buyer("ada");
  const bob = await world.buyer("bob", ["bids:read"]);
  const create = (key: string | null, body: unknown, changes = {}) =>
    ask("/checkout_sessions", {
      as: ada,
      body,
      ...key !== null && { key },
      ...changes,
    });
  const asked: readonly [string, () => Promise<Response>][] = [
    ["create", () => create("a", cartOf())],
    ["create again", () => create("a", cartOf())],
    ["create otherwise", () => create("a", cartOf("2026-11-17"))],
    ["create with a space in the key", () => create("a b", cartOf())],
    ["create with a bad key", () => create("é", cartOf())],
    ["create without a key", () => create(null, cartOf())],
    ["create of no day", () => create("b", cartOf("2026-11-20"))],
    ["create of no day again", () => create("b", cartOf("2026-11-20"))],
    ["create of no cart", () => create("c", {})],
    ["create in dollars", () => create("d", cartOf(DAY, { currency: "usd" }))],
    ["create without a scope", () => create("e", cartOf(), { as: bob })],
    ["create without a token", () => create("f", cartOf(), { as: undefined })],
    [
      "create without a version",
      () => create("g", cartOf(), { headers: { "api-version": null } }),
    ],
    [
      "create with a request id",
      () => create("h", cartOf(), { headers: { "request-id": "mine" } }),
    ],
    ["no session", () => ask("/checkout_sessions/cs_x", { as: ada })],
    ["no path", () => ask("/checkout_sessions/cs_x/y", { as: ada })],
    ["no method", () => ask("/checkout_sessions", { as: ada })],
  ];
  for (const [title, tell] of asked) await kept.answer(title, await tell());
  await keepRows(world, kept);
  await assertGolden("checkout_created.txt", kept.text());
});

Deno.test("a session is changed and paid in the bytes it always was", async () => {
  await using world = await openCheckoutWorld();
  const { ask } = world;
  const kept = new Recording();
  const ada = await world.buyer("ada");
  const session = await newSession(ask, ada, DAY, "s");
  const carol = await world.buyer("carol");
  const token = await world.token();
  const declined = await world.token({ card: "pm_card_chargeDeclined" });
  const asking = await world.token({ card: "pm_card_threeDSecureRequired" });
  const own: readonly [string, () => Promise<Response>][] = [
    ["another's", () => ask(`/checkout_sessions/${session.id}`, { as: carol })],
    ["read", () => ask(`/checkout_sessions/${session.id}`, { as: ada })],
    ["update", () => replace(ask, ada, session, "2026-11-18")],
    ["update again", () => replace(ask, ada, session, "2026-11-18")],
    ["update otherwise", () => replace(ask, ada, session, "2026-11-17")],
    ["update to no day", () => replace(ask, ada, session, "2026-11-20", "u2")],
    ["report unpaid", () => report(ask, ada, session)],
    ["pay badly", () => pay(ask, ada, session, "spt_never", "p0")],
    ["pay badly again", () => pay(ask, ada, session, "spt_never", "p0")],
    ["pay declined", () => pay(ask, ada, session, declined, "p4")],
    ["pay declined again", () => pay(ask, ada, session, declined, "p4")],
    ["pay asking", () => pay(ask, ada, session, asking, "p5")],
    ["pay asking again", () => pay(ask, ada, session, asking, "p5")],
    ["pay", () => pay(ask, ada, session, token, "p1")],
    ["pay again", () => pay(ask, ada, session, token, "p1")],
    ["pay twice", () => pay(ask, ada, session, declined, "p2")],
    ["pay otherwise", () => pay(ask, ada, session, "spt_other", "p1")],
    [
      "pay with nothing",
      () =>
        ask(`/checkout_sessions/${session.id}/complete`, {
          as: ada,
          key: "p3",
          body: paymentOf(5),
        }),
    ],
    ["report", () => report(ask, ada, session)],
    ["update what is paid", () => replace(ask, ada, session, DAY, "u3")],
    ["cancel what is paid", () => cancel(ask, ada, session, "x1")],
    ["cancel again", () => cancel(ask, ada, session, "x1")],
  ];
  for (const [title, tell] of own) {
    world.world.clock.advance(1_000);
    await kept.answer(title, await tell());
  }
  const other = await newSession(ask, ada, DAY, "s2");
  for (const key of ["y1", "y1", "y2"]) {
    await kept.answer(`cancel ${key}`, await cancel(ask, ada, other, key));
  }
  await kept.answer("pay late", await pay(ask, ada, other, token, "p4"));
  await keepRows(world, kept);
  await assertGolden("checkout_paid.txt", kept.text());
});

Deno.test("a payment under way is answered in the bytes it always was", async () => {
  await using world = await openCheckoutWorld();
  const { control } = world.world.simulator;
  const kept = new Recording();
  const { ada, session, token, paying } = await payHeld(world);
  const meanwhile: readonly [string, (ask: Ask) => Promise<Response>][] = [
    ["the same", (ask) => pay(ask, ada, session, token)],
    ["another key", (ask) => pay(ask, ada, session, token, "other")],
    ["cancel", (ask) => cancel(ask, ada, session)],
    ["update", (ask) => replace(ask, ada, session, DAY)],
  ];
  for (const [title, tell] of meanwhile) {
    await kept.answer(title, await tell(world.ask));
  }
  control.releaseRequests();
  await kept.answer("paid", await paying);
  await kept.answer("again", await pay(world.ask, ada, session, token));
  await assertGolden("checkout_under_way.txt", kept.text());
});

Deno.test("an uncertain payment is answered in the bytes it always was, once it is settled too", async () => {
  const kept = new Recording();
  for (const found of ["by the same", "by the sweep"]) {
    await using world = await openCheckoutWorld();
    const kind = "reset_after_effect";
    const { ada, session, token } = await payUncertain(world, kind);
    if (found === "by the sweep") {
      world.world.clock.advance(3_600_000);
      await world.sweep();
      await refresh(world, ada, 0);
    }
    const again = () => pay(world.ask, ada, session, token);
    await kept.answer(`found ${found}`, await again());
    await kept.answer("again", await again());
  }
  await assertGolden("checkout_uncertain.txt", kept.text());
});
