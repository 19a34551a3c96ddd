import { assert, assertEquals, assertRejects } from "@std/assert";
import { ProcessorUncertain } from "../../../domain/failure.ts";
import { type Desk, valueOf, withProcessor } from "./desk.ts";
import { OneAnswer } from "./one_answer.ts";
import { submit } from "../../simulators/stripe/browser.ts";
import { payer } from "../../simulators/stripe/support.ts";

const SETUP = {
  accountId: "acc_1",
  successUrl: "https://shop.example/cards?session={CHECKOUT_SESSION_ID}",
  cancelUrl: "https://shop.example/cards",
};

async function openSetup({ processor, stripe }: Desk) {
  const { id: customerId } = await stripe.customers.create({ name: "Acme" });
  const input = { ...SETUP, customerId };
  const made = await processor.createCardSetup(input, `setup:${customerId}`);
  return { customerId, ...valueOf(made) };
}

Deno.test("createCardSetup() asks for a card alone, to be charged later, under its key", async () => {
  await using server = new OneAnswer(200, {
    id: "cs_1",
    object: "checkout.session",
    url: "https://checkout.stripe.com/c/pay/cs_1",
    expires_at: 1_763_640_000,
  });
  const input = { ...SETUP, customerId: "cus_1" };
  const made = await server.processor.createCardSetup(input, "card:1");
  assertEquals(valueOf(made), {
    id: "cs_1",
    url: "https://checkout.stripe.com/c/pay/cs_1",
    expiresAtMs: 1_763_640_000_000,
  });
  assertEquals(server.asked, [{
    method: "POST",
    path: "/v1/checkout/sessions",
    key: "card:1",
    form: {
      mode: "setup",
      "allowed_payment_method_types[0]": "card",
      customer: "cus_1",
      client_reference_id: "acc_1",
      "setup_intent_data[metadata][account_id]": "acc_1",
      success_url: SETUP.successUrl,
      cancel_url: SETUP.cancelUrl,
    },
  }]);
});

Deno.test("a card saved on the page is told with its account, customer and fingerprint", () =>
  withProcessor(async (desk) => {
    const { processor, clock } = desk;
    const { id, url, customerId, expiresAtMs } = await openSetup(desk);
    assert(expiresAtMs > clock.nowMs);
    const before = valueOf(await processor.retrieveCardSetup(id));
    assertEquals(before.status, "open");
    await submit(url, { number: "5555 5555 5555 4444" });
    const after = valueOf(await processor.retrieveCardSetup(id));
    assertEquals(after.status, "complete");
    assert(after.setupIntentId !== null);
    const intent = valueOf(
      await processor.retrieveSetupIntent(after.setupIntentId),
    );
    const [card] = valueOf(await processor.listCards(customerId));
    assert(card !== undefined);
    assertEquals(intent, {
      id: after.setupIntentId,
      status: "succeeded",
      accountId: "acc_1",
      customerId,
      card,
    });
    assertEquals([card.brand, card.last4, card.expMonth, card.expYear], [
      "mastercard",
      "4444",
      12,
      2029,
    ]);
    assert(card.fingerprint !== null);
  }));

Deno.test("the same card saved by two customers has one fingerprint", () =>
  withProcessor(async (desk) => {
    const prints: (string | null | undefined)[] = [];
    for (const number of ["4242424242424242", "4242424242424242", ""]) {
      const { url, customerId } = await openSetup(desk);
      await submit(url, { number, card: "mastercard" });
      const [card] = valueOf(await desk.processor.listCards(customerId));
      prints.push(card?.fingerprint);
    }
    assertEquals(prints[0], prints[1]);
    assertEquals(prints[0] === prints[2], false);
  }));

Deno.test("an expired page and a refused card leave no card", () =>
  withProcessor(async (desk) => {
    const { processor, sim } = desk;
    const { id, url } = await openSetup(desk);
    await submit(url, { card: "chargeDeclined" });
    const open = valueOf(await processor.retrieveCardSetup(id));
    assertEquals(open.status, "open");
    sim.control.people.expireCheckout(id);
    const setup = valueOf(await processor.retrieveCardSetup(id));
    assertEquals(setup.status, "expired");
    const intent = valueOf(
      await processor.retrieveSetupIntent(String(setup.setupIntentId)),
    );
    assertEquals([intent.status, intent.card], ["canceled", null]);
  }));

Deno.test("an intent of somebody else names no account", () =>
  withProcessor(async ({ processor, stripe }) => {
    const { id } = await stripe.setupIntents.create({});
    const intent = valueOf(await processor.retrieveSetupIntent(id));
    assertEquals(intent, {
      id,
      status: "requires_payment_method",
      accountId: null,
      customerId: null,
      card: null,
    });
  }));

Deno.test("listCards() gives every card, of several pages, once", () =>
  withProcessor(async ({ processor, stripe }) => {
    const { customer } = await payer(stripe);
    for (let nth = 0; nth < 104; nth++) {
      await stripe.paymentMethods.attach("pm_card_amex", { customer });
    }
    const cards = valueOf(await processor.listCards(customer));
    assertEquals(new Set(cards.map(({ id }) => id)).size, 105);
    assertEquals(cards.length, 105);
  }));

Deno.test("listCards() shows the newest first", () =>
  withProcessor(async ({ processor, stripe }) => {
    const { customer, card } = await payer(stripe);
    const second = await stripe.paymentMethods.attach("pm_card_amex", {
      customer,
    });
    const cards = valueOf(await processor.listCards(customer));
    assertEquals(cards.map(({ id }) => id), [second.id, card]);
    const unknown = await processor.listCards("cus_none");
    assertEquals(unknown.ok || unknown.code, "resource_missing");
  }));

Deno.test("detachCard() is done when the card is gone already, by whomever", () =>
  withProcessor(async ({ processor, stripe }) => {
    const { customer, card } = await payer(stripe);
    const gone = { ok: true, value: { id: card } } as const;
    assertEquals(await processor.detachCard(card, "detach:1"), gone);
    assertEquals(await processor.detachCard(card, "detach:1"), gone);
    assertEquals(await processor.detachCard(card, "detach:2"), gone);
    assertEquals(valueOf(await processor.listCards(customer)), []);
    const unknown = await processor.detachCard("pm_none", "detach:3");
    assertEquals(unknown.ok || unknown.code, "resource_missing");
  }));

Deno.test("detachCard() is uncertain when the answer is lost, and done when asked again", () =>
  withProcessor(async ({ processor, stripe, sim }) => {
    const { card } = await payer(stripe);
    sim.control.addFault({
      kind: "reset_after_effect",
      path: "/v1/payment_methods/*/detach",
    });
    await assertRejects(
      () => processor.detachCard(card, "detach:1"),
      ProcessorUncertain,
    );
    const again = await processor.detachCard(card, "detach:1");
    assertEquals(again, { ok: true, value: { id: card } });
  }));

Deno.test("createBillingPortal() gives a link of the customer's own that works", () =>
  withProcessor(async ({ processor, stripe }) => {
    const { customer, card } = await payer(stripe);
    const input = { customerId: customer, returnUrl: "https://shop.example/" };
    const made = await processor.createBillingPortal(input, "portal:1");
    const page = await submit(valueOf(made).url, { remove: card });
    assertEquals(page.links["Return to the seller"], "https://shop.example/");
    assertEquals(valueOf(await processor.listCards(customer)), []);
  }));
