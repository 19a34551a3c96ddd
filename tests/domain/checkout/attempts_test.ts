import { assert, assertEquals } from "@std/assert";
import { completeSession } from "../../../domain/checkout/complete_session.ts";
import { openCheckoutWorld } from "../../support/checkout_world.ts";
import { create, payment } from "./requests.ts";

Deno.test("a session has twenty payments, and one more takes no money", async () => {
  await using world = await openCheckoutWorld();
  const { services } = world;
  const ada = await world.buyer("ada");
  const id = await create(services, ada);
  await services.store.transact(async (tx) => {
    const session = await tx.checkoutSessions.find(id);
    assert(session);
    tx.checkoutSessions.save({ ...session, attempts: 19 });
  });
  const declined = await world.token({ card: "pm_card_chargeDeclined" });
  const last = await completeSession(
    services,
    payment(ada, id, declined, "the 20th"),
  );
  assertEquals(JSON.parse(last.answer.body).status, "ready_for_payment");
  const more = await completeSession(
    services,
    payment(ada, id, await world.token(), "the 21st"),
  );
  assertEquals(more.answer.status, 409);
  assertEquals(JSON.parse(more.answer.body).code, "too_many_attempts");
  assertEquals(world.paid(), []);
  const session = await services.store.checkoutSessions.find(id);
  assertEquals(session?.attempts, 20);
});
