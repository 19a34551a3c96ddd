import { assertEquals } from "@std/assert";
import { CHECKOUT_ATTEMPTS_MAX } from "../../../../domain/checkout/limits.ts";
import { revokeToken } from "../../../simulators/stripe/support.ts";
import {
  bookings,
  cancel,
  codeOf,
  newSession,
  pay,
  refresh,
  replace,
  report,
  see,
  waiting,
} from "../../../support/checkout_calls.ts";
import {
  type CheckoutWorld,
  DAY,
  DAYS,
  openCheckoutWorld,
} from "../../../support/checkout_world.ts";

Deno.test("complete charges EUR 1 for the day the session is about when it is paid", async () => {
  await using world = await openCheckoutWorld();
  const { ada, session } = await waiting(world);
  assertEquals((await replace(world.ask, ada, session, DAYS[0])).status, 200);
  const answer = await pay(world.ask, ada, session, await world.token());
  const paid = await answer.json();
  assertEquals(paid.line_items[0].id, `metrics:${DAYS[0]}`);
  assertEquals(world.paid(), [{
    purpose: "metrics",
    day: DAYS[0],
    payment_id: `${session.id}.1`,
    checkout_session_id: session.id,
  }]);
  assertEquals(await bookings(world), [`metrics:${session.id}.1`]);
  const bought = await (await report(world.ask, ada, session)).json();
  assertEquals(bought.data.day, DAYS[0]);
});

Deno.test("a declined token is 200 payment_declined, and another one with a new key then pays", async () => {
  await using world = await openCheckoutWorld();
  const { ada, session } = await waiting(world);
  const bad = await world.token({ card: "pm_card_chargeDeclined" });
  const answer = await pay(world.ask, ada, session, bad);
  assertEquals(answer.status, 200);
  const declined = await answer.json();
  assertEquals(declined.status, "ready_for_payment");
  const [told, final, ...more] = declined.messages;
  assertEquals([final.type, more], ["info", []]);
  assertEquals(told, {
    type: "error",
    severity: "high",
    content_type: "plain",
    code: "payment_declined",
    resolution: "requires_buyer_input",
    param: "$.payment_data.instrument.credential",
    content: "The payment was declined.",
  });
  assertEquals(await see(world.ask, ada, session), declined);
  assertEquals(await bookings(world), []);
  const replay = await pay(world.ask, ada, session, bad);
  assertEquals(replay.headers.get("idempotent-replayed"), "true");
  assertEquals(await replay.json(), declined);
  const good = await pay(world.ask, ada, session, await world.token(), "k2");
  const completed = await good.json();
  assertEquals([completed.status, completed.messages], ["completed", []]);
  assertEquals(world.paid().map((each) => each["payment_id"]), [
    `${session.id}.2`,
  ]);
});

for (
  const [what, make] of [
    ["revoked", async (world) => {
      const id = await world.token();
      await revokeToken(world.world.stripe, id);
      return id;
    }],
    ["too small", (world) => world.token({ maxAmount: 99 })],
    ["of another currency", (world) => world.token({ currency: "usd" })],
    ["expired", async (world) => {
      const now = world.world.clock.now();
      const expiresAt = Math.floor(now / 1_000) + 1;
      const id = await world.token({ expiresAt });
      world.world.clock.advance(2_000);
      return id;
    }],
    ["unknown to the processor", () => Promise.resolve("spt_nobodys")],
    ["used up", async (world) => {
      const id = await world.token();
      const eve = await world.buyer("eve");
      await pay(world.ask, eve, await newSession(world.ask, eve), id);
      return id;
    }],
  ] as [string, (world: CheckoutWorld) => Promise<string>][]
) {
  Deno.test(`a token that is ${what} is declined`, async () => {
    await using world = await openCheckoutWorld();
    const token = await make(world);
    const before = world.paid().length;
    const { ada, session } = await waiting(world);
    const answer = await pay(world.ask, ada, session, token);
    assertEquals(answer.status, 200);
    const { status, messages } = await answer.json();
    assertEquals([status, messages[0].code], [
      "ready_for_payment",
      "payment_declined",
    ]);
    assertEquals(world.paid().length, before);
  });
}

Deno.test("a payment that needs the buyer is cancelled and answered 409 requires_3ds; another token then pays", async () => {
  await using world = await openCheckoutWorld();
  const { ada, session } = await waiting(world);
  const bad = await world.token({ card: "pm_card_authenticationRequired" });
  const answer = await pay(world.ask, ada, session, bad);
  assertEquals(answer.status, 409);
  const error = await answer.json();
  assertEquals([error.type, error.code, error.param], [
    "invalid_request",
    "requires_3ds",
    "$.authentication_result",
  ]);
  const intents = world.world.simulator.control.objects("payment_intent");
  assertEquals(intents.map(({ status }) => status), ["canceled"]);
  const seen = await see(world.ask, ada, session);
  assertEquals([seen.status, seen.messages[0]?.code], [
    "ready_for_payment",
    "requires_3ds",
  ]);
  const replay = await pay(world.ask, ada, session, bad);
  assertEquals(replay.headers.get("idempotent-replayed"), "true");
  assertEquals(await replay.json(), error);
  const good = await pay(world.ask, ada, session, await world.token(), "k2");
  assertEquals((await good.json()).status, "completed");
  assertEquals(world.paid().length, 1);
});

Deno.test("an update takes back what was said of a declined token", async () => {
  await using world = await openCheckoutWorld();
  const { ada, session } = await waiting(world);
  const bad = await world.token({ card: "pm_card_chargeDeclined" });
  await pay(world.ask, ada, session, bad);
  const updated = await replace(world.ask, ada, session, DAYS[0]);
  const { messages } = await updated.json();
  assertEquals(messages.map(({ type }: { type: string }) => type), ["info"]);
});

Deno.test("a finished session takes no more: update, complete and cancel are 409", async () => {
  await using world = await openCheckoutWorld();
  const { ask } = world;
  const ada = await world.buyer("ada");
  const paid = await newSession(ask, ada, DAY, "one");
  await pay(ask, ada, paid, await world.token());
  const canceled = await newSession(ask, ada, DAY, "two");
  await cancel(ask, ada, canceled);
  const expired = await newSession(ask, ada, DAY, "three");
  await refresh(world, ada, 60 * 60_000);
  for (const session of [paid, canceled, expired]) {
    const token = await world.token();
    const answers = [
      await replace(ask, ada, session, DAYS[0], "late"),
      await pay(ask, ada, session, token, "late"),
      await cancel(ask, ada, session, "late"),
    ];
    assertEquals(await Promise.all(answers.map(codeOf)), [
      "409 session_frozen",
      "409 session_not_payable",
      "409 session_not_cancelable",
    ]);
  }
  assertEquals((await see(ask, ada, expired)).status, "expired");
  assertEquals(
    await codeOf(await report(ask, ada, expired)),
    "409 payment_required",
  );
  assertEquals(
    await codeOf(await report(ask, ada, canceled)),
    "409 payment_required",
  );
  assertEquals(world.paid().length, 1);
});

Deno.test("a session is payable to the last millisecond of its hour", async () => {
  await using world = await openCheckoutWorld();
  const { ada, session } = await waiting(world);
  const late = await newSession(world.ask, ada, DAY, "late");
  await refresh(world, ada, 60 * 60_000 - 1);
  const answer = await pay(world.ask, ada, session, await world.token());
  assertEquals((await answer.json()).status, "completed");
  world.world.clock.advance(1);
  const refused = await pay(world.ask, ada, late, await world.token());
  assertEquals(await codeOf(refused), "409 session_not_payable");
});

Deno.test("a session has a bounded number of payments", async () => {
  await using world = await openCheckoutWorld();
  const { ada, session } = await waiting(world);
  const bad = await world.token({ card: "pm_card_chargeDeclined" });
  for (let n = 0; n < CHECKOUT_ATTEMPTS_MAX; n++) {
    const answer = await pay(world.ask, ada, session, bad, `k${n}`);
    assertEquals(answer.status, 200);
    await answer.body?.cancel();
  }
  const good = await world.token();
  const answer = await pay(world.ask, ada, session, good, "last");
  assertEquals(await codeOf(answer), "409 too_many_attempts");
  assertEquals(world.paid(), []);
});
