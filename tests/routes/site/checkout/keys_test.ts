import { assertEquals, assertNotEquals } from "@std/assert";
import { IDEMPOTENCY_LONG_MS } from "../../../../domain/idempotency/replay.ts";
import { removeSpotlight } from "../../../../domain/spotlights/remove_spotlight.ts";
import {
  cancel,
  cartOf,
  codeOf,
  newSession,
  pay,
  paymentOf,
  refresh,
  replace,
  see,
} from "../../../support/checkout_calls.ts";
import {
  type AskOptions,
  type CheckoutWorld,
  DAY,
  DAYS,
  openCheckoutWorld,
} from "../../../support/checkout_world.ts";
import {
  dayText,
  settle,
  spotlight,
} from "../../../support/public_spotlights.ts";

/** An answer as far as a repeat has to be the same. */
async function partsOf(answer: Response): Promise<unknown> {
  return { status: answer.status, body: await answer.text() };
}

async function assertReplays(
  world: CheckoutWorld,
  path: string,
  options: AskOptions,
): Promise<void> {
  const first = await world.ask(path, options);
  const location = first.headers.get("location");
  assertEquals(first.headers.get("idempotent-replayed"), null);
  const wanted = await partsOf(first);
  world.world.clock.advance(60_000);
  const again = await world.ask(path, options);
  assertEquals(again.headers.get("idempotent-replayed"), "true");
  assertEquals(again.headers.get("location"), location);
  assertEquals(again.headers.get("idempotency-key"), options.key);
  assertEquals(await partsOf(again), wanted);
}

Deno.test("each POST of the checkout answers a repeat with its key as it did first, and does nothing again", async () => {
  await using world = await openCheckoutWorld();
  const as = await world.buyer("ada");
  const key = "k";
  await assertReplays(world, "/checkout_sessions", {
    as,
    key,
    body: cartOf(),
  });
  const { id } = await newSession(world.ask, as);
  const at = `/checkout_sessions/${id}`;
  const body = { line_items: [{ id: `metrics:${DAYS[0]}` }] };
  await assertReplays(world, at, { as, key, body });
  const token = await world.token();
  const payment = paymentOf(token);
  await assertReplays(world, `${at}/complete`, { as, key, body: payment });
  assertEquals(world.paid().length, 1);
  const other = await newSession(world.ask, as, DAY, "create-2");
  const cancelAt = `/checkout_sessions/${other.id}/cancel`;
  await assertReplays(world, cancelAt, { as, key, body: {} });
});

Deno.test("what is refused for good is refused again in the same words, whatever has changed", async () => {
  await using world = await openCheckoutWorld();
  const as = await world.buyer("ada");
  const future = dayText("2026-11-20");
  const create = { as, key: "early", body: cartOf(future) };
  const early = await world.ask("/checkout_sessions", create);
  assertEquals(await codeOf(early), "400 invalid_item_id");
  await settle(world.services.store, spotlight(future));
  const replayed = await world.ask("/checkout_sessions", create);
  assertEquals(replayed.headers.get("idempotent-replayed"), "true");
  assertEquals(await codeOf(replayed), "400 invalid_item_id");
  const session = await newSession(world.ask, as, future);
  await cancel(world.ask, as, session);
  for (
    const [suffix, body, code] of [
      ["", { line_items: [{ id: `metrics:${DAY}` }] }, "session_frozen"],
      ["/complete", paymentOf("spt_1"), "session_not_payable"],
      ["/cancel", {}, "session_not_cancelable"],
    ] as const
  ) {
    const path = `/checkout_sessions/${session.id}${suffix}`;
    const first = await world.ask(path, { as, key: "late", body });
    assertEquals(await codeOf(first), `409 ${code}`);
    const again = await world.ask(path, { as, key: "late", body });
    assertEquals(again.headers.get("idempotent-replayed"), "true");
    assertEquals(await codeOf(again), `409 ${code}`);
  }
});

Deno.test("what is refused before the key is taken leaves the key free", async () => {
  await using world = await openCheckoutWorld();
  const as = await world.buyer("ada");
  const path = "/checkout_sessions";
  const key = "k";
  const refused: AskOptions[] = [
    { headers: { "api-version": null } },
    { headers: { "api-version": "2025-01-01" } },
    { body: cartOf(DAY, { currency: "usd" }) },
    { raw: "{" },
    { method: "PUT" },
    { as: undefined },
  ];
  for (const options of refused) {
    const answer = await world.ask(path, {
      as,
      key,
      body: cartOf(),
      ...options,
    });
    await answer.body?.cancel();
    assertEquals(answer.status >= 400, true);
  }
  const answer = await world.ask(path, { as, key, body: cartOf() });
  assertEquals(answer.status, 201);
});

Deno.test("a 404 is not stored", async () => {
  await using world = await openCheckoutWorld();
  const as = await world.buyer("ada");
  const at = `/checkout_sessions/cs_${"0".repeat(32)}/cancel`;
  for (let n = 0; n < 2; n++) {
    const answer = await world.ask(at, { as, key: "k", body: {} });
    assertEquals(answer.headers.get("idempotent-replayed"), null);
    assertEquals(await codeOf(answer), "404 checkout_session_not_found");
  }
});

Deno.test("a key with another body is 409 idempotency_conflict on each POST", async () => {
  await using world = await openCheckoutWorld();
  const as = await world.buyer("ada");
  const key = "k";
  const session = await newSession(world.ask, as, DAY, key);
  const create = { as, key, body: cartOf(DAYS[0]) };
  const conflict = "409 idempotency_conflict";
  assertEquals(
    await codeOf(await world.ask("/checkout_sessions", create)),
    conflict,
  );
  await replace(world.ask, as, session, DAYS[0], key);
  assertEquals(
    await codeOf(await replace(world.ask, as, session, DAY, key)),
    conflict,
  );
  await pay(world.ask, as, session, await world.token(), key);
  const other = await pay(world.ask, as, session, await world.token(), key);
  assertEquals(await codeOf(other), conflict);
  assertEquals(world.paid().length, 1);
});

/** Texts that say the same as the first, and texts that do not. */
const SAME = [
  '{"line_items":[{"id":"ITEM"}],"currency":"eur","capabilities":{"a":1,"b":[1,2]}}',
  '{"capabilities":{"b":[1.0,2],"a":1.0},"currency":"eur","line_items":[{"id":"ITEM"}]}',
  ' {\n"capabilities" : {"b":[1e0,20e-1],"a":1},"currency":"\\u0065ur","line_items":[{"id":"ITEM"}]}',
];
const OTHER = [
  '{"line_items":[{"id":"ITEM"}],"currency":"eur","capabilities":{"a":1,"b":[2,1]}}',
  '{"line_items":[{"id":"ITEM"}],"currency":"eur","capabilities":{"a":1,"b":[1,2],"c":null}}',
  '{"line_items":[{"id":"ITEM"}],"currency":"eur","capabilities":{"a":"1","b":[1,2]}}',
  '{"line_items":[{"id":"ITEM"}],"currency":"eur","capabilities":{"a":1}}',
];

Deno.test("two bodies are the same by what they say: order of names, blanks and 1.0 do not count; null, order of lists do", async () => {
  await using world = await openCheckoutWorld();
  const as = await world.buyer("ada");
  const send = (text: string) =>
    world.ask("/checkout_sessions", {
      as,
      key: "k",
      raw: text.replace("ITEM", `metrics:${DAY}`),
    });
  const ids = new Set<string>();
  for (const text of SAME) ids.add((await (await send(text)).json()).id);
  assertEquals(ids.size, 1);
  for (const text of OTHER) {
    assertEquals(await codeOf(await send(text)), "409 idempotency_conflict");
  }
});

Deno.test("a key on another path is a key of its own", async () => {
  await using world = await openCheckoutWorld();
  const as = await world.buyer("ada");
  const key = "same";
  const one = await newSession(world.ask, as, DAY, key);
  const two = await newSession(world.ask, as, DAY, "other");
  for (const session of [one, two]) {
    const updated = await replace(world.ask, as, session, DAYS[1], key);
    assertEquals(updated.status, 200);
    const paid = await pay(world.ask, as, session, await world.token(), key);
    assertEquals(paid.status, 200);
    assertEquals(
      await codeOf(await cancel(world.ask, as, session, key)),
      "409 session_not_cancelable",
    );
  }
  assertEquals(world.paid().length, 2);
});

Deno.test("parallel repeats of a creation make one session", async () => {
  await using world = await openCheckoutWorld();
  const as = await world.buyer("ada");
  const answers = await Promise.all(
    Array.from(
      { length: 20 },
      () => world.ask("/checkout_sessions", { as, key: "k", body: cartOf() }),
    ),
  );
  const bodies = await Promise.all(answers.map((answer) => answer.text()));
  assertEquals(new Set(bodies).size, 1);
  const fresh = answers.filter((each) =>
    !each.headers.has("idempotent-replayed")
  );
  assertEquals(fresh.length, 1);
});

Deno.test("a key is kept for 30 days and is new afterwards, and completing again charges nothing", async () => {
  await using world = await openCheckoutWorld();
  const { clock } = world.world;
  const as = await world.buyer("ada");
  const session = await newSession(world.ask, as);
  const token = await world.token({ maxAmount: 1_000 });
  const first = await (await pay(world.ask, as, session, token)).text();
  await refresh(world, as, IDEMPOTENCY_LONG_MS - 1);
  const kept = await pay(world.ask, as, session, token);
  assertEquals(kept.headers.get("idempotent-replayed"), "true");
  assertEquals(await kept.text(), first);
  clock.advance(1);
  const late = await pay(world.ask, as, session, token);
  assertEquals(await codeOf(late), "409 session_not_payable");
  assertEquals(world.paid().length, 1);
  const again = await newSession(world.ask, as);
  assertNotEquals(again.id, session.id);
  assertEquals((await see(world.ask, as, session)).status, "completed");
});

Deno.test("a session without money is forgotten 30 days after its last change, one with money never", async () => {
  await using world = await openCheckoutWorld();
  const as = await world.buyer("ada");
  const kept = await newSession(world.ask, as, DAY, "one");
  await pay(world.ask, as, kept, await world.token());
  const canceled = await newSession(world.ask, as, DAY, "two");
  await cancel(world.ask, as, canceled);
  const expired = await newSession(world.ask, as, DAY, "three");
  await refresh(world, as, IDEMPOTENCY_LONG_MS - 1);
  assertEquals((await see(world.ask, as, canceled)).status, "canceled");
  assertEquals((await see(world.ask, as, expired)).status, "expired");
  world.world.clock.advance(1);
  for (const { id } of [canceled, expired]) {
    const answer = await world.ask(`/checkout_sessions/${id}`, { as });
    assertEquals(answer.status, 404);
  }
  await refresh(world, as, 366 * 86_400_000);
  assertEquals((await see(world.ask, as, kept)).status, "completed");
});

Deno.test("a day that was removed is not sold any more, in new sessions and old", async () => {
  await using world = await openCheckoutWorld();
  const as = await world.buyer("ada");
  const session = await newSession(world.ask, as);
  await removeSpotlight(world.services, {
    day: dayText(DAY),
    reason: "policy",
  });
  const paid = await pay(world.ask, as, session, await world.token());
  assertEquals(await codeOf(paid), "409 item_unavailable");
  assertEquals(world.paid(), []);
  const create = { as, key: "late", body: cartOf() };
  const refused = await world.ask("/checkout_sessions", create);
  assertEquals(await codeOf(refused), "400 invalid_item_id");
  const updated = await replace(world.ask, as, session, DAYS[0]);
  assertEquals(updated.status, 200);
  const other = await pay(world.ask, as, session, await world.token(), "k2");
  assertEquals((await other.json()).status, "completed");
});
