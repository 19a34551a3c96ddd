import { assert, assertEquals, assertNotEquals } from "@std/assert";
import {
  METRICS_CHARGE_WITHIN_MS,
  METRICS_LEASE_MS,
  METRICS_UNCERTAIN_MS,
} from "../../../../domain/paid_metrics/limits.ts";
import { issueAccessToken } from "../../../../domain/oauth/tokens.ts";
import { CHECKOUT_ATTEMPTS_MAX } from "../../../../domain/checkout/limits.ts";
import type { FaultOrder } from "../../../../processor/simulator/mod.ts";
import {
  cancel,
  codeOf,
  newSession,
  pay,
  replace,
  report,
  see,
  type SeenSession,
} from "../../../support/checkout_calls.ts";
import {
  type Buyer,
  type CheckoutWorld,
  DAY,
  DAYS,
  openCheckoutWorld,
} from "../../../support/checkout_world.ts";
import { revokeToken } from "../../../processor/simulator/support.ts";

const CHARGE = { method: "POST", path: "/v1/payment_intents" } as const;

/** A session of ada's that waits for its payment. */
async function waiting(
  world: CheckoutWorld,
): Promise<{ ada: Buyer; session: SeenSession }> {
  const ada = await world.buyer("ada");
  return { ada, session: await newSession(world.ask, ada) };
}

/** The books: sales and refunds, each balanced. */
async function bookings({ services }: CheckoutWorld): Promise<string[]> {
  const entries = await services.store.listLedger({ limit: 99 });
  for (const { lines } of entries) {
    assertEquals(
      lines.reduce((sum, { amountCents }) => sum + amountCents, 0),
      0,
    );
  }
  return entries.map(({ reason }) => reason);
}

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
  assertEquals(declined.messages, [{
    type: "error",
    severity: "high",
    content_type: "plain",
    code: "payment_declined",
    resolution: "requires_buyer_input",
    param: "$.payment_data.instrument.credential",
    content: "The payment was declined.",
  }]);
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

/** Ways in which nobody knows whether the money was taken. */
const UNCERTAIN: readonly (FaultOrder & { takes: boolean })[] = [
  { kind: "timeout_after_effect", takes: true },
  { kind: "error_after_effect", takes: true },
  { kind: "reset_after_effect", takes: true },
  { kind: "error_before_effect", saved: false, takes: false },
  { kind: "reset_before_effect", takes: false },
  { kind: "rate_limit", takes: false },
  { kind: "lock_timeout", takes: false },
];

for (const { takes, ...fault } of UNCERTAIN) {
  Deno.test(`an uncertain payment (${fault.kind}) is 503, only the same request goes on, and it is charged once`, async () => {
    await using world = await openCheckoutWorld();
    const { ask } = world;
    const { ada, session } = await waiting(world);
    const token = await world.token({ maxAmount: 1_000 });
    world.world.simulator.control.addFault({ ...fault, ...CHARGE });
    const answer = await pay(ask, ada, session, token);
    assertEquals(answer.status, 503);
    assertEquals(answer.headers.get("retry-after"), "2");
    assertEquals(answer.headers.get("idempotency-key"), "complete-1");
    assertEquals((await answer.json()).type, "service_unavailable");
    assertEquals(world.paid().length, takes ? 1 : 0);
    const seen = await see(ask, ada, session);
    assertEquals(seen.status, "complete_in_progress");
    await onlyTheSameGoesOn(world, ada, session, token);
    const again = await pay(ask, ada, session, token);
    assertEquals(again.status, 200);
    assertEquals((await again.json()).status, "completed");
    assertEquals(world.paid().length, 1);
    assertEquals((await bookings(world)).length, 1);
    assertEquals((await report(ask, ada, session)).status, 200);
  });
}

/** Whatever else is tried while a payment is uncertain is 409. */
async function onlyTheSameGoesOn(
  world: CheckoutWorld,
  ada: Buyer,
  session: SeenSession,
  token: string,
): Promise<void> {
  const { ask } = world;
  const other = await world.token();
  const refused: [Promise<Response>, string][] = [
    [pay(ask, ada, session, other, "k2"), "payment_in_progress"],
    [pay(ask, ada, session, token, "k3"), "payment_in_progress"],
    [pay(ask, ada, session, other), "idempotency_conflict"],
    [cancel(ask, ada, session), "payment_in_progress"],
    [replace(ask, ada, session, DAYS[0]), "session_frozen"],
    [report(ask, ada, session), "payment_required"],
  ];
  for (const [asked, code] of refused) {
    assertEquals(await codeOf(await asked), `409 ${code}`);
  }
}

Deno.test("a no that a payment under way causes is not stored: it may be another one soon", async () => {
  await using world = await openCheckoutWorld();
  const { ask } = world;
  const { ada, session } = await waiting(world);
  const bad = await world.token({ card: "pm_card_chargeDeclined" });
  world.world.simulator.control.addFault({ kind: "rate_limit", ...CHARGE });
  await pay(ask, ada, session, bad);
  const good = await world.token();
  const early = await pay(ask, ada, session, good, "k2");
  assertEquals(early.headers.get("retry-after"), "2");
  assertEquals(await codeOf(early), "409 payment_in_progress");
  assertEquals(
    (await (await pay(ask, ada, session, bad)).json()).status,
    "ready_for_payment",
  );
  const late = await pay(ask, ada, session, good, "k2");
  assertEquals((await late.json()).status, "completed");
});

Deno.test("a payment the bank has not decided is 503 until it has, and expires nothing meanwhile", async () => {
  await using world = await openCheckoutWorld();
  const { ask } = world;
  const { simulator } = world.world;
  const { ada, session } = await waiting(world);
  const token = await world.token();
  simulator.control.addFault({ kind: "processing", ...CHARGE });
  assertEquals((await pay(ask, ada, session, token)).status, 503);
  world.world.clock.advance(59 * 60_000);
  assertEquals((await pay(ask, ada, session, token)).status, 503);
  await refresh(world, ada, 2 * 60_000);
  assertEquals((await see(ask, ada, session)).status, "complete_in_progress");
  const [intent] = simulator.control.objects("payment_intent");
  simulator.control.resolvePayment(intent?.id ?? "", "succeed");
  const answer = await pay(ask, ada, session, token);
  assertEquals((await answer.json()).status, "completed");
  assertEquals(world.paid().length, 1);
});

Deno.test("a payment declined after the hour leaves an expired session", async () => {
  await using world = await openCheckoutWorld();
  const { ask } = world;
  const { simulator } = world.world;
  const { ada, session } = await waiting(world);
  const token = await world.token();
  simulator.control.addFault({ kind: "processing", ...CHARGE });
  await pay(ask, ada, session, token);
  await refresh(world, ada, 61 * 60_000);
  const [intent] = simulator.control.objects("payment_intent");
  simulator.control.resolvePayment(intent?.id ?? "", "fail");
  const answer = await pay(ask, ada, session, token);
  assertEquals(answer.status, 200);
  const seen = await answer.json();
  assertEquals(seen.status, "expired");
  assertEquals(
    seen.messages.map(({ code }: { code: string }) => code),
    ["payment_declined", "expired"],
  );
  const late = await pay(ask, ada, session, await world.token(), "k2");
  assertEquals(await codeOf(late), "409 session_not_payable");
});

async function refresh(
  { services, world }: CheckoutWorld,
  who: Buyer,
  ms: number,
): Promise<void> {
  world.clock.advance(ms);
  const { text } = await issueAccessToken(services, who.grant.id);
  who.accessToken = text;
}

Deno.test("a request is 409 idempotency_in_flight while its first one is at the processor", async () => {
  await using world = await openCheckoutWorld();
  const { ask } = world;
  const { control } = world.world.simulator;
  const { ada, session } = await waiting(world);
  const token = await world.token();
  control.addFault({ kind: "hold", ...CHARGE });
  const first = pay(ask, ada, session, token);
  while (control.heldRequests === 0) await new Promise((go) => setTimeout(go));
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
  const other = world.asking(world.world.another().services);
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

Deno.test("the sweep finds an outcome nobody came for, and the repeat is told of it", async () => {
  await using world = await openCheckoutWorld();
  const { ask } = world;
  const { ada, session } = await waiting(world);
  const token = await world.token();
  const { control } = world.world.simulator;
  control.addFault({ kind: "timeout_after_effect", ...CHARGE });
  assertEquals((await pay(ask, ada, session, token)).status, 503);
  world.world.clock.advance(METRICS_LEASE_MS);
  await world.sweep();
  assertEquals((await see(ask, ada, session)).status, "completed");
  assertEquals((await report(ask, ada, session)).status, 200);
  const answer = await pay(ask, ada, session, token);
  assertEquals(answer.headers.get("idempotent-replayed"), "true");
  assertEquals(
    (await answer.json()).order.id,
    session.id.replace("cs_", "ord_"),
  );
  assertEquals([world.paid().length, await bookings(world)], [1, [
    `metrics:${session.id}.1`,
  ]]);
});

Deno.test("a payment the processor never heard of is given up after an hour: nothing was charged, another may be made", async () => {
  await using world = await openCheckoutWorld();
  const { ask } = world;
  const { ada, session } = await waiting(world);
  const token = await world.token();
  const { control } = world.world.simulator;
  control.addFault({ kind: "reset_before_effect", ...CHARGE });
  assertEquals((await pay(ask, ada, session, token)).status, 503);
  await refresh(world, ada, METRICS_CHARGE_WITHIN_MS);
  const late = await pay(ask, ada, session, token);
  assertEquals(await codeOf(late), "503 payment_uncertain");
  assertEquals(world.paid(), []);
  await refresh(world, ada, METRICS_UNCERTAIN_MS - METRICS_CHARGE_WITHIN_MS);
  await world.sweep();
  const answer = await pay(ask, ada, session, token);
  assertEquals(answer.headers.get("idempotent-replayed"), "true");
  const seen = await answer.json();
  assertEquals(seen.status, "expired");
  assertEquals(seen.messages[0].code, "payment_declined");
  const next = await newSession(ask, ada, DAY, "create-2");
  assertNotEquals(next.id, session.id);
  const paid = await pay(ask, ada, next, token);
  assertEquals((await paid.json()).status, "completed");
  assertEquals(world.paid().length, 1);
});
