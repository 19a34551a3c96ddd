import { assertEquals, assertNotEquals } from "@std/assert";
import Stripe from "stripe";
import {
  isReplay,
  openOver,
  payer,
  raw,
  refusal,
  withSimulator,
} from "./support.ts";

const KEY = { idempotencyKey: "day-2026-11-20-bid-1" };
const DAY_MS = 24 * 60 * 60 * 1_000;

Deno.test("A repeated key replays the first answer and has no second effect", () =>
  withSimulator(async ({ stripe }) => {
    const first = await stripe.customers.create({ name: "Acme" }, KEY);
    const again = await stripe.customers.create({ name: "Acme" }, KEY);

    assertEquals([isReplay(first), isReplay(again)], [false, true]);
    assertEquals(again, first);
    assertEquals((await stripe.customers.list()).data.length, 1);
  }));

Deno.test("A repeated key with the parameters in another order is a replay", () =>
  withSimulator(async ({ sim }) => {
    const send = (body: string) =>
      raw(sim, "POST", "/v1/customers", body, { "idempotency-key": "k" });
    const first = await (await send("name=Acme&email=a%40b.c")).json();
    const response = await send("email=a%40b.c&name=Acme");
    assertEquals(response.headers.get("idempotent-replayed"), "true");
    assertEquals(await response.json(), first);
  }));

Deno.test("A key used with other parameters is a 400 idempotency_error", () =>
  withSimulator(async ({ stripe }) => {
    await stripe.customers.create({ name: "Acme" }, KEY);
    const error = await refusal(
      stripe.customers.create({ name: "Other" }, KEY),
    );
    assertEquals(error instanceof Stripe.errors.StripeIdempotencyError, true);
    assertEquals(error.statusCode, 400);
    assertEquals((await stripe.customers.list()).data.length, 1);
  }));

Deno.test("A key used on another path is a 400 idempotency_error", () =>
  withSimulator(async ({ stripe }) => {
    await stripe.customers.create({}, KEY);
    const error = await refusal(stripe.taxRates.create({
      display_name: "VAT",
      inclusive: true,
      percentage: 20,
    }, KEY));
    assertEquals(error instanceof Stripe.errors.StripeIdempotencyError, true);
  }));

Deno.test("A key in flight is a 409, which is not saved", () =>
  withSimulator(async ({ sim, stripe }) => {
    sim.control.addFault({ kind: "hold", path: "/v1/customers" });
    const first = stripe.customers.create({ name: "Acme" }, KEY);
    while (sim.control.heldRequests === 0) await stripe.events.list();

    const error = await refusal(stripe.customers.create({ name: "Acme" }, KEY));
    assertEquals([error.statusCode, error.code], [
      409,
      "idempotency_key_in_use",
    ]);
    sim.control.releaseRequests();
    const { id } = await first;
    const again = await stripe.customers.create({ name: "Acme" }, KEY);
    assertEquals([again.id, isReplay(again)], [id, true]);
  }));

Deno.test("Twenty parallel requests with one key have one effect", () =>
  withSimulator(async ({ stripe }) => {
    const { customer, card } = await payer(stripe);
    const invoice = await openOver(stripe, customer, 500);
    const answers = await Promise.allSettled(
      Array.from(
        { length: 20 },
        () => stripe.invoices.pay(invoice.id, { payment_method: card }, KEY),
      ),
    );
    const paid = answers.filter(({ status }) => status === "fulfilled");
    assertNotEquals(paid.length, 0);
    const { data } = await stripe.charges.list({ customer });
    assertEquals(data.length, 1);
  }));

Deno.test("A refused parameter is not saved: the key stays free", () =>
  withSimulator(async ({ stripe }) => {
    const { customer } = await payer(stripe);
    const wrong = { customer, unknown: "x" } as Stripe.InvoiceCreateParams;
    const error = await refusal(stripe.invoices.create(wrong, KEY));
    assertEquals(error.code, "parameter_unknown");

    const invoice = await stripe.invoices.create({ customer }, KEY);
    assertEquals(isReplay(invoice), false);
  }));

Deno.test("A refusal of the work itself is saved", () =>
  withSimulator(async ({ stripe }) => {
    const { customer, card } = await payer(stripe);
    const invoice = await openOver(stripe, customer, 500);
    const missing = () =>
      refusal(stripe.invoices.pay(
        invoice.id,
        { payment_method: "pm_unknown" },
        KEY,
      ));
    assertEquals((await missing()).code, "resource_missing");
    await stripe.invoices.pay(invoice.id, { payment_method: card });
    assertEquals((await missing()).code, "resource_missing");
  }));

Deno.test("A declined payment is saved: the key replays the 402 without a new attempt", () =>
  withSimulator(async ({ sim, stripe }) => {
    const { customer, card } = await payer(
      stripe,
      "pm_card_chargeCustomerFail",
    );
    const invoice = await openOver(stripe, customer, 500);
    const pay = () =>
      refusal(stripe.invoices.pay(invoice.id, { payment_method: card }, KEY));
    const first = await pay();
    sim.control.setCard(card, "visa");
    const again = await pay();

    assertEquals([again.statusCode, again.code], [402, "card_declined"]);
    assertEquals(again.charge, first.charge);
    assertEquals((await stripe.charges.list({ customer })).data.length, 1);
  }));

Deno.test("A 500 is saved: the key replays it, the effect stands", () =>
  withSimulator(async ({ sim, stripe }) => {
    const { customer, card } = await payer(stripe);
    const invoice = await openOver(stripe, customer, 500);
    sim.control.addFault({
      kind: "error_after_effect",
      path: "/v1/invoices/*/pay",
    });
    const pay = () =>
      refusal(stripe.invoices.pay(invoice.id, { payment_method: card }, KEY));
    assertEquals((await pay()).statusCode, 500);
    assertEquals((await pay()).statusCode, 500);
    assertEquals((await stripe.invoices.retrieve(invoice.id)).status, "paid");
    assertEquals((await stripe.charges.list({ customer })).data.length, 1);
  }));

Deno.test("A key is kept to the last millisecond of 24 hours, then free", () =>
  withSimulator(async ({ clock, stripe }) => {
    const first = await stripe.customers.create({}, KEY);
    clock.advance(DAY_MS - 1);
    const kept = await stripe.customers.create({}, KEY);
    assertEquals([kept.id, isReplay(kept)], [first.id, true]);

    clock.advance(1);
    const fresh = await stripe.customers.create({}, KEY);
    assertNotEquals(fresh.id, first.id);
  }));

Deno.test("A key longer than 255 characters is refused", () =>
  withSimulator(async ({ stripe }) => {
    const long = { idempotencyKey: "k".repeat(256) };
    const error = await refusal(stripe.customers.create({}, long));
    assertEquals(error.statusCode, 400);
    const fits = { idempotencyKey: "k".repeat(255) };
    assertEquals((await stripe.customers.create({}, fits)).object, "customer");
  }));

Deno.test("A GET ignores the key", () =>
  withSimulator(async ({ sim }) => {
    const headers = { "idempotency-key": "k" };
    for (const path of ["/v1/customers", "/v1/invoices"]) {
      const response = await raw(sim, "GET", path, undefined, headers);
      assertEquals(response.status, 200);
      await response.body?.cancel();
    }
  }));
