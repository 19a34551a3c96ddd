/**
 * Holds openapi.json to every no that its operations may give: each refusal, as
 * its surface renders it, is an answer that the operation's description has.
 */
import { assert, assertEquals } from "@std/assert";
import type { CreativeRefusal } from "../../../domain/creatives/creative_refusal.ts";
import { Contention } from "../../../domain/failure.ts";
import { InvariantBroken } from "../../../domain/invariant.ts";
import type { PaymentNeed } from "../../../domain/paid_metrics/payment_need.ts";
import type { Refusal, RefusalCode } from "../../../domain/refusal.ts";
import { agentSurface } from "../../../routes/auth/agent/agent_routes.ts";
import type { RouteServices } from "../../../routes/context.ts";
import {
  openapiDocument,
  OPERATIONS,
} from "../../../routes/discovery/openapi/document.ts";
import type { OperationKind } from "../../../routes/shapes/operation.ts";
import {
  internalProblem,
  unavailableProblem,
} from "../../../routes/errors/public_problem.ts";
import { renderPublic } from "../../../routes/errors/public_surface.ts";
import {
  paymentProblem,
  uncertainPaymentProblem,
  unsupportedMethodProblem,
} from "../../../routes/errors/payment_problem.ts";
import { retrievalTooLong } from "../../../routes/errors/retrieval_surface.ts";
import type { SurfaceAnswers } from "../../../routes/route_table.ts";
import { askSurface } from "../../../routes/site/ask/ask_surface.ts";
import { checkoutSurface } from "../../../routes/site/checkout/checkout_surface.ts";
import { publicApi } from "../../../routes/site/api/public_api.ts";
import { exactSchemas } from "../../../routes/shapes/schemas.ts";
import { rehearsalSurface } from "../../../routes/site/api/rehearsals.ts";
import { newAjv } from "../../support/acp_schema.ts";
import { ANSWER_CONTEXT, EVERY_REFUSAL } from "../../support/answers.ts";
import { CHECKOUT_REFUSALS } from "../../support/checkout_refusals.ts";
import { dayText } from "../../support/public_spotlights.ts";
import { TEST_SETTINGS } from "../../support/site_app.ts";

const day = dayText("2026-11-20");

// deno-lint-ignore no-explicit-any -- a document of any depth is walked
const DOCUMENT: any = JSON.parse(
  JSON.stringify(openapiDocument(TEST_SETTINGS)),
);
const ajv = newAjv();
// With no member but those that are described.
const components = { schemas: exactSchemas() };
ajv.addSchema({ ...DOCUMENT, components }, "openapi.json");

/** A no, and the only operations that give it; all of the kind if left out. */
interface No {
  what: string;
  answer: Response;
  only?: readonly string[];
}

/** Where refusals can come up that are about one thing. */
const ONLY: Partial<Record<RefusalCode, readonly string[]>> = {
  bad_bid_body: ["placeBid", "rehearsePlaceBid"],
  payment_method_on_raise: ["placeBid", "rehearsePlaceBid"],
  idempotency_key_required: [
    "placeBid",
    "rehearsePlaceBid",
    "rehearseSettle",
    "createCreative",
    "createSandboxJob",
    "createCheckoutSession",
  ],
  spotlight_not_found: ["readCurrentSpotlight", "readSpotlight", "readMetrics"],
  sandbox_job_not_found: ["readSandboxJob"],
};

/** What is answered where no operation is: it has no description. */
const NO_OPERATION: readonly RefusalCode[] = ["method_not_allowed"];

const CREATIVE_REFUSALS: {
  readonly [Kind in CreativeRefusal["kind"]]: Extract<
    CreativeRefusal,
    { kind: Kind }
  >;
} = {
  bad_copy: {
    kind: "bad_copy",
    problems: [{ field: "headline", code: "too_long", message: "Too long" }],
  },
  wrong_state: {
    kind: "wrong_state",
    adId: "ad_1",
    action: "update",
    state: "submitted",
  },
  name_changed: { kind: "name_changed", adId: "ad_1" },
  no_advertiser: { kind: "no_advertiser", adId: "ad_1" },
  live_bid: { kind: "live_bid", adId: "ad_1", days: [day] },
  shelf_full: { kind: "shelf_full", bound: "kept", most: 20 },
};

const NEEDS: Readonly<Record<PaymentNeed, true>> = {
  no_credential: true,
  malformed_credential: true,
  unknown_challenge: true,
  used_challenge: true,
  expired_challenge: true,
  unsupported_method: true,
  declined: true,
  action_required: true,
  not_charged: true,
  refunded: true,
};

/** The surfaces as they are mounted; nothing is asked of them here. */
function answersOf(kind: OperationKind): SurfaceAnswers {
  const parts = {
    services: { settings: TEST_SETTINGS },
    limiter: {},
    trustedProxyHops: 0,
  } as unknown as RouteServices;
  const records = {} as Parameters<typeof publicApi>[0]["records"];
  const retrieval = {} as Parameters<typeof askSurface>[0]["retrieval"];
  const merchant = { profileId: "profile", environment: "test" } as const;
  switch (kind) {
    case "agent":
      return agentSurface(parts).answers;
    case "rehearsal":
      return rehearsalSurface(parts).answers;
    case "checkout":
      return checkoutSurface({ ...parts, merchant }).answers;
    case "ask":
      return askSurface({ ...parts, settings: TEST_SETTINGS, retrieval })
        .answers;
    default:
      return publicApi({ ...parts, records, operations: [] }).answers;
  }
}

/** Every refusal there is, with every reason that is rendered differently. */
function everyRefusal(): Refusal[] {
  const { creative_refused: _, checkout_refused: __, ...others } =
    EVERY_REFUSAL;
  return [
    ...Object.values(others),
    ...Object.values(CREATIVE_REFUSALS).map((why) =>
      ({ code: "creative_refused", why }) as const
    ),
    ...Object.values(CHECKOUT_REFUSALS).map((why) =>
      ({ code: "checkout_refused", why }) as const
    ),
  ];
}

/** What a surface gives, refusal by refusal; not what it never gives. */
function rendered(kind: OperationKind): No[] {
  const { refused } = answersOf(kind);
  return everyRefusal().flatMap((refusal): No[] => {
    const { code } = refusal;
    if (NO_OPERATION.includes(code)) return [];
    // Of the public API only unknown paths are not found like this.
    const isPublic = kind === "public" || kind === "metrics";
    if (isPublic && code === "not_found") return [];
    try {
      const answer = refused(refusal, ANSWER_CONTEXT);
      const only = isBadCopy(refusal)
        ? ["createCreative", "updateCreative"]
        : ONLY[code];
      return [{ what: code, answer, ...only && { only } }];
    } catch (thrown) {
      if (thrown instanceof InvariantBroken) return [];
      throw thrown;
    }
  });
}

function isBadCopy(refusal: Refusal): boolean {
  return refusal.code === "creative_refused" && refusal.why.kind === "bad_copy";
}

function faults(kind: OperationKind): No[] {
  const { failed = internalProblem, unavailable = unavailableProblem } =
    answersOf(kind);
  const unavailableNow = unavailable(1, ANSWER_CONTEXT, new Contention());
  return [
    { what: "500", answer: failed(ANSWER_CONTEXT) },
    { what: "503", answer: unavailableNow },
  ];
}

/** The bucket of an address is drawn on before the surface is asked. */
function limited(): No {
  const answer = renderPublic(EVERY_REFUSAL.rate_limited, ANSWER_CONTEXT);
  return { what: "the bucket of the address is empty", answer };
}

function payments(): No[] {
  const challenge = {
    id: "c",
    headers: { "www-authenticate": 'Payment id="c"', "metrics-final": "true" },
  };
  const given = { chargedAtMs: 0, hasKey: true, repeatableUntilMs: 1 };
  const needs = (Object.keys(NEEDS) as PaymentNeed[])
    .filter((why) => why !== "unsupported_method")
    .map((why) => ({ code: "payment_required", why }) as const);
  const answered = {
    code: "payment_required",
    why: "answered",
    given,
  } as const;
  return [
    ...[...needs, answered].map((need) => ({
      what: need.why,
      answer: paymentProblem(need, day, challenge, ANSWER_CONTEXT),
    })),
    {
      what: "unsupported_method",
      answer: unsupportedMethodProblem(day, ANSWER_CONTEXT),
    },
    {
      what: "payment under way",
      answer: uncertainPaymentProblem(2, ANSWER_CONTEXT),
    },
  ];
}

function everyNo(kind: OperationKind): No[] {
  const tooLong = retrievalTooLong(4_096, ANSWER_CONTEXT);
  return [
    ...rendered(kind),
    ...faults(kind),
    limited(),
    ...kind === "metrics" ? payments() : [],
    ...kind === "ask"
      ? [{ what: "too long", answer: tooLong, only: ["askWithBody"] }]
      : [],
  ];
}

/** Why an answer is not one that the operation's description has; else null. */
async function misfit(
  { method, path }: typeof OPERATIONS[number],
  { answer }: No,
): Promise<string | null> {
  const described = DOCUMENT.paths[path][method].responses[answer.status];
  if (described === undefined) return `${answer.status} is not described`;
  const text = await answer.clone().text();
  if (text === "") return null;
  const [type = ""] = (answer.headers.get("content-type") ?? "").split(";");
  const schema = described.content?.[type]?.schema;
  if (schema === undefined) return `${answer.status} has no ${type}`;
  const validate = ajv.compile(
    JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"openapi.json#/')),
  );
  return validate(JSON.parse(text))
    ? null
    : `${answer.status} ${text}: ${ajv.errorsText(validate.errors)}`;
}

for (
  const kind of [
    "public",
    "rehearsal",
    "metrics",
    "ask",
    "checkout",
    "agent",
  ] as const
) {
  Deno.test(`openapi.json describes every no of the ${kind} operations`, async () => {
    const all = everyNo(kind);
    const operations = OPERATIONS.filter((one) => one.kind === kind);
    assert(all.length > 3 && operations.length > 0);
    const misfits = new Set<string>();
    for (const operation of operations) {
      for (const no of all) {
        if (no.only && !no.only.includes(operation.id)) continue;
        const why = await misfit(operation, no);
        if (why !== null) misfits.add(`${operation.id}, ${no.what}: ${why}`);
      }
    }
    assertEquals([...misfits], []);
  });
}

Deno.test("a no that is not described is found", async () => {
  const [operation] = OPERATIONS.filter(({ id }) => id === "readAccount");
  assert(operation);
  const bad = {
    error: { code: "auction.bad-body", message: "", retryable: 1 },
  };
  for (
    const answer of [
      Response.json({}, { status: 418 }),
      Response.json(bad, {
        status: 403,
        headers: { "content-type": "application/problem+json" },
      }),
      new Response("no", { status: 400, headers: { "content-type": "a/b" } }),
    ]
  ) assert(await misfit(operation, { what: "", answer }) !== null);
});
