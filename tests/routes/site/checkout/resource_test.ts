import { assertEquals } from "@std/assert";
import { removeSpotlight } from "../../../../domain/spotlights/remove_spotlight.ts";
import { issueAccessToken } from "../../../../tools/demo/issue_access_token.ts";
import { revokeGrant } from "../../../../domain/oauth/revoke_grant.ts";
import {
  codeOf,
  newSession,
  pay,
  payHeld,
  payUncertain,
  report,
  see,
  type SeenSession,
} from "../../../support/checkout_calls.ts";
import {
  type Buyer,
  type CheckoutWorld,
  DAY,
  openCheckoutWorld,
} from "../../../support/checkout_world.ts";
import { addDays, DAY_MS } from "../../../../domain/day.ts";
import {
  dayText,
  settle,
  spotlight,
} from "../../../support/public_spotlights.ts";

/** A session that ada has paid for. */
async function paidSession(
  world: CheckoutWorld,
): Promise<{ ada: Buyer; session: SeenSession }> {
  const ada = await world.buyer("ada");
  const session = await newSession(world.ask, ada);
  await pay(world.ask, ada, session, await world.token());
  return { ada, session };
}

/** What the books and the processor say was taken and given back. */
async function money(world: CheckoutWorld): Promise<unknown> {
  const ledger = await world.services.store.listLedger({ limit: 99 });
  const lines = ledger.flatMap((entry) => entry.lines);
  const clearing = lines.filter(({ account }) =>
    account === "processor_clearing"
  );
  return {
    taken: world.paid().length * 100,
    given: world.refunded(),
    booked: clearing.map(({ amountCents }) => amountCents),
    sum: lines.reduce((sum, { amountCents }) => sum + amountCents, 0),
  };
}

function remove({ services }: CheckoutWorld): Promise<unknown> {
  return removeSpotlight(services, { day: dayText(DAY), reason: "policy" });
}

Deno.test("GET …/resource answers the figures as often as asked, and charges nothing more", async () => {
  await using world = await openCheckoutWorld();
  const { ada, session } = await paidSession(world);
  const { store } = world.services;
  await store.transact((tx) =>
    tx.clickCounts.add(3, dayText(DAY), "outcome", "human")
  );
  for (let n = 0; n < 2; n++) {
    const answer = await report(world.ask, ada, session);
    assertEquals(answer.status, 200);
    assertEquals(await answer.json(), {
      data: { day: DAY, clicks: 3, human_clicks: 3, countries: 0 },
      paid: { cents: 100, currency: "eur" },
    });
  }
  assertEquals(world.paid().length, 1);
});

Deno.test("GET …/resource says in Metrics-Final whether the figures are final", async () => {
  await using world = await openCheckoutWorld();
  const { ada, session } = await paidSession(world);
  const finalNow = async () => {
    // A token lasts an hour.
    const { text } = await issueAccessToken(world.services, ada.grant.id);
    const answer = await report(
      world.ask,
      { ...ada, accessToken: text },
      session,
    );
    await answer.text();
    return [answer.status, answer.headers.get("metrics-final")];
  };
  assertEquals(await finalNow(), [200, "false"]);
  const next = addDays(dayText(DAY), 1);
  const settledAtMs = Date.parse(`${next}T23:56:00.000Z`);
  await settle(world.services.store, spotlight(next, { settledAtMs }));
  world.world.clock.set(new Date(settledAtMs + 2 * DAY_MS - 1).toISOString());
  assertEquals((await finalNow())[1], "false");
  world.world.clock.advance(1);
  assertEquals((await finalNow())[1], "true");
});

Deno.test("GET …/resource needs a version and a scope, and no key", async () => {
  await using world = await openCheckoutWorld();
  const { ada, session } = await paidSession(world);
  const answer = await world.ask(`/checkout_sessions/${session.id}/resource`, {
    as: ada,
    headers: { "api-version": null },
  });
  assertEquals(await codeOf(answer), "400 missing_api_version");
});

Deno.test("the report of a day removed after payment is 404, its money is given back once, and the order says so", async () => {
  await using world = await openCheckoutWorld();
  const { ada, session } = await paidSession(world);
  await remove(world);
  for (let n = 0; n < 3; n++) {
    const answer = await report(world.ask, ada, session);
    assertEquals(await codeOf(answer), "404 report_not_found");
  }
  await world.sweep();
  assertEquals(await money(world), {
    taken: 100,
    given: [100],
    booked: [100, -100],
    sum: 0,
  });
  const seen = await see(world.ask, ada, session);
  assertEquals(seen.status, "completed");
  assertEquals(seen.order?.status, "canceled");
  assertEquals(seen.order?.adjustments?.map(({ status }) => status), [
    "completed",
  ]);
});

Deno.test("ten requests at once for a removed report give the money back once", async () => {
  await using world = await openCheckoutWorld();
  const { ada, session } = await paidSession(world);
  await remove(world);
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => report(world.ask, ada, session)),
  );
  for (const answer of answers) {
    assertEquals(await codeOf(answer), "404 report_not_found");
  }
  assertEquals(world.refunded(), [100]);
});

Deno.test("a refund the processor does not take is pending until the sweep has made it", async () => {
  await using world = await openCheckoutWorld();
  const { ada, session } = await paidSession(world);
  await remove(world);
  const { control } = world.world.simulator;
  control.addFault({
    kind: "error_before_effect",
    saved: false,
    method: "POST",
    path: "/v1/refunds",
  });
  const answer = await report(world.ask, ada, session);
  assertEquals(await codeOf(answer), "404 report_not_found");
  assertEquals(world.refunded(), []);
  const seen = await see(world.ask, ada, session);
  assertEquals(seen.order?.adjustments?.[0]?.status, "pending");
  world.world.clock.advance(15 * 60_000);
  await world.sweep();
  assertEquals(world.refunded(), [100]);
  const settled = await see(world.ask, ada, session);
  assertEquals(settled.order?.adjustments?.[0]?.status, "completed");
});

Deno.test("a day that is removed while it is paid for is refunded when it is asked for", async () => {
  await using world = await openCheckoutWorld();
  const { control } = world.world.simulator;
  const { ada, session, paying } = await payHeld(world);
  await remove(world);
  control.releaseRequests();
  assertEquals((await (await paying).json()).status, "completed");
  const answer = await report(world.ask, ada, session);
  assertEquals(await codeOf(answer), "404 report_not_found");
  assertEquals(world.refunded(), [100]);
});

Deno.test("a payment that succeeds after its grant was revoked is given back: nobody may fetch what it bought", async () => {
  await using world = await openCheckoutWorld();
  const { control } = world.world.simulator;
  const { ada, session, paying } = await payHeld(world);
  const { accountId, id: grantId } = ada.grant;
  await revokeGrant(world.services, { accountId, grantId });
  control.releaseRequests();
  const told = await (await paying).json();
  assertEquals([told.status, told.order.status], ["completed", "canceled"]);
  assertEquals((await report(world.ask, ada, session)).status, 401);
  await world.sweep();
  assertEquals(await money(world), {
    taken: 100,
    given: [100],
    booked: [100, -100],
    sum: 0,
  });
});

Deno.test("an uncertain payment whose grant is revoked meanwhile is found by the sweep and given back", async () => {
  await using world = await openCheckoutWorld();
  const { ada, session, token } = await payUncertain(
    world,
    "error_after_effect",
  );
  const { accountId, id: grantId } = ada.grant;
  await revokeGrant(world.services, { accountId, grantId });
  assertEquals((await pay(world.ask, ada, session, token)).status, 401);
  await world.sweep();
  await world.sweep();
  assertEquals(world.refunded(), [100]);
});
