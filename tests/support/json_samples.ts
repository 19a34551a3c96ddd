/**
 * A body for every operation that takes JSON, as the published document or the
 * code describes it.
 *
 * @module
 */
import type { AskedEverywhere } from "./asked_everywhere.ts";
import type { Operation } from "./every_route.ts";
import { sampleOf } from "./hostile_texts.ts";

const REJECTION = {
  policy_id: "misleading",
  message: "It says what is not so",
  remedy: "Say what is so",
};
/** Of all that operators decide about an account. */
const DECISION = { reason: "Asked for by mail", about: "rename_1" };

/** Bodies of JSON that is described nowhere but in the code. */
const SAMPLES: Readonly<Record<string, unknown>> = {
  "POST /operator/v1/creatives/:id/approve": { advertiser: "Bakery" },
  "POST /operator/v1/creatives/:id/reject": REJECTION,
  "POST /operator/v1/creatives/:id/withdraw_approval": REJECTION,
  "POST /operator/v1/demo/seed": { days: 1, seed: 1 },
  "POST /operator/v1/demo/tokens": {
    account: "ada@example.com",
    scope: "account:read",
    mandate: null,
  },
  "POST /operator/v1/house_ads": {
    headline: "Read about bread",
    description: "A page of ours about the bakers of this town",
  },
  "POST /operator/v1/hold/release": { acknowledge: ["day 2026-11-19"] },
  "POST /operator/v1/spotlights/:day/refund": { note: "Asked for by mail" },
  "POST /operator/v1/spotlights/:day/remove": { reason: "It broke the law" },
  "POST /webhooks/stripe": { id: "evt_1", type: "x", data: { object: {} } },
  "POST /oauth/register": {
    client_name: "An agent",
    redirect_uris: ["http://127.0.0.1/callback"],
    grant_types: ["authorization_code"],
    scope: "account:read",
    application_type: "native",
  },
  "POST /passkeys/options": {},
  "POST /passkeys/sign-in/options": {},
  "POST /passkeys": {
    response: {
      id: "abcd",
      rawId: "abcd",
      type: "public-key",
      clientExtensionResults: {},
      response: {
        clientDataJSON: btoa('{"challenge":"abcd"}').replaceAll("=", ""),
        attestationObject: "abcd",
        transports: ["internal"],
      },
    },
  },
  "POST /passkeys/sign-in": {
    next: "/account",
    response: {
      id: "abcd",
      rawId: "abcd",
      type: "public-key",
      clientExtensionResults: {},
      response: {
        clientDataJSON: btoa('{"challenge":"abcd"}').replaceAll("=", ""),
        authenticatorData: "abcd",
        signature: "abcd",
        userHandle: "abcd",
      },
    },
  },
};

/** The samples of the operations whose bodies are published. */
export async function publishedSamples(
  { running }: AskedEverywhere,
): Promise<Map<string, unknown>> {
  const { baseUrl } = running.config.settings;
  const document = await (await fetch(`${baseUrl}/openapi.json`)).json();
  const samples = new Map<string, unknown>();
  for (const [path, methods] of Object.entries<Any>(document.paths)) {
    for (const [method, { requestBody }] of Object.entries<Any>(methods)) {
      const schema = requestBody?.content["application/json"]?.schema;
      if (schema === undefined) continue;
      const sample = sampleOf(schema, document.components.schemas);
      samples.set(shapeOf(`${method.toUpperCase()} ${path}`), sample);
    }
  }
  return samples;
}

// deno-lint-ignore no-explicit-any -- documents of somebody's own shape
type Any = any;

/** A name with its parameters called alike. */
function shapeOf(name: string): string {
  return name.replace(/:\w+|\{\w+\}/g, ":");
}

/** A body of an operation's own; undefined where none is known. */
export function sampleFor(
  { name, path }: Operation,
  published: ReadonlyMap<string, unknown>,
): unknown {
  return path.startsWith("/operator/v1/accounts/")
    ? DECISION
    : SAMPLES[name] ?? published.get(shapeOf(name));
}
