import { assertEquals, assertRejects } from "@std/assert";
import Stripe from "stripe";
import type { FaultOrder } from "../../../simulators/stripe/mod.ts";
import {
  type Bench,
  isReplay,
  openOver,
  payer,
  refusal,
  sdk,
  SECRET_KEY,
  seeded,
  withSimulator,
} from "./support.ts";

const KEY = { idempotencyKey: "pay-1" };
const PAY = "/v1/invoices/*/pay";

/** An open invoice, a fault on its payment, and what the first try gives. */
async function firstTry({ sim, stripe }: Bench, fault: FaultOrder) {
  const { customer, card } = await payer(stripe);
  const invoice = await openOver(stripe, customer, 500);
  const pay = () =>
    stripe.invoices.pay(invoice.id, { payment_method: card }, KEY);
  sim.control.addFault({ path: PAY, ...fault });
  const error = await refusal(pay());
  const charges = async () =>
    (await stripe.charges.list({ customer })).data.length;
  return { error, pay, charges };
}

Deno.test("reset_before_effect resets the connection, nothing was done", () =>
  withSimulator(async (bench) => {
    const fault = { kind: "reset_before_effect" } as const;
    const { error, pay, charges } = await firstTry(bench, fault);
    assertEquals(error instanceof Stripe.errors.StripeConnectionError, true);
    assertEquals([error.statusCode, await charges()], [undefined, 0]);

    const paid = await pay();
    assertEquals([paid.status, isReplay(paid)], ["paid", false]);
    assertEquals(await charges(), 1);
  }));

Deno.test("reset_after_effect resets the connection, the key replays what was done", () =>
  withSimulator(async (bench) => {
    const fault = { kind: "reset_after_effect" } as const;
    const { error, pay, charges } = await firstTry(bench, fault);
    assertEquals(error instanceof Stripe.errors.StripeConnectionError, true);
    assertEquals(await charges(), 1);

    const paid = await pay();
    assertEquals([paid.status, isReplay(paid)], ["paid", true]);
    assertEquals(await charges(), 1);
  }));

Deno.test("A reset before the head reaches the client as a reset of the TCP connection", () =>
  withSimulator(async ({ sim }) => {
    sim.control.addFault({ kind: "reset_before_effect", before_head: true });
    const conn = await Deno.connect({ hostname: "127.0.0.1", port: sim.port });
    try {
      const request = "GET /v1/events HTTP/1.1\r\nhost: localhost\r\n" +
        `authorization: Bearer ${SECRET_KEY}\r\n\r\n`;
      await conn.write(new TextEncoder().encode(request));
      await assertRejects(
        () => conn.read(new Uint8Array(1)),
        Deno.errors.ConnectionReset,
      );
    } finally {
      conn.close();
    }
  }));

Deno.test("A POST that fetch sends again after a reset has its effect once, under one key", () =>
  withSimulator(async ({ sim, stripe }) => {
    await stripe.events.list(); // leaves a connection to be used again
    sim.control.clearRequests();
    sim.control.addFault({ kind: "reset_after_effect", before_head: true });
    const customer = await stripe.customers.create({ name: "Acme" });

    const [first, second] = sim.control.requests();
    assertEquals([first?.status, second?.status], [null, 200]);
    assertEquals(second?.idempotency_key, first?.idempotency_key);
    assertEquals([isReplay(customer), second?.replayed], [true, true]);
    assertEquals((await stripe.customers.list()).data.length, 1);
  }));

Deno.test("error_before_effect answers 500 and saves it, nothing was done", () =>
  withSimulator(async (bench) => {
    const fault = { kind: "error_before_effect" } as const;
    const { error, pay, charges } = await firstTry(bench, fault);
    assertEquals(error instanceof Stripe.errors.StripeAPIError, true);
    assertEquals(error.statusCode, 500);
    assertEquals((await refusal(pay())).statusCode, 500);
    assertEquals(await charges(), 0);
  }));

Deno.test("error_before_effect unsaved answers 500 once, the key then works", () =>
  withSimulator(async (bench) => {
    const fault = { kind: "error_before_effect", saved: false } as const;
    const { error, pay, charges } = await firstTry(bench, fault);
    assertEquals([error.statusCode, await charges()], [500, 0]);
    const paid = await pay();
    assertEquals([paid.status, isReplay(paid)], ["paid", false]);
  }));

Deno.test("error_after_effect answers 500 and saves it, all was done", () =>
  withSimulator(async (bench) => {
    const fault = { kind: "error_after_effect" } as const;
    const { error, pay, charges } = await firstTry(bench, fault);
    assertEquals([error.statusCode, await charges()], [500, 1]);
    assertEquals((await refusal(pay())).statusCode, 500);
    assertEquals(await charges(), 1);
  }));

Deno.test("rate_limit answers 429 and does nothing, the key stays free", () =>
  withSimulator(async (bench) => {
    const { error, pay, charges } = await firstTry(bench, {
      kind: "rate_limit",
    });
    assertEquals(error instanceof Stripe.errors.StripeRateLimitError, true);
    assertEquals([error.statusCode, error.code], [429, "rate_limit"]);
    assertEquals(await charges(), 0);
    assertEquals(isReplay(await pay()), false);
  }));

Deno.test("lock_timeout answers 409 and does nothing, the key stays free", () =>
  withSimulator(async (bench) => {
    const { error, pay, charges } = await firstTry(bench, {
      kind: "lock_timeout",
    });
    assertEquals([error.statusCode, error.code], [409, "lock_timeout"]);
    assertEquals(await charges(), 0);
    assertEquals(isReplay(await pay()), false);
  }));

Deno.test("decline forces the next payment to fail with its code, once", () =>
  withSimulator(async (bench) => {
    const { error, charges } = await firstTry(bench, {
      kind: "decline",
      decline_code: "insufficient_funds",
    });
    assertEquals([error.statusCode, error.code], [402, "card_declined"]);
    assertEquals(error.decline_code, "insufficient_funds");
    assertEquals(error.message, "Your card has insufficient funds.");
    assertEquals([await charges(), bench.sim.control.faults()], [1, []]);
  }));

Deno.test("requires_action forces the next payment to wait for the payer", () =>
  withSimulator(async (bench) => {
    const { error } = await firstTry(bench, { kind: "requires_action" });
    assertEquals(error.code, "invoice_payment_intent_requires_action");
    assertEquals(error.payment_intent?.status, "requires_action");
  }));

Deno.test("processing leaves the payment undecided until it is resolved", () =>
  withSimulator(async ({ sim, stripe }) => {
    const { customer, card } = await payer(stripe);
    sim.control.addFault({ kind: "processing" });
    const intent = await stripe.paymentIntents.create({
      amount: 500,
      currency: "eur",
      customer,
      payment_method: card,
      off_session: true,
      confirm: true,
    });
    assertEquals(intent.status, "processing");
    assertEquals((await stripe.charges.list()).data, []);
    sim.control.resolvePayment(intent.id, "fail");
    const failed = await stripe.paymentIntents.retrieve(intent.id);
    assertEquals(failed.status, "requires_payment_method");
  }));

Deno.test("slow does the work at once and answers after its delay, the key in flight", () =>
  withSimulator(async ({ sim, stripe, timers }) => {
    sim.control.addFault({ kind: "slow", delay_ms: 30_000 });
    const first = stripe.customers.create({ name: "Acme" }, KEY);
    while (timers.size === 0) await stripe.events.list();

    assertEquals(timers.delays, [30_000]);
    assertEquals((await stripe.customers.list()).data.length, 1);
    const error = await refusal(stripe.customers.create({ name: "Acme" }, KEY));
    assertEquals(error.code, "idempotency_key_in_use");
    timers.fire();
    assertEquals(isReplay(await first), false);
    const again = await stripe.customers.create({ name: "Acme" }, KEY);
    assertEquals(isReplay(again), true);
  }));

Deno.test("timeout_after_effect never answers; the client gives up, the key replays", () =>
  withSimulator(async ({ sim, stripe }) => {
    const hasty = sdk(sim.port);
    sim.control.addFault({ kind: "timeout_after_effect", method: "POST" });
    const error = await refusal(
      hasty.customers.create({ name: "Acme" }, { ...KEY, timeout: 50 }),
    );
    assertEquals(error instanceof Stripe.errors.StripeConnectionError, true);
    assertEquals(error.statusCode, undefined);
    const again = await stripe.customers.create({ name: "Acme" }, KEY);
    assertEquals(isReplay(again), true);
    assertEquals((await stripe.customers.list()).data.length, 1);
  }));

Deno.test("hold does nothing before it is released", () =>
  withSimulator(async ({ sim, stripe }) => {
    sim.control.addFault({ kind: "hold" });
    const first = stripe.customers.create({ name: "Acme" });
    while (sim.control.heldRequests === 0) await stripe.events.list();
    assertEquals((await stripe.customers.list()).data, []);
    sim.control.releaseRequests();
    assertEquals((await first).name, "Acme");
  }));

Deno.test("A fault strikes only its method and path, as often as said", () =>
  withSimulator(async ({ sim, stripe }) => {
    const { control } = sim;
    control.addFault({
      kind: "rate_limit",
      method: "GET",
      path: "/v1/customers/*",
      times: 2,
    });
    const { id } = await stripe.customers.create();
    await stripe.customers.list();
    await stripe.customers.listTaxIds(id);
    for (let time = 0; time < 2; time++) {
      const error = await refusal(stripe.customers.retrieve(id));
      assertEquals(error.statusCode, 429);
    }
    assertEquals((await stripe.customers.retrieve(id)).id, id);
    assertEquals(control.faults(), []);
  }));

Deno.test("** in a path stands for any number of parts", () =>
  withSimulator(async ({ sim, stripe }) => {
    sim.control.addFault({ kind: "rate_limit", path: "/v1/**", times: null });
    const { id } = { id: "cus_1" };
    const list = await refusal(stripe.customers.list());
    const inner = await refusal(stripe.customers.listTaxIds(id));
    assertEquals([list.statusCode, inner.statusCode], [429, 429]);
    sim.control.clearFaults();
    assertEquals((await stripe.customers.list()).data, []);
  }));

Deno.test("A fault with a probability strikes the same calls for the same seed", () => {
  const strikes = async () => {
    const struck: number[] = [];
    await withSimulator(async ({ sim, stripe }) => {
      sim.control.addFault({
        kind: "rate_limit",
        probability: 0.3,
        times: null,
      });
      for (let call = 0; call < 40; call++) {
        await stripe.events.list().catch(() => struck.push(call));
      }
    }, { random: seeded(7) });
    return struck;
  };
  return strikes().then(async (first) => {
    assertEquals(await strikes(), first);
    assertEquals(first.length > 3 && first.length < 25, true);
  });
});

Deno.test("A fault can be taken back by its id", () =>
  withSimulator(async ({ sim, stripe }) => {
    const id = sim.control.addFault({ kind: "rate_limit" });
    assertEquals(sim.control.removeFault(id), true);
    assertEquals(sim.control.removeFault(id), false);
    assertEquals((await stripe.customers.list()).data, []);
  }));

Deno.test("A replay is not struck by a 500, but its connection may be lost", () =>
  withSimulator(async ({ sim, stripe }) => {
    const create = () => stripe.customers.create({ name: "Acme" }, KEY);
    await create();
    sim.control.addFault({ kind: "error_after_effect" });
    assertEquals(isReplay(await create()), true);
    sim.control.clearFaults();
    sim.control.addFault({ kind: "reset_after_effect" });
    assertEquals((await refusal(create())).statusCode, undefined);
    assertEquals(isReplay(await create()), true);
  }));

Deno.test("stop() ends requests that are held or never answered", async () => {
  let held: Promise<unknown> = Promise.resolve();
  let silent: Promise<unknown> = Promise.resolve();
  await withSimulator(async ({ sim, stripe }) => {
    sim.control.addFault({ kind: "timeout_after_effect", method: "POST" });
    silent = refusal(stripe.customers.create());
    while (sim.control.state().objects.customer === 0) {
      await stripe.events.list();
    }
    sim.control.addFault({ kind: "hold", method: "POST" });
    held = refusal(stripe.customers.create());
    while (sim.control.heldRequests === 0) await stripe.events.list();
  });
  for (const error of [await held, await silent]) {
    assertEquals(error instanceof Stripe.errors.StripeError, true);
  }
});
