import { assertEquals, assertNotEquals, assertRejects } from "@std/assert";
import Stripe from "stripe";
import { MAX_ATTEMPTS } from "../../../simulators/stripe/webhooks.ts";
import { Endpoint, SECRET, withEndpoint } from "./endpoint.ts";
import { openOver, payer, refusal, sdk, withSimulator } from "./support.ts";

Deno.test("Events arrive signed so that constructEventAsync accepts them", () =>
  withEndpoint(async ({ clock, sim, stripe, endpoint }) => {
    clock.nowMs = Date.now(); // the SDK reads the real time
    const customer = await stripe.customers.create({ name: "Łódź" }, {
      idempotencyKey: "k1",
    });
    await sim.control.webhooks.idle();

    const [{ body, signature } = { body: "", signature: "" }] = endpoint.raw;
    const event = await stripe.webhooks.constructEventAsync(
      body,
      signature,
      SECRET,
    );
    assertEquals(event.type, "customer.created");
    assertEquals((event.data.object as Stripe.Customer).id, customer.id);
    assertEquals(event.request?.idempotency_key, "k1");
    assertEquals(event.api_version, "2026-10-28.endive");
    await assertRejects(
      () => stripe.webhooks.constructEventAsync(`${body} `, signature, SECRET),
      Stripe.errors.StripeSignatureVerificationError,
    );
    await assertRejects(
      () => stripe.webhooks.constructEventAsync(body, signature, "whsec_other"),
      Stripe.errors.StripeSignatureVerificationError,
    );
  }));

Deno.test("A paid invoice tells its story in order", () =>
  withEndpoint(async ({ sim, stripe, endpoint }) => {
    const { customer, card } = await payer(stripe);
    const open = await openOver(stripe, customer, 500);
    await stripe.invoices.pay(open.id, { payment_method: card });
    await sim.control.webhooks.idle();

    assertEquals(endpoint.types, [
      "customer.created",
      "payment_method.attached",
      "invoice.created",
      "invoiceitem.created",
      "invoice.finalized",
      "payment_intent.created",
      "charge.succeeded",
      "payment_intent.succeeded",
      "invoice.paid",
      "invoice.payment_succeeded",
      "invoice_payment.paid",
    ]);
  }));

Deno.test("A declined and voided invoice tells its story in order", () =>
  withEndpoint(async ({ sim, stripe, endpoint }) => {
    const { customer, card } = await payer(
      stripe,
      "pm_card_chargeCustomerFail",
    );
    const open = await openOver(stripe, customer, 500);
    await refusal(stripe.invoices.pay(open.id, { payment_method: card }));
    await stripe.invoices.voidInvoice(open.id);
    await sim.control.webhooks.idle();

    assertEquals(endpoint.types.slice(6), [
      "charge.failed",
      "payment_intent.payment_failed",
      "invoice.payment_failed",
      "payment_intent.canceled",
      "invoice.voided",
    ]);
  }));

Deno.test("Refund and detachment are told", () =>
  withEndpoint(async ({ sim, stripe, endpoint }) => {
    const { customer, card } = await payer(stripe);
    const intent = await stripe.paymentIntents.create({
      amount: 500,
      currency: "eur",
      customer,
      payment_method: card,
      confirm: true,
    });
    await stripe.refunds.create({ payment_intent: intent.id });
    await stripe.paymentMethods.detach(card);
    await sim.control.webhooks.idle();

    assertEquals(endpoint.types.slice(-3), [
      "refund.created",
      "charge.refunded",
      "payment_method.detached",
    ]);
  }));

Deno.test("A replay tells nothing a second time", () =>
  withEndpoint(async ({ sim, stripe, endpoint }) => {
    for (let time = 0; time < 2; time++) {
      await stripe.customers.create({}, { idempotencyKey: "k" });
    }
    await sim.control.webhooks.idle();
    assertEquals(endpoint.types, ["customer.created"]);
  }));

Deno.test("An event is sent again, later each time, until it is answered 2xx", () =>
  withEndpoint(async ({ sim, stripe, timers, endpoint }) => {
    endpoint.answer = 503;
    await stripe.customers.create();
    await sim.control.webhooks.idle();
    for (let attempt = 2; attempt <= 4; attempt++) {
      timers.fire();
      await sim.control.webhooks.idle();
    }
    assertEquals(timers.delays, [1_000, 2_000, 4_000, 8_000]);
    const [pending] = (await stripe.events.list()).data;
    assertEquals(pending?.pending_webhooks, 1);

    endpoint.answer = 204;
    timers.fire();
    await sim.control.webhooks.idle();
    const [first, ...more] = endpoint.got.map(({ id }) => id);
    assertEquals(more, [first, first, first, first]);
    const [event] = (await stripe.events.list()).data;
    assertEquals([event?.pending_webhooks, timers.size], [0, 0]);
  }));

Deno.test("An event that is never answered 2xx is given up after a bounded number of attempts", () =>
  withEndpoint(async ({ sim, stripe, timers, endpoint }) => {
    endpoint.answer = 404;
    await stripe.customers.create();
    await sim.control.webhooks.idle();
    while (timers.size > 0) {
      timers.fire();
      await sim.control.webhooks.idle();
    }
    assertEquals(endpoint.got.length, MAX_ATTEMPTS);
    assertEquals(Math.max(...timers.delays), 60 * 60 * 1_000);
  }));

Deno.test("An endpoint that refuses connections harms nobody", () =>
  withSimulator(async ({ sim, stripe, timers }) => {
    const { id } = await stripe.customers.create();
    await sim.control.webhooks.idle();
    assertEquals((await stripe.customers.retrieve(id)).id, id);
    assertEquals([timers.size, sim.control.webhooks.backlog.waiting], [1, 1]);
  }, { webhook: { url: "http://127.0.0.1:1/webhooks", secret: SECRET } }));

Deno.test("Without an endpoint events are kept and owed to nobody", () =>
  withSimulator(async ({ sim, stripe }) => {
    await stripe.customers.create();
    const [event] = (await stripe.events.list()).data;
    assertEquals([event?.type, event?.pending_webhooks], [
      "customer.created",
      0,
    ]);
    assertEquals(sim.control.webhooks.backlog.ready, 0);
  }));

Deno.test("hold() keeps events back, release() sends them in order", () =>
  withEndpoint(async ({ sim, stripe, endpoint }) => {
    sim.control.webhooks.hold();
    const { customer } = await payer(stripe);
    await stripe.customers.update(customer, { name: "Other" });
    await sim.control.webhooks.idle();
    assertEquals([endpoint.got.length, sim.control.webhooks.backlog], [0, {
      ready: 3,
      waiting: 0,
      lost: 0,
      held: true,
    }]);

    sim.control.webhooks.release();
    await sim.control.webhooks.idle();
    assertEquals(endpoint.types, [
      "customer.created",
      "payment_method.attached",
      "customer.updated",
    ]);
  }));

Deno.test("release({ shuffle }) sends every event once, in another order", () =>
  withEndpoint(async ({ sim, stripe, endpoint }) => {
    sim.control.webhooks.hold();
    for (let at = 0; at < 12; at++) {
      await stripe.customers.create({ name: `Customer ${at}` });
    }
    const { data } = await stripe.events.list({ limit: 100 });
    const inOrder = data.map(({ id }) => id).reverse();
    sim.control.webhooks.release({ shuffle: true });
    await sim.control.webhooks.idle();

    const arrived = endpoint.got.map(({ id }) => id);
    assertNotEquals(arrived, inOrder);
    assertEquals(arrived.toSorted(), inOrder.toSorted());
  }));

Deno.test("The shuffle fault mixes the events of one request", () =>
  withEndpoint(async ({ sim, stripe, endpoint }) => {
    sim.control.webhooks.setFaults({ shuffle: 1 });
    const { customer, card } = await payer(stripe);
    for (let at = 0; at < 3; at++) {
      const open = await openOver(stripe, customer, 500);
      await stripe.invoices.pay(open.id, { payment_method: card });
    }
    await sim.control.webhooks.idle();
    const { data } = await stripe.events.list({ limit: 100 });
    const inOrder = data.map(({ id }) => id).reverse();
    const arrived = endpoint.got.map(({ id }) => id);
    assertNotEquals(arrived, inOrder);
    assertEquals(arrived.toSorted(), inOrder.toSorted());
  }));

Deno.test("The duplicate fault sends an event twice under one id", () =>
  withEndpoint(async ({ sim, stripe, endpoint }) => {
    sim.control.webhooks.setFaults({ duplicate: 1 });
    await stripe.customers.create();
    await sim.control.webhooks.idle();
    const [first, second, ...more] = endpoint.got.map(({ id }) => id);
    assertEquals([second, more], [first, []]);
  }));

Deno.test("The delay fault sends an event once its time has come", () =>
  withEndpoint(async ({ sim, stripe, timers, endpoint }) => {
    sim.control.webhooks.setFaults({ delay: 1, delay_ms: 90_000 });
    await stripe.customers.create();
    await sim.control.webhooks.idle();
    assertEquals([endpoint.types, timers.delays], [[], [90_000]]);
    timers.fire();
    await sim.control.webhooks.idle();
    assertEquals(endpoint.types, ["customer.created"]);
  }));

Deno.test("retryNow() sends at once what waits for another attempt", () =>
  withEndpoint(async ({ sim, stripe, endpoint }) => {
    endpoint.answer = 500;
    await stripe.customers.create();
    await sim.control.webhooks.idle();
    endpoint.answer = 200;
    sim.control.webhooks.retryNow();
    await sim.control.webhooks.idle();
    assertEquals(endpoint.types, ["customer.created", "customer.created"]);
  }));

Deno.test("resend() sends an event that was delivered before", () =>
  withEndpoint(async ({ sim, stripe, endpoint }) => {
    await stripe.customers.create();
    await sim.control.webhooks.idle();
    sim.control.webhooks.resend(endpoint.got[0]?.id ?? "");
    await sim.control.webhooks.idle();
    assertEquals(endpoint.types, ["customer.created", "customer.created"]);
  }));

Deno.test("setTarget() sends later events elsewhere", () =>
  withSimulator(async ({ sim, stripe }) => {
    const endpoint = new Endpoint();
    try {
      await stripe.customers.create();
      sim.control.webhooks.setTarget({ url: endpoint.url, secret: SECRET });
      const { id } = await stripe.customers.create();
      await stripe.customers.update(id, { name: "Acme" });
      await sim.control.webhooks.idle();
      assertEquals(endpoint.types, ["customer.created", "customer.updated"]);
    } finally {
      await endpoint.stop();
    }
  }));

Deno.test("An endpoint may call the API while it handles an event", async () => {
  let status = "";
  await withSimulator(async ({ sim, stripe }) => {
    const server = Deno.serve({
      hostname: "127.0.0.1",
      port: 0,
      onListen: () => {},
    }, async (request) => {
      const { type, data } = await request.json();
      if (type === "invoice.paid") {
        const invoice = await sdk(sim.port).invoices.retrieve(data.object.id);
        status = String(invoice.status);
      }
      return new Response();
    });
    try {
      const url = `http://127.0.0.1:${server.addr.port}/`;
      sim.control.webhooks.setTarget({ url, secret: SECRET });
      const { customer, card } = await payer(stripe);
      const open = await openOver(stripe, customer, 500);
      await stripe.invoices.pay(open.id, { payment_method: card });
      await sim.control.webhooks.idle();
    } finally {
      await server.shutdown();
    }
  });
  assertEquals(status, "paid");
});

Deno.test("GET /v1/events filters by type and by group of types", () =>
  withSimulator(async ({ stripe }) => {
    const { customer } = await payer(stripe);
    await stripe.customers.update(customer, { name: "Other" });
    const types = async (params: Stripe.EventListParams) =>
      (await stripe.events.list(params)).data.map(({ type }) => type);
    assertEquals(await types({ type: "customer.updated" }), [
      "customer.updated",
    ]);
    assertEquals(await types({ type: "customer.*" }), [
      "customer.updated",
      "customer.created",
    ]);
    assertEquals(await types({ types: ["payment_method.attached"] }), [
      "payment_method.attached",
    ]);
  }));

Deno.test("Events are dropped after 30 days", () =>
  withSimulator(async ({ clock, stripe }) => {
    const { id } = await stripe.customers.create();
    clock.advance(30 * 24 * 60 * 60 * 1_000);
    await stripe.customers.update(id, { name: "Kept" });
    assertEquals((await stripe.events.list()).data.length, 2);
    clock.advance(1_000);
    await stripe.customers.update(id, { name: "Dropped" });
    const { data } = await stripe.events.list();
    assertEquals(data.map(({ type }) => type), [
      "customer.updated",
      "customer.updated",
    ]);
  }));
