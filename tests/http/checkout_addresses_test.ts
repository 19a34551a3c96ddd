import { assert, assertEquals } from "@std/assert";
import { startSimulator } from "../../simulators/stripe/mod.ts";
import { createStripeClient } from "../../adapters/stripe/stripe_client.ts";
import { grantToken } from "../simulators/stripe/support.ts";
import { assertAcp, newAjv } from "../support/acp_schema.ts";
import { cartOf, paymentOf } from "../support/checkout_calls.ts";
import { newBuyer } from "../support/checkout_world.ts";
import { settle, spotlight } from "../support/public_spotlights.ts";
import { type RunningService, runService } from "../support/running_service.ts";

const SECRET_KEY = "sk_test_addresses";
const DAY = "2026-11-19";

/** A whole service with a simulator and an agent of ada's. */
async function open() {
  const simulator = await startSimulator({
    hostname: "127.0.0.1",
    port: 0,
    booksPath: null,
    secretKey: SECRET_KEY,
    webhook: null,
    now: () => Date.now(),
    random: Math.random,
  });
  const running = await runService({
    env: {
      STRIPE_API_BASE: simulator.url,
      STRIPE_SECRET_KEY: SECRET_KEY,
      STRIPE_PROFILE_ID: "profile_test_addresses",
    },
  });
  const { services } = running.service.core;
  await settle(services.store, spotlight(DAY));
  const { accessToken } = await newBuyer(services, "ada");
  return {
    running,
    accessToken,
    stripe: createStripeClient({
      secretKey: SECRET_KEY,
      apiBase: simulator.url,
    }),
    async [Symbol.asyncDispose]() {
      await running[Symbol.asyncDispose]();
      await simulator.stop();
    },
  };
}

/** Every address of the service in a text. */
function addressesIn(text: string, baseUrl: string): string[] {
  const found = text.match(/https?:\/\/[^\s"'<>\\)]+/g) ?? [];
  return found.map((address) => address.replace(/[.,:]$/, ""))
    .filter((address) => address.startsWith(baseUrl));
}

Deno.test("every address that a body of the checkout names exists", async () => {
  await using world = await open();
  const { baseUrl } = world.running.config.settings;
  const headers = {
    authorization: `Bearer ${world.accessToken}`,
    "api-version": "2026-04-17",
    "content-type": "application/json",
    "idempotency-key": "k",
  };
  const post = async (path: string, body: unknown) => {
    const sent = { method: "POST", headers, body: JSON.stringify(body) };
    const answer = await fetch(`${baseUrl}${path}`, sent);
    return { answer, body: await answer.json() };
  };
  const made = await post("/checkout_sessions", cartOf(DAY));
  assertEquals(made.answer.status, 201);
  const { id } = await grantToken(world.stripe);
  const at = `/checkout_sessions/${made.body.id}`;
  const paid = await post(`${at}/complete`, paymentOf(id));
  assertEquals([paid.answer.status, paid.body.status], [200, "completed"]);
  const discovery = await (await fetch(`${baseUrl}/.well-known/acp.json`))
    .text();
  const texts = [
    JSON.stringify(made.body),
    JSON.stringify(paid.body),
    discovery,
    made.answer.headers.get("location") ?? "",
  ];
  const named = texts.flatMap((text) => addressesIn(text, baseUrl));
  const addresses = new Set([...named, `${baseUrl}/checkout_sessions`]);
  addresses.delete(baseUrl);
  addresses.delete(`${baseUrl}/checkout_sessions`);
  assert(addresses.size >= 8, [...addresses].join(" "));
  for (const address of addresses) {
    const answer = await fetch(address, { headers });
    const text = await answer.text();
    assertEquals(answer.status, 200, address);
    if (!address.includes("/acp/")) continue;
    for (const further of addressesIn(text, baseUrl)) {
      const next = await fetch(further, { headers });
      await next.body?.cancel();
      assertEquals(next.status, 200, `${further}, named by ${address}`);
    }
  }
});

Deno.test("/.well-known/acp.json is public, kept for an hour and names nobody who is paid", async () => {
  await using world = await open();
  const { baseUrl } = world.running.config.settings;
  const answer = await fetch(`${baseUrl}/.well-known/acp.json`);
  assertEquals(answer.status, 200);
  assertEquals(answer.headers.get("content-type"), "application/json");
  assertEquals(answer.headers.get("cache-control"), "public, max-age=3600");
  const text = await answer.text();
  const document = JSON.parse(text);
  assertAcp("DiscoveryResponse", document);
  assertEquals(document, {
    protocol: {
      name: "acp",
      version: "2026-04-17",
      supported_versions: ["2026-04-17"],
      documentation_url: `${baseUrl}/developers.md`,
    },
    api_base_url: baseUrl,
    transports: ["rest"],
    capabilities: {
      services: ["checkout"],
      extensions: [{
        name: "narrowed_requests",
        spec: `${baseUrl}/developers.md#what-the-checkout-does-not-take`,
        schema: `${baseUrl}/schemas/acp/requests.json`,
      }],
      supported_currencies: ["eur"],
    },
  });
  assertEquals(/profile_|handler/.test(text), false);
});

Deno.test("what a session's payment handler says is what its published schemas want", async () => {
  await using world = await open();
  const { baseUrl } = world.running.config.settings;
  const handler = await handlerOf(world.running, world.accessToken);
  assertEquals(handler.config.merchant_id, "profile_test_addresses");
  const validates = async (address: string, value: unknown) => {
    const answer = await fetch(address);
    assertEquals(answer.headers.get("content-type"), "application/schema+json");
    const schema = await answer.json();
    assertEquals(schema.$id, address);
    return newAjv().compile(schema)(value);
  };
  assertEquals(await validates(handler.config_schema, handler.config), true);
  assertEquals(await validates(handler.config_schema, {}), false);
  const [instruments] = handler.instrument_schemas;
  const instrument = (token: string) => ({
    type: "card",
    credential: { type: "spt", token },
  });
  assertEquals(await validates(instruments, instrument("spt_1")), true);
  assertEquals(await validates(instruments, instrument("tok_visa")), false);
  const page = await fetch(`${baseUrl}/docs/acp/card_spt`);
  assertEquals(page.headers.get("content-type"), "text/html; charset=utf-8");
  assert((await page.text()).includes("Payment handler card_spt"));
});

async function handlerOf({ config }: RunningService, accessToken: string) {
  const { baseUrl } = config.settings;
  const answer = await fetch(`${baseUrl}/checkout_sessions`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${accessToken}`,
      "api-version": "2026-04-17",
      "content-type": "application/json",
      "idempotency-key": "k",
    },
    body: JSON.stringify(cartOf(DAY)),
  });
  const session = await answer.json();
  return session.capabilities.payment.handlers[0];
}
