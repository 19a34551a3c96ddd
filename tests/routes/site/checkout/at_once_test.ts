import { assert, assertEquals } from "@std/assert";
import { completeSession } from "../../../../domain/checkout/complete_session.ts";
import { revokeGrant } from "../../../../domain/oauth/revoke_grant.ts";
import { assertRefused } from "../../../support/refused.ts";
import {
  bookings,
  cancel,
  codeOf,
  newSession,
  onlyTheSameGoesOn,
  pay,
  payHeld,
  see,
  waiting,
} from "../../../support/checkout_calls.ts";
import { DAY, openCheckoutWorld } from "../../../support/checkout_world.ts";

Deno.test("a request is 409 idempotency_in_flight while its first one is at the processor", async () => {
  await using world = await openCheckoutWorld();
  const { ask } = world;
  const { control } = world.world.simulator;
  const { ada, session, token, paying: first } = await payHeld(world);
  const again = await pay(ask, ada, session, token);
  assertEquals(again.headers.get("retry-after"), "1");
  assertEquals(await codeOf(again), "409 idempotency_in_flight");
  await onlyTheSameGoesOn(world, ada, session, token);
  control.releaseRequests();
  assertEquals((await (await first).json()).status, "completed");
  const replay = await pay(ask, ada, session, token);
  assertEquals(replay.headers.get("idempotent-replayed"), "true");
  assertEquals(world.paid().length, 1);
});

Deno.test("ten completes at once with one key make one charge, and a repeat gets its answer", async () => {
  await using world = await openCheckoutWorld();
  const { ada, session } = await waiting(world);
  const token = await world.token({ maxAmount: 1_000 });
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => pay(world.ask, ada, session, token)),
  );
  const statuses = answers.map(({ status }) => status);
  assertEquals(statuses.filter((status) => status === 200).length >= 1, true);
  assert(
    statuses.every((status) => [200, 409].includes(status)),
    `${statuses}`,
  );
  assertEquals(world.paid().length, 1);
  const replay = await pay(world.ask, ada, session, token);
  assertEquals((await replay.json()).status, "completed");
  assertEquals((await bookings(world)).length, 1);
});

Deno.test("ten completes at once with keys and tokens of their own make one charge", async () => {
  await using world = await openCheckoutWorld();
  const { ada, session } = await waiting(world);
  const tokens = await Promise.all(
    Array.from({ length: 10 }, () => world.token()),
  );
  const other = world.asking(world.another().services);
  const answers = await Promise.all(
    tokens.map((token, nth) =>
      pay(nth % 2 ? world.ask : other, ada, session, token, `key-${nth}`)
    ),
  );
  const statuses = answers.map(({ status }) => status).sort();
  assertEquals(statuses, [200, ...Array.from({ length: 9 }, () => 409)]);
  assertEquals(world.paid().length, 1);
  assertEquals((await bookings(world)).length, 1);
});

Deno.test("cancel and complete at once end in one of the two", async () => {
  await using world = await openCheckoutWorld();
  const ada = await world.buyer("ada");
  const ends = new Set<string>();
  for (let n = 0; n < 10; n++) {
    const session = await newSession(world.ask, ada, DAY, `create-${n}`);
    const before = world.paid().length;
    const token = await world.token();
    const both = [
      () => cancel(world.ask, ada, session),
      () => pay(world.ask, ada, session, token),
    ];
    if (n % 2) both.reverse();
    const answers = await Promise.all(both.map((ask) => ask()));
    assertEquals(answers.map(({ status }) => status).sort(), [200, 409]);
    const { status } = await see(world.ask, ada, session);
    ends.add(status);
    assertEquals(world.paid().length - before, status === "completed" ? 1 : 0);
  }
  for (const end of ends) assert(["completed", "canceled"].includes(end));
});

Deno.test("no payment begins once a revocation has been committed", async () => {
  await using world = await openCheckoutWorld();
  const { ada, session } = await waiting(world);
  const token = await world.token();
  const { accountId, id: grantId } = ada.grant;
  await revokeGrant(world.services, { accountId, grantId });
  // As a request that passed the gate just before.
  const request = {
    grantId,
    key: "k",
    requestHash: "",
    sessionId: session.id,
    token,
  };
  const { services } = world;
  await assertRefused(
    () => completeSession(services, request),
    "token_invalid",
  );
  const { control } = world.world.simulator;
  assertEquals(control.objects("payment_intent").length, 0);
});
