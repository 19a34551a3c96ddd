import { assert, assertEquals, assertRejects } from "@std/assert";
import type { Simulator } from "../../../simulators/stripe/mod.ts";
import {
  grantToken,
  PREVIEW,
  raw,
  seeToken,
  withSimulator,
} from "./support.ts";

const HELPERS = "/v1/test_helpers/shared_payment/granted_tokens";
const GRANT = "payment_method=pm_card_visa&usage_limits[currency]=eur" +
  "&usage_limits[max_amount]=100";
const DAY_MS = 24 * 60 * 60 * 1_000;

/** A request as one would send it by hand. */
async function send(
  sim: Simulator,
  method: string,
  path: string,
  body?: string,
  key?: string,
): Promise<{ status: number; replayed: boolean; body: Answer }> {
  const response = await raw(sim, method, path, body, {
    "stripe-version": PREVIEW.apiVersion,
    ...(key === undefined ? {} : { "idempotency-key": key }),
  });
  const replayed = response.headers.get("idempotent-replayed") === "true";
  return { status: response.status, replayed, body: await response.json() };
}

/** The members of an answer that tests look at. */
interface Answer {
  id: string;
  status: string;
  deactivated_reason: string | null;
  error: {
    type: string;
    code: string;
    decline_code: string;
    message: string;
    payment_intent: { id: string; status: string };
  };
}

function payWith(token: string): string {
  return "amount=100&currency=eur&confirm=true&automatic_payment_methods" +
    "[enabled]=true&automatic_payment_methods[allow_redirects]=never" +
    `&payment_method_data[shared_payment_granted_token]=${token}`;
}

async function control(
  sim: Simulator,
  path: string,
  body: unknown,
): Promise<void> {
  const response = await fetch(`${sim.url}/_simulator/${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  await response.body?.cancel();
  assertEquals(response.status, 200);
}

Deno.test("By hand: a token is granted, pays, is decided by control and shows as consumed", () =>
  withSimulator(async ({ sim }) => {
    const { body: token } = await send(sim, "POST", HELPERS, GRANT);
    await control(sim, "faults", { kind: "processing" });
    const path = "/v1/payment_intents";
    const { body: intent } = await send(sim, "POST", path, payWith(token.id));
    assertEquals(intent.status, "processing");
    await control(sim, `payment_intents/${intent.id}`, { how: "succeed" });
    const read = await send(sim, "GET", `${path}/${intent.id}`);
    assertEquals(read.body.status, "succeeded");
    const own = `/v1/shared_payment/granted_tokens/${token.id}`;
    const seen = await send(sim, "GET", own);
    assertEquals(seen.body.deactivated_reason, "consumed");
  }));

Deno.test("By hand: a declined payment is a 402 card_error that holds its payment intent", () =>
  withSimulator(async ({ sim }) => {
    const { body: token } = await send(sim, "POST", HELPERS, GRANT);
    await control(sim, "faults", {
      kind: "decline",
      decline_code: "insufficient_funds",
    });
    const path = "/v1/payment_intents";
    const { status, body } = await send(sim, "POST", path, payWith(token.id));
    const { error } = body;
    assertEquals([status, error.type], [402, "card_error"]);
    assertEquals([error.code, error.decline_code], [
      "card_declined",
      "insufficient_funds",
    ]);
    assertEquals(error.payment_intent.status, "requires_payment_method");
  }));

Deno.test("A key of a payment with a token is kept for a day, a refusal of its parameters is not kept", () =>
  withSimulator(async ({ sim, stripe, clock }) => {
    const { id } = await grantToken(stripe, { maxAmount: 200 });
    const path = "/v1/payment_intents";
    const pay = (body: string) => send(sim, "POST", path, body, "k");
    const wrong = await pay(`${payWith(id)}&unknown=1`);
    assertEquals([wrong.status, wrong.body.error.code], [
      400,
      "parameter_unknown",
    ]);
    const first = await pay(payWith(id));
    assertEquals([first.body.status, first.replayed], ["succeeded", false]);
    clock.advance(DAY_MS - 1);
    const again = await pay(payWith(id));
    assertEquals([again.body.id, again.replayed], [first.body.id, true]);
    const other = await pay(payWith(id).replace("=100", "=50"));
    assertEquals([other.status, other.body.error.type], [
      400,
      "idempotency_error",
    ]);
    clock.advance(1);
    const second = await pay(payWith(id));
    assertEquals([second.body.status, second.replayed], ["succeeded", false]);
    assert(second.body.id !== first.body.id);
  }));

Deno.test("A refusal by the token's limits is kept under its key", () =>
  withSimulator(async ({ sim, stripe }) => {
    const { id } = await grantToken(stripe, { maxAmount: 99 });
    const path = "/v1/payment_intents";
    const first = await send(sim, "POST", path, payWith(id), "k");
    const again = await send(sim, "POST", path, payWith(id), "k");
    assertEquals([first.status, first.replayed], [400, false]);
    assertEquals([again.status, again.replayed], [400, true]);
    assertEquals(again.body, first.body);
  }));

Deno.test("Granting and revoking keep their first answers under their keys", () =>
  withSimulator(async ({ sim }) => {
    const grant = () => send(sim, "POST", HELPERS, GRANT, "grant");
    const first = await grant();
    const again = await grant();
    assertEquals([again.body.id, again.replayed], [first.body.id, true]);
    const path = `${HELPERS}/${first.body.id}/revoke`;
    await send(sim, "POST", path, "", "revoke");
    const revoked = await send(sim, "POST", path, "", "revoke");
    assertEquals(
      [revoked.status, revoked.body.deactivated_reason, revoked.replayed],
      [200, "revoked", true],
    );
    assertEquals(sim.control.objects("granted_token").length, 1);
  }));

for (
  const [kind, status] of [
    ["rate_limit", 429],
    ["lock_timeout", 409],
    ["error_before_effect", 500],
    ["error_after_effect", 500],
  ] as const
) {
  Deno.test(`${kind} strikes the calls of tokens with ${status}`, () =>
    withSimulator(async ({ sim, stripe }) => {
      const { id } = await grantToken(stripe);
      for (
        const [method, path, body] of [
          ["POST", HELPERS, GRANT],
          ["GET", `/v1/shared_payment/granted_tokens/${id}`, undefined],
          ["POST", `${HELPERS}/${id}/revoke`, ""],
        ] as const
      ) {
        sim.control.addFault({ kind, path });
        assertEquals((await send(sim, method, path, body)).status, status);
      }
      const isDone = kind === "error_after_effect";
      const { deactivated_reason } = await seeToken(stripe, id);
      assertEquals(deactivated_reason, isDone ? "revoked" : null);
      const count = sim.control.objects("granted_token").length;
      assertEquals(count, isDone ? 2 : 1);
    }));
}

Deno.test("A lost grant is there under its key", () =>
  withSimulator(async ({ sim, stripe }) => {
    sim.control.addFault({ kind: "reset_after_effect" });
    await assertRejects(() => send(sim, "POST", HELPERS, GRANT, "k"));
    const { body, replayed } = await send(sim, "POST", HELPERS, GRANT, "k");
    assertEquals(replayed, true);
    assertEquals((await seeToken(stripe, body.id)).deactivated_at, null);
  }));
