import { assert, assertEquals, assertMatch } from "@std/assert";
import type { GrantedToken } from "../../../simulators/stripe/mod.ts";
import {
  type Bench,
  grantToken,
  payer,
  PREVIEW,
  raw,
  refusal,
  revokeToken,
  seeToken,
  withSimulator,
} from "./support.ts";

const HELPERS = "/v1/test_helpers/shared_payment/granted_tokens";
const GRANT = "payment_method=pm_card_visa&usage_limits[currency]=eur" +
  "&usage_limits[max_amount]=100";
const PREVIEW_HEADER = { "stripe-version": PREVIEW.apiVersion };

/** The error of a grant that is refused. */
async function refusedGrant(
  { sim }: Pick<Bench, "sim">,
  body: string,
): Promise<{ status: number; error: Record<string, string> }> {
  const response = await raw(sim, "POST", HELPERS, body, PREVIEW_HEADER);
  const { error } = await response.json();
  return { status: response.status, error };
}

Deno.test("A token is granted over a test card with limits and shows no more of the card than its face", () =>
  withSimulator(async ({ sim, clock }) => {
    const expiresAt = clock.nowMs / 1_000 + 3_600;
    const response = await raw(
      sim,
      "POST",
      HELPERS,
      "payment_method=pm_card_de&usage_limits[currency]=eur" +
        `&usage_limits[max_amount]=250&usage_limits[expires_at]=${expiresAt}` +
        "&shared_metadata[cart]=c1" +
        "&seller_details[network_business_profile]=profile_test_spotlight",
      PREVIEW_HEADER,
    );
    assertEquals(response.status, 200);
    const { id, payment_method_details, ...token }: GrantedToken =
      await response.json();
    assertMatch(id, /^spt_\w{24}$/);
    assertEquals(token, {
      object: "shared_payment.granted_token",
      agent_details: null,
      created: clock.nowMs / 1_000,
      deactivated_at: null,
      deactivated_reason: null,
      livemode: false,
      risk_details: null,
      shared_metadata: { cart: "c1" },
      usage_details: { amount_captured: null },
      usage_limits: { currency: "eur", expires_at: expiresAt, max_amount: 250 },
    });
    const { type, card } = payment_method_details;
    assertEquals(
      [type, card.brand, card.last4, card.country, card.funding],
      ["card", "visa", "0016", "DE", "credit"],
    );
    assertEquals([card.exp_month, card.exp_year], [12, 2029]);
    assertEquals("three_d_secure_usage" in card, false);
  }));

Deno.test("GET /v1/shared_payment/granted_tokens/{id} answers the token as it was granted", () =>
  withSimulator(async ({ stripe }) => {
    const token = await grantToken(stripe);
    assertEquals({ ...await seeToken(stripe, token.id) }, { ...token });
  }));

Deno.test("GET /v1/shared_payment/granted_tokens/{id} answers 404 for a token that nobody granted", () =>
  withSimulator(async ({ stripe }) => {
    const error = await refusal(seeToken(stripe, "spt_unknown"));
    assertEquals([error.statusCode, error.code], [404, "resource_missing"]);
    assertEquals(
      error.message,
      "No such shared_payment.granted_token: 'spt_unknown'",
    );
  }));

Deno.test("A customer's card is shared when the customer is named, and stays the customer's", () =>
  withSimulator(async ({ stripe }) => {
    const { customer, card } = await payer(stripe);
    const unnamed = await refusal(grantToken(stripe, { card }));
    assertEquals([unnamed.statusCode, unnamed.param], [400, "customer"]);
    const other = await payer(stripe);
    const wrong = await refusal(
      grantToken(stripe, { card, customer: other.customer }),
    );
    assertEquals([wrong.statusCode, wrong.param], [400, "customer"]);

    const { id } = await grantToken(stripe, { card, customer });
    assertMatch(id, /^spt_/);
    const method = await stripe.paymentMethods.retrieve(card);
    assertEquals(method.customer, customer);
  }));

Deno.test("A card that was used up can not be shared", () =>
  withSimulator(async ({ stripe }) => {
    const { card } = await payer(stripe);
    await stripe.paymentMethods.detach(card);
    const error = await refusal(grantToken(stripe, { card }));
    assertEquals(error.code, "payment_method_unexpected_state");
  }));

for (
  const [what, body, code, param] of [
    [
      "no card",
      GRANT.replace("payment_method=pm_card_visa&", ""),
      "parameter_missing",
      "payment_method",
    ],
    [
      "an unknown card",
      GRANT.replace("pm_card_visa", "pm_1"),
      "resource_missing",
      "payment_method",
    ],
    [
      "an unknown customer",
      `${GRANT}&customer=cus_1`,
      "resource_missing",
      "customer",
    ],
    [
      "no limits",
      "payment_method=pm_card_visa",
      "parameter_missing",
      "usage_limits",
    ],
    [
      "no currency",
      GRANT.replace("&usage_limits[currency]=eur", ""),
      "parameter_missing",
      "usage_limits[currency]",
    ],
    [
      "an amount of nothing",
      GRANT.replace("=100", "=0"),
      "parameter_invalid_integer",
      "usage_limits[max_amount]",
    ],
    [
      "a currency that is none",
      GRANT.replace("=eur", "=spotlight"),
      undefined,
      "usage_limits[currency]",
    ],
    [
      "a moment that has passed",
      `${GRANT}&usage_limits[expires_at]=${Date.UTC(2026, 10, 20, 12) / 1_000}`,
      undefined,
      "usage_limits[expires_at]",
    ],
    [
      "a parameter that is none",
      `${GRANT}&usage_limits[min_amount]=1`,
      "parameter_unknown",
      "usage_limits[min_amount]",
    ],
  ] as const
) {
  Deno.test(`A grant with ${what} is refused by name`, () =>
    withSimulator(async ({ sim }) => {
      const { status, error } = await refusedGrant({ sim }, body);
      assertEquals(status, 400);
      assertEquals(error.type, "invalid_request_error");
      assertEquals([error.code, error.param], [code, param]);
      assertEquals(sim.control.objects("granted_token"), []);
    }));
}

Deno.test("A revoked token is deactivated from then on, and can not be revoked again", () =>
  withSimulator(async ({ stripe, clock }) => {
    const { id } = await grantToken(stripe);
    clock.advance(5_000);
    const revoked = await revokeToken(stripe, id);
    assertEquals(
      [revoked.deactivated_reason, revoked.deactivated_at],
      ["revoked", clock.nowMs / 1_000],
    );
    assertEquals({ ...await seeToken(stripe, id) }, { ...revoked });
    const error = await refusal(revokeToken(stripe, id));
    assertEquals(error.statusCode, 400);
    assertEquals(
      (await refusal(revokeToken(stripe, "spt_unknown"))).statusCode,
      404,
    );
  }));

Deno.test("A token expires when the clock reaches its end, at that moment", () =>
  withSimulator(async ({ stripe, sim, clock }) => {
    const expiresAt = clock.nowMs / 1_000 + 60;
    const { id } = await grantToken(stripe, { expiresAt });
    clock.advance(59_999);
    assertEquals((await seeToken(stripe, id)).deactivated_at, null);
    clock.advance(1);
    const expired = await seeToken(stripe, id);
    assertEquals(
      [expired.deactivated_reason, expired.deactivated_at],
      ["expired", expiresAt],
    );
    clock.advance(60_000);
    assertEquals((await seeToken(stripe, id)).deactivated_at, expiresAt);
    const types = sim.control.objects("event").map(({ type }) => type);
    assertEquals(types, ["shared_payment.granted_token.deactivated"]);
  }));

for (
  const [method, path, body] of [
    ["POST", HELPERS, GRANT],
    ["POST", `${HELPERS}/spt_1/revoke`, ""],
    ["GET", "/v1/shared_payment/granted_tokens/spt_1", undefined],
  ] as const
) {
  Deno.test(`${method} ${path} is no address of a released version of the API`, () =>
    withSimulator(async ({ sim }) => {
      for (const version of [undefined, "2026-10-28.endive", "preview"]) {
        const headers = version === undefined
          ? {}
          : { "stripe-version": version };
        const response = await raw(sim, method, path, body, headers);
        assertEquals(response.status, 404);
        const { error } = await response.json();
        assertEquals(error.type, "invalid_request_error");
        assert(error.message.startsWith("Unrecognized request URL"));
      }
      assertEquals(sim.control.objects("granted_token"), []);
    }));
}

Deno.test("An answer names the version that was asked for", () =>
  withSimulator(async ({ sim }) => {
    const response = await raw(sim, "POST", HELPERS, GRANT, PREVIEW_HEADER);
    await response.body?.cancel();
    assertEquals(response.headers.get("stripe-version"), PREVIEW.apiVersion);
  }));
