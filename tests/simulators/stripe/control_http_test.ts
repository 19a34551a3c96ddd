import { assertEquals } from "@std/assert";
import { control } from "./control.ts";
import { openOver, payer, refusal, withSimulator } from "./support.ts";

Deno.test("POST /_simulator/faults orders a fault, DELETE takes it back", () =>
  withSimulator(async ({ sim, stripe }) => {
    const order = { kind: "rate_limit", method: "GET", times: 3 };
    const { body } = await control(sim, "POST", "faults", order);
    assertEquals(body, { id: "fault_1" });
    assertEquals((await refusal(stripe.customers.list())).statusCode, 429);
    assertEquals((await control(sim, "GET", "faults")).body, [
      { ...order, id: "fault_1", struck: 1 },
    ]);
    assertEquals((await control(sim, "DELETE", "faults/fault_1")).body, {
      removed: true,
    });
    assertEquals((await stripe.customers.list()).data, []);
    await control(sim, "POST", "faults", order);
    await control(sim, "DELETE", "faults");
    assertEquals((await control(sim, "GET", "faults")).body, []);
  }));

Deno.test("POST /_simulator/faults refuses what it does not understand", () =>
  withSimulator(async ({ sim }) => {
    for (
      const order of [
        { kind: "unknown" },
        { kind: "slow", probability: 2 },
        { kind: "slow", wrong: 1 },
        [],
        null,
      ]
    ) {
      const { status } = await control(sim, "POST", "faults", order);
      assertEquals(status, 400);
    }
    assertEquals(sim.control.faults(), []);
  }));

Deno.test("A control body that is not marked as JSON is refused", () =>
  withSimulator(async ({ sim }) => {
    const response = await fetch(`${sim.url}/_simulator/faults`, {
      method: "POST",
      headers: { "content-type": "text/plain" },
      body: JSON.stringify({ kind: "rate_limit" }),
    });
    await response.body?.cancel();
    assertEquals(response.status, 400);
    assertEquals(sim.control.faults(), []);
  }));

Deno.test("GET /_simulator/requests tells method, path, key, status, replay and fault", () =>
  withSimulator(async ({ sim, stripe }) => {
    const create = () => stripe.customers.create({}, { idempotencyKey: "k1" });
    await create();
    await create();
    sim.control.addFault({ kind: "reset_before_effect" });
    await refusal(create());
    const { body } = await control(sim, "GET", "requests");
    const requests = body as Record<string, unknown>[];
    assertEquals(
      requests.map((each) => [
        each.method,
        each.path,
        each.idempotency_key,
        each.status,
        each.replayed,
        each.fault,
      ]),
      [
        ["POST", "/v1/customers", "k1", 200, false, null],
        ["POST", "/v1/customers", "k1", 200, true, null],
        ["POST", "/v1/customers", "k1", null, true, "reset_before_effect"],
      ],
    );
    await control(sim, "DELETE", "requests");
    assertEquals((await control(sim, "GET", "requests")).body, []);
  }));

Deno.test("GET /_simulator/requests keeps the last thousand", () =>
  withSimulator(async ({ sim }) => {
    for (let at = 0; at < 1_005; at++) {
      const response = await fetch(`${sim.url}/v1/${at}`);
      await response.body?.cancel();
    }
    const requests = sim.control.requests();
    assertEquals(requests.length, 1_000);
    assertEquals(requests[0]?.path, "/v1/5");
    assertEquals(requests.at(-1)?.path, "/v1/1004");
  }));

Deno.test("GET /_simulator/state sums charges and refunds by customer", () =>
  withSimulator(async ({ sim, stripe }) => {
    const { customer, card } = await payer(stripe);
    const pay = () =>
      stripe.paymentIntents.create({
        amount: 700,
        currency: "eur",
        customer,
        payment_method: card,
        off_session: true,
        confirm: true,
      });
    const { id } = await pay();
    await stripe.refunds.create({ payment_intent: id, amount: 200 });
    sim.control.addFault({ kind: "decline" });
    await refusal(pay());
    const { body } = await control(sim, "GET", "state");
    assertEquals((body as { customers: unknown }).customers, [{
      customer,
      charges_succeeded: 1,
      charges_failed: 1,
      charged: 700,
      refunds: 1,
      refunded: 200,
    }]);
  }));

Deno.test("Held requests are released by POST /_simulator/requests/release", () =>
  withSimulator(async ({ sim, stripe }) => {
    await control(sim, "POST", "faults", { kind: "hold", method: "POST" });
    const held = stripe.customers.create({ name: "Acme" });
    while (sim.control.heldRequests === 0) await stripe.events.list();
    await control(sim, "POST", "requests/release");
    assertEquals((await held).name, "Acme");
  }));

Deno.test("Webhooks are pointed, held and released over HTTP", () =>
  withSimulator(async ({ sim, stripe }) => {
    const got: string[] = [];
    const server = Deno.serve({
      hostname: "127.0.0.1",
      port: 0,
      onListen: () => {},
    }, async (request) => {
      got.push((await request.json()).type);
      return new Response();
    });
    try {
      const url = `http://127.0.0.1:${server.addr.port}/`;
      await control(sim, "PUT", "webhooks", { url, secret: "whsec_1" });
      await control(sim, "POST", "webhooks/hold");
      await stripe.customers.create();
      await sim.control.webhooks.idle();
      assertEquals(got, []);
      await control(sim, "POST", "webhooks/faults", { duplicate: 1 });
      await stripe.customers.create();
      await control(sim, "POST", "webhooks/release", { shuffle: true });
      await sim.control.webhooks.idle();
      assertEquals(got, Array(3).fill("customer.created"));
    } finally {
      await server.shutdown();
    }
  }));

Deno.test("Cards and waiting payments are changed over HTTP", () =>
  withSimulator(async ({ sim, stripe }) => {
    const { customer, card } = await payer(stripe);
    const open = await openOver(stripe, customer, 500);
    await control(sim, "POST", `payment_methods/${card}`, {
      behaviour: "authenticationRequired",
    });
    const error = await refusal(stripe.invoices.pay(open.id, {
      payment_method: card,
      off_session: false,
    }));
    const intent = error.payment_intent?.id ?? "";
    const { body } = await control(sim, "POST", `payment_intents/${intent}`, {
      how: "succeed",
    });
    assertEquals(body, { status: "succeeded" });
    assertEquals((await stripe.invoices.retrieve(open.id)).status, "paid");

    const again = await control(sim, "POST", `payment_intents/${intent}`, {
      how: "succeed",
    });
    assertEquals(again.status, 400);
    const wrong = await control(sim, "POST", `payment_methods/${card}`, {
      behaviour: "unknown",
    });
    assertEquals(wrong.status, 400);
  }));

Deno.test("An unknown control command is a 404", () =>
  withSimulator(async ({ sim }) => {
    for (const path of ["unknown", "faults/a/b", "", "constructor"]) {
      assertEquals((await control(sim, "GET", path)).status, 404, path);
    }
  }));
