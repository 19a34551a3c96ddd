import { assert, assertEquals } from "@std/assert";
import { newSession, pay } from "../../../support/checkout_calls.ts";
import { openCheckoutWorld } from "../../../support/checkout_world.ts";
import { endHold, putOnHold } from "../../../support/restored_world.ts";

Deno.test("complete charges nothing while the store is on hold, and the same request pays afterwards", async () => {
  await using shop = await openCheckoutWorld();
  const buyer = await shop.buyer("ada");
  const session = await newSession(shop.ask, buyer);
  const token = await shop.token();
  await putOnHold(shop.services);
  const held = await pay(shop.ask, buyer, session, token);
  assertEquals(held.status, 503);
  assert(Number(held.headers.get("retry-after")) >= 1);
  const { code, message } = await held.json();
  assertEquals(code, "service_unavailable");
  assert(message.includes("on hold until an operator releases it"), message);
  assertEquals(shop.paid(), []);
  const path = `/checkout_sessions/${session.id}`;
  const seen = await (await shop.ask(path, { as: buyer })).json();
  assertEquals(seen.status, "ready_for_payment");
  await endHold(shop.services);
  const paid = await pay(shop.ask, buyer, session, token);
  assertEquals((await paid.json()).status, "completed");
  assertEquals(shop.paid().length, 1);
});
