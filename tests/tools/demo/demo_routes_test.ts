import { assertEquals } from "@std/assert";
import { fillStore } from "../../../tools/demo/fill_store.ts";
import { checkBearer } from "../../../domain/oauth/tokens.ts";
import { USUAL } from "./demo_world.ts";
import {
  answerOf,
  assertProblem,
  openOperatorSite,
  type OperatorSite,
} from "../../routes/site/operator/operator_site.ts";

const EMAIL = "mara@nordlicht-raeder.example.com";
const MANDATE = { max_bid_cents: 2_000, daily_cap_cents: 9_000, days: 30 };

async function openFilled(): Promise<OperatorSite> {
  const site = await openOperatorSite();
  await fillStore(site.services, { ...USUAL, days: 3 });
  return site;
}

function post(site: OperatorSite, path: string, body: unknown) {
  return site.operate("POST", `demo/${path}`, { body });
}

for (const environment of ["preview", "production"] as const) {
  Deno.test(`the demo routes are not there in ${environment}`, async () => {
    await using site = await openOperatorSite(environment);
    for (const path of ["tokens", "seed"]) {
      await assertProblem(
        await post(site, path, {}),
        404,
        "NOT_FOUND",
        `Cannot find "/operator/v1/demo/${path}"`,
      );
    }
    assertEquals(await site.world.rows(), []);
  });
}

const STRANGERS: readonly [
  who: string,
  options: { from?: string; headers?: Record<string, string> },
][] = [
  ["another machine", { from: "192.0.2.1" }],
  ["a proxy on this one", { headers: { "x-forwarded-for": "192.0.2.1" } }],
  ["another Host", { headers: { host: "spotlight.example" } }],
];
for (const [who, options] of STRANGERS) {
  Deno.test(`the demo routes are not there for a request from ${who}`, async () => {
    await using site = await openOperatorSite();
    for (const path of ["tokens", "seed"]) {
      await assertProblem(
        await site.operate("POST", `demo/${path}`, { body: {}, ...options }),
        404,
        "NOT_FOUND",
        `Cannot find "/operator/v1/demo/${path}"`,
      );
    }
    assertEquals(await site.world.rows(), []);
  });
}

Deno.test("POST demo/tokens answers tokens of a fresh grant", async () => {
  await using site = await openFilled();
  const token = await answerOf(
    await post(site, "tokens", {
      account: EMAIL,
      scope: "bids:write account:read",
      mandate: MANDATE,
    }),
    201,
  );
  assertEquals(Object.keys(token), [
    "access_token",
    "token_type",
    "expires_in",
    "refresh_token",
    "scope",
    "grant_id",
    "client_id",
  ]);
  assertEquals(
    [token.token_type, token.expires_in, token.scope],
    ["Bearer", 3_600, "account:read bids:write"],
  );
  const { grant } = await checkBearer(site.services, token.access_token);
  assertEquals([grant.id, grant.clientId], [token.grant_id, token.client_id]);
  assertEquals(grant.mandate?.maxBidCents, MANDATE.max_bid_cents);
});

Deno.test("POST demo/tokens makes a mandate that ends after minutes", async () => {
  await using site = await openFilled();
  const { days: _, ...caps } = MANDATE;
  const body = {
    account: EMAIL,
    scope: "bids:write",
    mandate: { ...caps, minutes: 2 },
  };
  const token = await answerOf(await post(site, "tokens", body), 201);
  assertEquals(token.expires_in, 120);
  const { grant } = await checkBearer(site.services, token.access_token);
  const endsAtMs = site.services.clock.now() + 120_000;
  assertEquals(grant.mandate?.validUntilMs, endsAtMs);
});

Deno.test("POST demo/tokens finds the account however its address is written", async () => {
  await using site = await openFilled();
  const account = ` ${EMAIL.toUpperCase()}`;
  const body = { account, scope: "account:read" };
  await answerOf(await post(site, "tokens", body), 201);
});

for (
  const [what, changes] of [
    ["an unknown scope", { scope: "account:everything" }],
    ["no scope", { scope: " " }],
    ["bids:write without a mandate", { scope: "bids:write" }],
    ["a mandate of 91 days", { mandate: { ...MANDATE, days: 91 } }],
    ["a cap of 99 cents", { mandate: { ...MANDATE, max_bid_cents: 99 } }],
    ["a mandate of no length", {
      mandate: { max_bid_cents: 2_000, daily_cap_cents: 9_000 },
    }],
    ["a mandate of days and minutes", { mandate: { ...MANDATE, minutes: 2 } }],
    ["a mandate in part", { mandate: { days: 30 } }],
    ["another member", { email: EMAIL }],
  ] as const
) {
  Deno.test(`POST demo/tokens answers 400 to ${what}`, async () => {
    await using site = await openFilled();
    const body = { account: EMAIL, scope: "account:read", ...changes };
    const response = await post(site, "tokens", body);
    assertEquals(response.status, 400);
    assertEquals((await response.json()).code, "VALIDATION_FAILED");
  });
}

Deno.test("POST demo/tokens answers 404 to an unknown account", async () => {
  await using site = await openFilled();
  await assertProblem(
    await post(site, "tokens", { account: "a@b.c", scope: "account:read" }),
    404,
    "NOT_FOUND",
    "Cannot find the account",
  );
});

Deno.test("POST demo/seed fills an empty store and shows it at once", async () => {
  await using site = await openOperatorSite();
  const filled = await answerOf(
    await post(site, "seed", { days: 7, seed: 5 }),
    201,
  );
  assertEquals([filled.first_day, filled.settled_days], ["2026-11-12", 8]);
  const response = await site.read("/api/v1/spotlights");
  assertEquals((await response.json()).data.length, 7);
});

Deno.test("POST demo/seed refuses a store that is not empty", async () => {
  await using site = await openFilled();
  await assertProblem(
    await post(site, "seed", {}),
    409,
    "CONFLICT",
    "Cannot fill the store with demo data: it must be empty",
  );
});

for (const body of [{ days: 0 }, { days: 3_651 }, { seed: -1 }, { day: 1 }]) {
  const text = JSON.stringify(body);
  Deno.test(`POST demo/seed answers 400 to ${text}`, async () => {
    await using site = await openOperatorSite();
    const response = await post(site, "seed", body);
    assertEquals(response.status, 400);
    assertEquals((await response.json()).code, "VALIDATION_FAILED");
    assertEquals(await site.world.rows(), []);
  });
}
