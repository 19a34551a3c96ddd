import { assert, assertEquals } from "@std/assert";
import {
  cartOf,
  codeOf,
  newSession,
  pay,
  report,
  see,
} from "../../../support/checkout_calls.ts";
import {
  DAY,
  MERCHANT,
  openCheckoutWorld,
} from "../../../support/checkout_world.ts";

Deno.test("POST /checkout_sessions answers 201 with the session, who is paid and where it is", async () => {
  await using world = await openCheckoutWorld();
  const ada = await world.buyer("ada");
  const answer = await world.ask("/checkout_sessions", {
    as: ada,
    key: "create-1",
    body: cartOf(),
    headers: { "request-id": "req-7" },
  });
  assertEquals(answer.status, 201);
  assertEquals(answer.headers.get("content-type"), "application/json");
  assertEquals(answer.headers.get("cache-control"), "no-store");
  assertEquals(answer.headers.get("idempotency-key"), "create-1");
  assertEquals(answer.headers.get("request-id"), "req-7");
  assertEquals(answer.headers.get("idempotent-replayed"), null);
  const session = await answer.json();
  assert(/^cs_[0-9a-f]{32}$/.test(session.id));
  assertEquals(
    answer.headers.get("location"),
    `https://spotlight.example/checkout_sessions/${session.id}`,
  );
  assertEquals(session.status, "ready_for_payment");
  const [handler] = session.capabilities.payment.handlers;
  assertEquals(handler.id, "card_spt");
  assertEquals(handler.config.merchant_id, MERCHANT.profileId);
  assertEquals(handler.config.environment, "test");
  assertEquals(session.created_at, "2026-11-20T08:00:00.000Z");
  assertEquals(session.expires_at, "2026-11-20T09:00:00.000Z");
});

Deno.test("a session is made, paid and read: one EUR 1 charge, one order, the report", async () => {
  await using world = await openCheckoutWorld();
  const { ask } = world;
  const ada = await world.buyer("ada");
  const session = await newSession(ask, ada);
  assertEquals(
    await codeOf(await report(ask, ada, session)),
    "409 payment_required",
  );
  const answer = await pay(ask, ada, session, await world.token());
  assertEquals(answer.status, 200);
  const completed = await answer.json();
  assertEquals(completed.status, "completed");
  assertEquals(completed.order, {
    id: session.id.replace("cs_", "ord_"),
    checkout_session_id: session.id,
    permalink_url:
      `https://spotlight.example/checkout_sessions/${session.id}/resource`,
    status: "completed",
  });
  assertEquals(await see(ask, ada, session), completed);
  const bought = await report(ask, ada, session);
  assertEquals(bought.status, 200);
  assertEquals(bought.headers.get("cache-control"), "private, no-store");
  assertEquals(await bought.json(), {
    data: { day: DAY, clicks: 0, human_clicks: 0, countries: 0 },
    paid: { cents: 100, currency: "eur" },
  });
  assertEquals(world.paid().map(({ day }) => day), [DAY]);
});
