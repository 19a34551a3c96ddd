import { assertEquals } from "@std/assert";
import type Stripe from "stripe";
import { eventsOf } from "./money.ts";
import { isReplay, refusal, withSimulator } from "./support.ts";

async function customer(stripe: Stripe): Promise<string> {
  return (await stripe.customers.create({ name: "Acme" })).id;
}

Deno.test("a confirmed set-up attaches the card for later", () =>
  withSimulator(async ({ stripe }) => {
    const owner = await customer(stripe);
    const done = await stripe.setupIntents.create({
      customer: owner,
      metadata: { account_id: "acc_1" },
      payment_method: "pm_card_visa",
      confirm: true,
    });
    assertEquals([done.status, done.usage, done.metadata], [
      "succeeded",
      "off_session",
      { account_id: "acc_1" },
    ]);
    const { data } = await stripe.paymentMethods.list({ customer: owner });
    assertEquals(data.map(({ id }) => id), [done.payment_method]);
    assertEquals(await eventsOf(stripe, "setup_intent", "payment_method"), [
      "setup_intent.created",
      "payment_method.attached",
      "setup_intent.succeeded",
    ]);
  }));

Deno.test("a card that refuses leaves the set-up open and says why", () =>
  withSimulator(async ({ stripe }) => {
    const owner = await customer(stripe);
    const refused = await refusal(stripe.setupIntents.create({
      customer: owner,
      payment_method: "pm_card_chargeDeclinedExpiredCard",
      confirm: true,
    }));
    assertEquals([refused.statusCode, refused.code], [402, "expired_card"]);
    const { id = "" } = refused.setup_intent ?? {};
    const intent = await stripe.setupIntents.retrieve(id);
    assertEquals(
      [intent.status, intent.last_setup_error?.code, intent.payment_method],
      ["requires_payment_method", "expired_card", null],
    );
    assertEquals(
      (await eventsOf(stripe, "setup_intent")).at(-1),
      [
        "setup_intent.setup_failed",
      ][0],
    );
  }));

for (
  const [how, status, event] of [
    ["succeed", "succeeded", "setup_intent.succeeded"],
    ["fail", "requires_payment_method", "setup_intent.setup_failed"],
  ] as const
) {
  Deno.test(`a payer who authenticates and does ${how} ends the wait`, () =>
    withSimulator(async ({ sim, stripe }) => {
      const intent = await stripe.setupIntents.create({
        customer: await customer(stripe),
        payment_method: "pm_card_authenticationRequired",
        confirm: true,
        return_url: "https://example.com/back",
      });
      assertEquals(
        [intent.status, intent.next_action?.redirect_to_url?.return_url],
        ["requires_action", "https://example.com/back"],
      );
      sim.control.people.resolveSetup(intent.id, how);
      const after = await stripe.setupIntents.retrieve(intent.id);
      assertEquals([after.status, after.next_action], [status, null]);
      const types = await eventsOf(stripe, "setup_intent");
      assertEquals(types.slice(1), ["setup_intent.requires_action", event]);
    }));
}

Deno.test("a card that asks once is charged off-session after its set-up, and not without", () =>
  withSimulator(async ({ sim, stripe }) => {
    const owner = await customer(stripe);
    const pay = (payment_method: string) =>
      stripe.paymentIntents.create({
        amount: 500,
        currency: "eur",
        customer: owner,
        payment_method,
        off_session: true,
        confirm: true,
      });
    const card = "pm_card_authenticationRequiredOnSetup";
    const attached = await stripe.paymentMethods.attach(card, {
      customer: owner,
    });
    const refused = await refusal(pay(attached.id));
    assertEquals(refused.code, "authentication_required");
    const intent = await stripe.setupIntents.create({
      customer: owner,
      payment_method: card,
      confirm: true,
    });
    sim.control.people.resolveSetup(intent.id, "succeed");
    const { payment_method } = await stripe.setupIntents.retrieve(intent.id);
    assertEquals((await pay(String(payment_method))).status, "succeeded");
  }));

Deno.test("a set-up is not confirmed without a card", () =>
  withSimulator(async ({ stripe }) => {
    const missing = await refusal(
      stripe.setupIntents.create({ confirm: true }),
    );
    assertEquals(missing.code, "setup_intent_unexpected_state");
  }));

Deno.test("another customer's card can't be set up", () =>
  withSimulator(async ({ stripe }) => {
    const theirs = await stripe.paymentMethods.attach("pm_card_visa", {
      customer: await customer(stripe),
    });
    const refused = await refusal(stripe.setupIntents.create({
      customer: await customer(stripe),
      payment_method: theirs.id,
      confirm: true,
    }));
    assertEquals(refused.code, "resource_missing");
  }));

Deno.test("a bank that takes its time decides later", () =>
  withSimulator(async ({ sim, stripe }) => {
    sim.control.addFault({ kind: "processing" });
    const owner = await customer(stripe);
    const intent = await stripe.setupIntents.create({
      customer: owner,
      payment_method: "pm_card_visa",
      confirm: true,
    });
    assertEquals(intent.status, "processing");
    sim.control.people.resolveSetup(intent.id, "fail");
    const failed = await stripe.setupIntents.retrieve(intent.id);
    assertEquals(failed.last_setup_error?.code, "card_declined");
  }));

Deno.test("POST /v1/setup_intents repeats its first answer under a key and refuses what it does not know", () =>
  withSimulator(async ({ stripe }) => {
    const options = { idempotencyKey: "setup:1" };
    const params = { customer: await customer(stripe) };
    const first = await stripe.setupIntents.create(params, options);
    const second = await stripe.setupIntents.create(params, options);
    assertEquals([second.id, isReplay(second)], [first.id, true]);
    const unknown = await refusal(
      stripe.setupIntents.create({ payment_method_types: ["card"] } as never),
    );
    assertEquals(unknown.code, "parameter_unknown");
  }));

Deno.test("GET /v1/setup_intents lists a customer's own", () =>
  withSimulator(async ({ stripe }) => {
    const [one, two] = [await customer(stripe), await customer(stripe)];
    const { id } = await stripe.setupIntents.create({ customer: one });
    await stripe.setupIntents.create({ customer: two });
    const { data } = await stripe.setupIntents.list({ customer: one });
    assertEquals(data.map((intent) => intent.id), [id]);
  }));
