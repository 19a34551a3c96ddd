import { assert, assertEquals } from "@std/assert";
import {
  openapiDocument,
  OPERATIONS,
} from "../../../routes/discovery/openapi/document.ts";
import { agentSurface } from "../../../routes/auth/agent/agent_routes.ts";
import type { RouteServices } from "../../../routes/context.ts";
import type { Surface } from "../../../routes/route_table.ts";
import { askSurface } from "../../../routes/site/ask/ask_surface.ts";
import { checkoutSurface } from "../../../routes/site/checkout/checkout_surface.ts";
import { metricsRoutes } from "../../../routes/site/api/metrics.ts";
import { publicApi } from "../../../routes/site/api/public_api.ts";
import { exactSchemas } from "../../../routes/shapes/schemas.ts";
import { rehearsalSurface } from "../../../routes/site/api/rehearsals.ts";
import { newAjv } from "../../support/acp_schema.ts";
import { openAskSite } from "../../support/ask_site.ts";
import { removed, spotlight } from "../../support/public_spotlights.ts";
import { openSite, TEST_SETTINGS } from "../../support/site_app.ts";

// deno-lint-ignore no-explicit-any -- a document of any depth is walked
const DOCUMENT: any = JSON.parse(
  JSON.stringify(openapiDocument(TEST_SETTINGS)),
);

/** The surfaces as they are mounted; nothing is asked of them here. */
function surfaces(): Surface[] {
  const parts = {
    services: { settings: TEST_SETTINGS },
    limiter: {},
    trustedProxyHops: 0,
  } as unknown as RouteServices;
  const records = {} as Parameters<typeof publicApi>[0]["records"];
  const retrieval = {} as Parameters<typeof askSurface>[0]["retrieval"];
  const merchant = { profileId: "profile", environment: "test" } as const;
  const operations = metricsRoutes({ ...parts, records, profileId: "profile" });
  return [
    publicApi({ ...parts, records, operations }),
    rehearsalSurface(parts),
    askSurface({ ...parts, settings: TEST_SETTINGS, retrieval }),
    checkoutSurface({ ...parts, merchant }),
    agentSurface(parts),
  ];
}

/** `GET /v1/agent/bids/{}`, whatever the parameter is called. */
function named(method: string, path: string): string {
  const shape = path.replaceAll(/:\w+|\{\w+\}/g, "{}");
  return `${method.toUpperCase()} ${shape}`;
}

Deno.test("openapi.json describes every operation there is, and no other", () => {
  const routed = surfaces().flatMap(({ routes }) =>
    routes.map(({ method, path }) => named(method, path))
  );
  const described = OPERATIONS.map(({ method, path }) => named(method, path));
  assertEquals(described.toSorted(), routed.toSorted());
});

Deno.test("openapi.json is version 1.0.0 of a description in OpenAPI 3.1", () => {
  assertEquals(DOCUMENT.openapi, "3.1.1");
  assertEquals(DOCUMENT.info.version, "1.0.0");
  assertEquals(DOCUMENT.servers, [{ url: TEST_SETTINGS.baseUrl }]);
  assertEquals(
    DOCUMENT.paths["/v1/agent/bids"].servers,
    [{ url: TEST_SETTINGS.authUrl }],
  );
  const ids = OPERATIONS.map(({ id }) => id);
  assertEquals(ids.length, new Set(ids).size);
});

Deno.test("openapi.json names only schemas, parameters and schemes that it has", () => {
  const text = JSON.stringify(DOCUMENT);
  const named = [...text.matchAll(/"#\/components\/schemas\/(\w+)"/g)]
    .map(([, name]) => name ?? "");
  const { schemas, securitySchemes } = DOCUMENT.components;
  for (const name of named) assert(name in schemas, name);
  assertEquals(new Set(named).size, Object.keys(schemas).length);
  for (const [path, item] of Object.entries(DOCUMENT.paths)) {
    // deno-lint-ignore no-explicit-any
    const { parameters = [], servers: _, ...operations } = item as any;
    assertEquals(
      // deno-lint-ignore no-explicit-any
      parameters.map(({ name }: any) => `{${name}}`),
      path.match(/\{\w+\}/g) ?? [],
    );
    // deno-lint-ignore no-explicit-any
    for (const { security = [] } of Object.values<any>(operations)) {
      for (const each of security.flatMap(Object.keys)) {
        assert(each in securitySchemes, each);
      }
    }
  }
});

Deno.test("openapi.json says what is answered: every schema fits its answers", async () => {
  const paid = spotlight("2026-11-18");
  const gone = removed(spotlight("2026-11-17"));
  await using site = await openSite([gone, paid]);
  await using asked = await openAskSite([paid]);
  const job = await site.ask("/api/v1/sandbox/jobs", {
    method: "POST",
    headers: { "idempotency-key": "a" },
  });
  const jobPath = new URL(job.headers.get("location") ?? "").pathname;
  const answers: readonly [string, Response][] = [
    ["SandboxJob", job],
    ["SandboxJob", await site.ask(jobPath)],
    ["SandboxSample", await site.ask("/api/v1/sandbox")],
    ["OneSpotlight", await site.ask("/api/v1/spotlight")],
    ["SpotlightPage", await site.ask("/api/v1/spotlights")],
    [
      "SpotlightBatch",
      await site.ask("/api/v1/spotlights/batch?days=2026-11-18,2026-11-17"),
    ],
    ["PublicProblem", await site.ask("/api/v1/spotlights/2026-11-17")],
    ["PaymentProblem", await site.ask("/api/v1/spotlights/2026-11-18/metrics")],
    ["AskAnswer", await asked.ask("/ask?query=a")],
    ["RetrievalFailure", await asked.ask("/ask")],
  ];
  const ajv = newAjv();
  const components = { schemas: exactSchemas() };
  ajv.addSchema({ ...DOCUMENT, components }, "openapi.json");
  for (const [name, answer] of answers) {
    const validate = ajv.getSchema(`openapi.json#/components/schemas/${name}`);
    assert(validate, name);
    const body = await answer.json();
    assert(
      validate(body),
      `${name}: ${JSON.stringify([body, validate.errors])}`,
    );
  }
});
