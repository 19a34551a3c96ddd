import { assert, assertEquals, assertThrows } from "@std/assert";
import type Stripe from "stripe";
import { submit, visit } from "./browser.ts";
import { eventsOf } from "./money.ts";
import { type Bench, isReplay, refusal, withSimulator } from "./support.ts";

const DAY_MS = 24 * 60 * 60 * 1_000;
const SUCCESS = "https://shop.example/done?session={CHECKOUT_SESSION_ID}&a=1";
const CANCEL = "https://shop.example/cards?a=1&b=2";

async function open(
  { stripe }: Pick<Bench, "stripe">,
  more: Partial<Stripe.Checkout.SessionCreateParams> = {},
): Promise<Stripe.Checkout.Session & { url: string; setup_intent: string }> {
  const { id: customer } = await stripe.customers.create({ name: "Acme" });
  const session = await stripe.checkout.sessions.create({
    mode: "setup",
    allowed_payment_method_types: ["card"],
    customer,
    client_reference_id: "acc_1",
    setup_intent_data: { metadata: { account_id: "acc_1" } },
    success_url: SUCCESS,
    cancel_url: CANCEL,
    ...more,
  });
  const { url, setup_intent } = session;
  assert(url !== null && typeof setup_intent === "string");
  return Object.assign(session, { url, setup_intent });
}

Deno.test("a session opens a page and an intent with the metadata given", () =>
  withSimulator(async ({ stripe, clock, sim }) => {
    const session = await open({ stripe });
    assertEquals([session.status, session.mode, session.payment_status], [
      "open",
      "setup",
      "no_payment_required",
    ]);
    assert(/^cs_test_\w+$/.test(session.id));
    assert(session.url.startsWith(`${sim.url}/hosted/`));
    const seconds = Math.floor((clock.nowMs + DAY_MS) / 1_000);
    assertEquals(session.expires_at, seconds);
    const intent = await stripe.setupIntents.retrieve(session.setup_intent);
    assertEquals([intent.status, intent.metadata, intent.customer], [
      "requires_payment_method",
      { account_id: "acc_1" },
      session.customer,
    ]);
  }));

Deno.test("the page saves a chosen card and sends the payer back with the session's id", () =>
  withSimulator(async ({ stripe }) => {
    const session = await open({ stripe });
    const shown = await visit(session.url);
    assertEquals([shown.status, shown.title], [200, "Save a card"]);
    assertEquals(
      shown.links["Cancel and return"],
      CANCEL.replace("&", "&amp;"),
    );
    assertEquals(shown.headers.get("cache-control"), "no-store");
    const done = await submit(session.url, { card: "mastercard", number: "" });
    const back = SUCCESS.replace("{CHECKOUT_SESSION_ID}", session.id);
    assertEquals([done.status, done.location], [303, back]);
    const after = await stripe.checkout.sessions.retrieve(session.id, {
      expand: ["setup_intent.payment_method"],
    });
    assertEquals([after.status, after.url], ["complete", null]);
    const intent = after.setup_intent as Stripe.SetupIntent;
    const card = intent.payment_method as Stripe.PaymentMethod;
    assertEquals([intent.status, card.card?.brand, card.customer], [
      "succeeded",
      "mastercard",
      session.customer,
    ]);
    assertEquals(
      await eventsOf(stripe, "setup_intent", "checkout", "payment_method"),
      [
        "setup_intent.created",
        "payment_method.attached",
        "setup_intent.succeeded",
        "checkout.session.completed",
      ],
    );
    const again = await submit(session.url, { card: "visa" });
    assertEquals(again.location, back);
    assertEquals((await visit(session.url)).location, back);
    const owner = String(session.customer);
    const { data } = await stripe.paymentMethods.list({ customer: owner });
    assertEquals(data.length, 1);
  }));

/** What people type, and what the page makes of it. */
const TYPED: [number: string, alert: string | null][] = [
  ["4242 4242 4242 4242", null],
  ["4000-0000-0000-0341", null],
  ["4000000000000002", "Your card was declined."],
  ["4000 0000 0000 9995", "Your card has insufficient funds."],
  ["4000000000000069", "Your card has expired."],
  ["4242424242424241", "Your card number is incorrect."],
  ["card", "Your card number is incorrect."],
  [
    "4111111111111111",
    "Your card was declined. Your request was in test mode, but used a non " +
    "test card.",
  ],
];

for (const [number, alert] of TYPED) {
  Deno.test(`the page ${alert === null ? "saves" : "refuses"} the number ${number}`, () =>
    withSimulator(async ({ stripe }) => {
      const session = await open({ stripe });
      const answer = await submit(session.url, { card: "visa", number });
      assertEquals(answer.alert, alert);
      assertEquals(answer.status, alert === null ? 303 : 402);
      const after = await stripe.checkout.sessions.retrieve(session.id);
      assertEquals(after.status, alert === null ? "complete" : "open");
    }));
}

Deno.test("a card declined at set-up can be followed by one that works", () =>
  withSimulator(async ({ stripe }) => {
    const { url, setup_intent } = await open({ stripe });
    const refused = await submit(url, { card: "chargeDeclined" });
    assertEquals(refused.title, "Save a card");
    const intent = await stripe.setupIntents.retrieve(setup_intent);
    assertEquals(intent.last_setup_error?.code, "card_declined");
    assertEquals((await submit(url, { card: "visa" })).status, 303);
    assertEquals((await eventsOf(stripe, "setup_intent")).slice(1), [
      "setup_intent.setup_failed",
      "setup_intent.succeeded",
    ]);
  }));

Deno.test("a bank that asks is answered on the page", () =>
  withSimulator(async ({ stripe }) => {
    const { url, id } = await open({ stripe });
    const card = "authenticationRequiredOnSetup";
    const asked = await submit(url, { card });
    assertEquals([asked.status, asked.title], [200, "Confirm with your bank"]);
    assertEquals((await visit(url)).title, "Confirm with your bank");
    const failed = await submit(url, { authenticate: "fail" });
    assertEquals(failed.title, "Save a card");
    assert(failed.alert?.includes("failed authentication"));
    await submit(url, { card });
    const done = await submit(url, { authenticate: "succeed" });
    assertEquals(done.status, 303);
    const { status } = await stripe.checkout.sessions.retrieve(id);
    assertEquals(status, "complete");
  }));

Deno.test("an answer to a bank that did not ask saves nothing", () =>
  withSimulator(async ({ stripe }) => {
    const { url, id } = await open({ stripe });
    const odd = await submit(url, { authenticate: "succeed" });
    assertEquals(odd.alert, "Choose a test card or type a card number.");
    const { status } = await stripe.checkout.sessions.retrieve(id);
    assertEquals(status, "open");
  }));

Deno.test("a session ends after a day, by its page or by reading", () =>
  withSimulator(async ({ stripe, clock }) => {
    const sessions = [await open({ stripe }), await open({ stripe })];
    clock.advance(DAY_MS);
    const [first, second] = sessions;
    const page = await visit(String(first?.url));
    assertEquals([page.status, page.title], [410, "This page has expired"]);
    assertEquals(page.links["Return to the seller"] !== undefined, true);
    const late = await submit(String(first?.url), { card: "visa" });
    assertEquals(late.status, 410);
    const read = await stripe.checkout.sessions.retrieve(String(second?.id));
    assertEquals([read.status, read.url], ["expired", null]);
    const { status } = await stripe.setupIntents.retrieve(
      String(second?.setup_intent),
    );
    assertEquals(status, "canceled");
    const types = await eventsOf(stripe, "checkout.session");
    assertEquals(types, [
      "checkout.session.expired",
      "checkout.session.expired",
    ]);
  }));

Deno.test("a session is expired on demand once", () =>
  withSimulator(async ({ stripe }) => {
    const { id, url } = await open({ stripe });
    assertEquals((await stripe.checkout.sessions.expire(id)).status, "expired");
    const twice = await refusal(stripe.checkout.sessions.expire(id));
    assertEquals(twice.statusCode, 400);
    assertEquals((await submit(url, { card: "visa" })).status, 410);
  }));

Deno.test("POST /v1/checkout/sessions refuses what would not work at Stripe", () =>
  withSimulator(async ({ stripe, clock }) => {
    const refused = async (more: Record<string, unknown>) => {
      const { code, param } = await refusal(open({ stripe }, more as never));
      return [code, param];
    };
    const soon = Math.floor(clock.nowMs / 1_000) + 60;
    assertEquals(await refused({ mode: "payment" }), [undefined, "mode"]);
    assertEquals(await refused({ payment_method_types: ["card"] }), [
      "parameter_unknown",
      "payment_method_types",
    ]);
    assertEquals(await refused({ allowed_payment_method_types: undefined }), [
      "parameter_missing",
      "currency",
    ]);
    assertEquals(await refused({ success_url: "/done" }), [
      "url_invalid",
      "success_url",
    ]);
    assertEquals(await refused({ expires_at: soon }), [
      undefined,
      "expires_at",
    ]);
    assertEquals(await refused({ customer: "cus_none" }), [
      "resource_missing",
      "customer",
    ]);
  }));

Deno.test("a repeated request opens no second page", () =>
  withSimulator(async ({ sim, stripe }) => {
    const params: Stripe.Checkout.SessionCreateParams = {
      mode: "setup",
      currency: "eur",
      success_url: SUCCESS,
    };
    const options = { idempotencyKey: "card:1" };
    const first = await stripe.checkout.sessions.create(params, options);
    const second = await stripe.checkout.sessions.create(params, options);
    assertEquals([second.url, isReplay(second)], [first.url, true]);
    assertEquals(sim.control.objects("checkout_session").length, 1);
  }));

Deno.test("an unknown page is not found and no page takes another method", () =>
  withSimulator(async ({ sim, stripe }) => {
    const { url } = await open({ stripe });
    assertEquals((await visit(`${sim.url}/hosted/none`)).status, 404);
    const put = await fetch(url, { method: "PUT", body: "" });
    await put.body?.cancel();
    assertEquals([put.status, put.headers.get("allow")], [405, "GET, POST"]);
  }));

Deno.test("sessions, their pages and cards survive a restart on another port", async () => {
  const folder = await Deno.makeTempDir();
  try {
    await withSimulator(async (bench) => {
      const { id, url } = await open(bench);
      await bench.restart();
      const now = await bench.stripe.checkout.sessions.retrieve(id);
      assertEquals(new URL(String(now.url)).origin, bench.sim.url);
      assertEquals(new URL(String(now.url)).pathname, new URL(url).pathname);
      const done = await submit(String(now.url), { card: "visa" });
      assertEquals(done.status, 303);
    }, { booksPath: `${folder}/books.jsonl` });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("a fault strikes the page as it strikes the API", () =>
  withSimulator(async ({ sim, stripe }) => {
    const { url, id } = await open({ stripe });
    sim.control.addFault({
      kind: "decline",
      path: "/hosted/*",
      decline_code: "insufficient_funds",
    });
    const refused = await submit(url, { card: "visa" });
    assertEquals(refused.alert, "Your card has insufficient funds.");
    sim.control.addFault({ kind: "processing", path: "/hosted/*" });
    assertEquals((await submit(url, { card: "visa" })).status, 303);
    const session = await stripe.checkout.sessions.retrieve(id, {
      expand: ["setup_intent"],
    });
    const intent = session.setup_intent as Stripe.SetupIntent;
    assertEquals([session.status, intent.status], ["complete", "processing"]);
    sim.control.people.resolveSetup(intent.id, "succeed");
    const { status } = await stripe.setupIntents.retrieve(intent.id);
    assertEquals(status, "succeeded");
  }));

Deno.test("the control saves a card as a person would", () =>
  withSimulator(async ({ sim, stripe }) => {
    const { id } = await open({ stripe });
    const refused = sim.control.people.saveCard(id, "chargeDeclined");
    assertEquals(refused.last_setup_error?.code, "card_declined");
    assertEquals(sim.control.people.saveCard(id).status, "succeeded");
    assertThrows(() => sim.control.people.saveCard(id), RangeError);
    const other = await open({ stripe });
    sim.control.people.expireCheckout(other.id);
    assertThrows(() => sim.control.people.expireCheckout(other.id), RangeError);
    assertThrows(
      () => sim.control.people.saveCard(other.id, "none"),
      RangeError,
    );
  }));
