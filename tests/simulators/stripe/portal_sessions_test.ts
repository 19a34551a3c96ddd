import { assert, assertEquals } from "@std/assert";
import { submit, visit } from "./browser.ts";
import { eventsOf } from "./money.ts";
import { payer, refusal, withSimulator } from "./support.ts";

const BACK = "https://shop.example/cards";
const MINUTE_MS = 60_000;

Deno.test("the portal lists the customer's cards, lets one go and leads back", () =>
  withSimulator(async ({ stripe }) => {
    const { customer, card } = await payer(stripe);
    const second = await stripe.paymentMethods.attach("pm_card_mastercard", {
      customer,
    });
    const { url } = await stripe.billingPortal.sessions.create({
      customer,
      return_url: BACK,
    });
    const page = await visit(url);
    assertEquals([page.status, page.title], [200, "Your cards"]);
    assertEquals(page.links["Return to the seller"], BACK);
    assert(page.html.includes("Remove visa ending in 4242"));
    assert(page.html.includes("Remove mastercard ending in 4444"));
    const after = await submit(url, { remove: card });
    assert(!after.html.includes("visa ending"));
    const { data } = await stripe.paymentMethods.list({ customer });
    assertEquals(data.map(({ id }) => id), [second.id]);
    const events = await eventsOf(stripe, "payment_method.detached");
    assertEquals(events.length, 1);
  }));

Deno.test("the portal touches nobody else's cards", () =>
  withSimulator(async ({ stripe }) => {
    const [mine, theirs] = [await payer(stripe), await payer(stripe)];
    const { url } = await stripe.billingPortal.sessions.create({
      customer: mine.customer,
    });
    const page = await submit(url, { remove: theirs.card });
    assertEquals(page.status, 200);
    const kept = await stripe.paymentMethods.retrieve(theirs.card);
    assertEquals(kept.customer, theirs.customer);
  }));

Deno.test("a way into the portal that is not taken soon is closed, one in use stays open", () =>
  withSimulator(async ({ stripe, clock }) => {
    const { customer, card } = await payer(stripe);
    const enter = async () =>
      (await stripe.billingPortal.sessions.create({ customer })).url;
    const unused = await enter();
    const used = await enter();
    await visit(used);
    clock.advance(5 * MINUTE_MS);
    assertEquals((await visit(unused)).status, 410);
    assertEquals((await visit(used)).status, 200);
    clock.advance(60 * MINUTE_MS);
    assertEquals((await submit(used, { remove: card })).status, 410);
    const kept = await stripe.paymentMethods.retrieve(card);
    assertEquals(kept.customer, customer);
  }));

Deno.test("POST /v1/billing_portal/sessions refuses an unknown customer", () =>
  withSimulator(async ({ stripe }) => {
    const refused = await refusal(
      stripe.billingPortal.sessions.create({ customer: "cus_none" }),
    );
    assertEquals([refused.code, refused.param], [
      "resource_missing",
      "customer",
    ]);
  }));
