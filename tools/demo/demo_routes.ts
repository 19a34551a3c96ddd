import { z } from "zod";
import { DAY_MS } from "../../domain/day.ts";
import {
  DEMO_DAYS_DEFAULT,
  DEMO_DAYS_MAX,
  DEMO_SEED_DEFAULT,
  fillStore,
} from "./fill_store.ts";
import { type IssueDemoToken, issueDemoToken } from "./issue_demo_token.ts";
import { MAX_BID_CENTS, MAX_MANDATE_DAYS } from "../../domain/limits.ts";
import type { CreatedGrant } from "./create_grant.ts";
import type { AtMoment } from "./past_sales.ts";
import { Refused } from "../../domain/refusal.ts";
import { codedProblem } from "../../routes/errors/coded_problem.ts";
import {
  type Route,
  route,
  type RouteContext,
} from "../../routes/route_table.ts";
import type { OperatorParts } from "../../routes/site/operator/operator_parts.ts";
import { readInput } from "../../routes/http/json_body.ts";
import { operation } from "../../routes/site/operator/operation.ts";

const MINUTE_MS = 60_000;
const MAX_MANDATE_MINUTES = MAX_MANDATE_DAYS * DAY_MS / MINUTE_MS;

const cents = z.int().min(0).max(MAX_BID_CENTS);

const tokenInput = z.strictObject({
  account: z.string().max(320),
  scope: z.string().max(2_000),
  client: z.string().regex(/^[\x21-\x7e]{1,200}$/).nullable().default(null),
  mandate: z.strictObject({
    max_bid_cents: cents,
    daily_cap_cents: cents,
    days: z.int().min(1).max(MAX_MANDATE_DAYS).optional(),
    minutes: z.int().min(1).max(MAX_MANDATE_MINUTES).optional(),
  }).refine(
    ({ days, minutes }) => (days === undefined) !== (minutes === undefined),
    "a mandate ends after days or after minutes",
  ).nullable().default(null),
});

const seedInput = z.strictObject({
  days: z.int().min(1).max(DEMO_DAYS_MAX).default(DEMO_DAYS_DEFAULT),
  seed: z.int().min(0).default(DEMO_SEED_DEFAULT),
});

/**
 * Demo tokens and demo data, as routes of the operator API.
 *
 * @param at of the processor; null where its clock can't be told
 */
export function demoRoutes(
  parts: OperatorParts,
  at: AtMoment | null = null,
): Route[] {
  const { services } = parts;
  return [
    operation("POST", "/demo/tokens", async ({ body }) => {
      const input = await body(tokenInput, "Cannot issue the token");
      return tokenRecord(await issueDemoToken(services, toIssue(input)));
    }, 201),
    route("POST", "/operator/v1/demo/seed", async (context) => {
      const input = await readInput(
        seedInput,
        context,
        "Cannot fill the store",
      );
      return await seed(parts, { input, at }, context);
    }),
  ];
}

async function seed(
  { services, records }: OperatorParts,
  { input, at }: { input: z.output<typeof seedInput>; at: AtMoment | null },
  context: RouteContext,
): Promise<Response> {
  try {
    const filled = await fillStore(services, input, at);
    await records.refreshNow();
    return Response.json({
      first_day: filled.firstDay,
      settled_days: filled.settledDays,
      advertisers: filled.advertisers,
    }, { status: 201, headers: { "cache-control": "no-store" } });
  } catch (thrown) {
    const isFull = thrown instanceof Refused &&
      thrown.refusal.code === "store_not_empty";
    if (!isFull) throw thrown;
    const detail = "Cannot fill the store with demo data: it must be empty";
    return codedProblem("CONFLICT", detail)({
      settings: services.settings,
      requestId: context.env.trace.requestId,
    });
  }
}

function toIssue(
  { account, scope, client, mandate }: z.output<typeof tokenInput>,
): IssueDemoToken {
  return {
    clientId: client,
    email: account.trim().toLowerCase(),
    scopes: scope.split(" ").filter((each) => each !== ""),
    mandate: mandate && {
      maxBidCents: mandate.max_bid_cents,
      dailyCapCents: mandate.daily_cap_cents,
      validForMs: (mandate.days ?? 0) * DAY_MS +
        (mandate.minutes ?? 0) * MINUTE_MS,
    },
  };
}

/** The token response of OAuth 2.1, and whose grant it is. */
function tokenRecord(
  { grant, accessToken, accessLifetimeMs, refreshToken }: CreatedGrant,
) {
  return {
    access_token: accessToken,
    token_type: "Bearer",
    expires_in: Math.floor(accessLifetimeMs / 1_000),
    refresh_token: refreshToken,
    scope: grant.scopes.join(" "),
    grant_id: grant.id,
    client_id: grant.clientId,
  };
}
