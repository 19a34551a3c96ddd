import { assert, assertEquals } from "@std/assert";
import { control } from "./control.ts";
import { movements, paidInvoice } from "./money.ts";
import { openOver, payer, withSimulator } from "./support.ts";

/** Gives an order that is answered with an object. */
const order = control<Record<string, unknown>>;

Deno.test("POST /_simulator/disputes opens a dispute, POST …/:id decides it", () =>
  withSimulator(async ({ sim, stripe }) => {
    await order(sim, "PUT", "fees", { disputeCents: 1_500 });
    const { charge } = await paidInvoice(stripe, 900);
    const { body } = await order(sim, "POST", "disputes", {
      charge,
      amount: 400,
      reason: "duplicate",
    });
    assertEquals([body["status"], body["amount"]], ["needs_response", 400]);
    const path = `disputes/${body["id"]}`;
    const won = await order(sim, "POST", path, { turn: "won" });
    assertEquals(won.body["status"], "won");
    const again = await order(sim, "POST", path, { turn: "lost" });
    assertEquals(again.status, 400);
    assertEquals(await movements(stripe), [
      ["charge", 900, 0],
      ["dispute", -400, 1_500],
      ["dispute_reversal", 400, 0],
    ]);
  }));

Deno.test("POST /_simulator/checkout_sessions/:id saves a card, DELETE lets time run out", () =>
  withSimulator(async ({ sim, stripe }) => {
    const open = () =>
      stripe.checkout.sessions.create({
        mode: "setup",
        currency: "eur",
        success_url: "https://shop.example/",
      });
    const first = `checkout_sessions/${(await open()).id}`;
    const card = { card: "authenticationRequired" };
    const asked = await order(sim, "POST", first, card);
    assertEquals(asked.body["status"], "requires_action");
    const intent = `setup_intents/${asked.body["id"]}`;
    const done = await order(sim, "POST", intent, { how: "succeed" });
    assertEquals(done.body["status"], "succeeded");
    const second = `checkout_sessions/${(await open()).id}`;
    const gone = await order(sim, "DELETE", second);
    assertEquals(gone.body["status"], "expired");
    const late = await order(sim, "POST", second, { card: "visa" });
    assertEquals(late.status, 400);
    const none = await order(sim, "POST", "checkout_sessions/cs_none", card);
    assertEquals(none.status, 400);
  }));

Deno.test("POST /_simulator/verification_sessions/:id decides a check", () =>
  withSimulator(async ({ sim, stripe }) => {
    const { id } = await stripe.identity.verificationSessions.create({
      type: "document",
    });
    const path = `verification_sessions/${id}`;
    for (
      const [outcome, status] of [
        ["processing", "processing"],
        ["selfie_manipulated", "requires_input"],
        ["verified", "verified"],
      ]
    ) {
      const { body } = await order(sim, "POST", path, { outcome });
      assertEquals(body["status"], status);
    }
    const odd = await order(sim, "POST", path, { outcome: "tall_enough" });
    assertEquals(odd.status, 400);
  }));

Deno.test("POST /_simulator/invoices/:id voids what is paid later", () =>
  withSimulator(async ({ sim, stripe }) => {
    const { customer } = await payer(stripe);
    const { id } = await openOver(stripe, customer, 500);
    const path = `invoices/${id}`;
    const voided = await order(sim, "POST", path, { how: "void_anyway" });
    assertEquals(voided.body["status"], "void");
    const paid = await order(sim, "POST", path, { how: "pay_late" });
    assertEquals(paid.body["status"], "succeeded");
    const twice = await order(sim, "POST", path, { how: "pay_late" });
    assertEquals(twice.status, 400);
  }));

Deno.test("what was lost on its way is listed and sent over HTTP", () =>
  withSimulator(async ({ sim, stripe }) => {
    await order(sim, "PUT", "webhooks", {
      url: "http://127.0.0.1:1/",
      secret: "whsec_new",
      oldSecret: "whsec_old",
      concurrency: 4,
    });
    await order(sim, "POST", "webhooks/faults", { lose: 1 });
    await stripe.customers.create();
    const lost = await order(sim, "GET", "webhooks/lost");
    assert(Array.isArray(lost.body) && lost.body.length === 1);
    const sent = await order(sim, "POST", "webhooks/lost");
    assertEquals(sent.body, { sent: 1 });
    assertEquals((await order(sim, "GET", "webhooks/lost")).body, [] as never);
  }));
