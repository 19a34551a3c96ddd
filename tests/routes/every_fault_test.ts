import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { z } from "zod";
import type { Json } from "../../domain/idempotency/canonical_json.ts";
import { METRICS_TOKEN_MAX } from "../../domain/paid_metrics/limits.ts";
import { integer, parseQuery } from "../../routes/http/query.ts";
import { parseAccountBody } from "../../routes/shapes/account_body.ts";
import { parseBidBody } from "../../routes/shapes/bid_body.ts";
import {
  parseCreateBody,
  parseUpdateBody,
} from "../../routes/shapes/creative_body.ts";
import { parseAskBody } from "../../routes/site/ask/ask_request.ts";
import {
  parseCart,
  parseCreation,
  parsePayment,
} from "../../routes/site/checkout/checkout_bodies.ts";
import { openAgentApi } from "../support/agent_api.ts";
import { callTool } from "../support/mcp_agent.ts";
import { refusalOf } from "../support/refused.ts";

/** A body or query with several faults, and what the one answer names. */
const FAULTY: readonly [
  what: string,
  read: () => unknown,
  named: readonly string[],
][] = [
  [
    "a bid",
    () =>
      parseBidBody({
        day: "2026-02-30",
        amount_cents: 50.5,
        currency: "USD",
        payment_method_id: "card",
        note: 1,
      }),
    [
      "day",
      "ad_id",
      "amount_cents",
      "currency must",
      "payment_method_id must",
      "besides",
    ],
  ],
  [
    "a change of the account",
    () =>
      parseAccountBody({
        vat_id: "DE1",
        company_name: "x".repeat(101),
        address: { line1: 1, city: "", street: "x" },
        contact_preferences: { review_mails: "no" },
      }),
    [
      '"vat_id"',
      "company_name must",
      "address.line1 must",
      "address.city must",
      '"street"',
      "contact_preferences.review_mails must",
    ],
  ],
  [
    "a checkout",
    () => parseCreation({ line_items: [], currency: "usd", buyer: {}, x: 1 }),
    ["$.line_items", "$.currency", "$.capabilities", "`buyer`"],
  ],
  ["a cart", () => parseCart({ line_items: [{ id: 1 }], x: 1 }), [
    "$.line_items[0].id",
    "documented",
  ]],
  [
    "a payment",
    () =>
      parsePayment({
        payment_data: {
          handler_id: "cash",
          instrument: {
            type: "coin",
            credential: { type: "spt", token: "x".repeat(METRICS_TOKEN_MAX) },
          },
        },
      }),
    ["handler_id", "instrument.type", "credential.token"],
  ],
  [
    "a question",
    () => parseAskBody({ query: 1, mode: "chat", streaming: "yes" }),
    ["query", "mode", "streaming"],
  ],
  [
    "a query",
    () =>
      parseQuery(
        z.object({ limit: integer(1, 5), day: z.string(), page: z.string() }),
        "limit=0&page=1&page=2",
        "Cannot list",
      ),
    ["limit must", "day must be given", "page must be given once"],
  ],
];

for (const [what, read, named] of FAULTY) {
  Deno.test(`${what} with several faults is told all of them in one answer`, async () => {
    const refusal = await refusalOf(read);
    assert(refusal !== null);
    const text = "message" in refusal
      ? refusal.message
      : refusal.code === "checkout_refused" && "message" in refusal.why
      ? refusal.why.message
      : "";
    for (const name of named) assertStringIncludes(text, name);
  });
}

Deno.test("a creative with several faults is told a row for each, of shape and of text", async () => {
  const copy = {
    headline: "abc",
    description: 5,
    target_url: "http://x",
    n: 1,
  };
  for (const parse of [parseCreateBody, parseUpdateBody]) {
    const refusal = await refusalOf(() => parse(copy));
    assert(refusal?.code === "creative_refused");
    assert(refusal.why.kind === "bad_copy");
    assertEquals(
      refusal.why.problems.map(({ field, code }) => `${field} ${code}`).sort(),
      [
        "description wrong_type",
        "headline too_short",
        "n unknown_member",
        "target_url not_https",
      ],
    );
  }
});

Deno.test("no number of faults makes an answer long", async () => {
  const members = Array.from({ length: 500 }, (_, n) => [`m${n}`, n]);
  const many = Object.fromEntries(members) as Json;
  for (const parse of [parseBidBody, parseAccountBody, parseCreation]) {
    const refusal = await refusalOf(() => parse(many));
    assert(refusal !== null);
    assert(JSON.stringify(refusal).length < 2_000);
  }
});

Deno.test("a list of the agent API is told all that is wrong with its query", async () => {
  await using api = await openAgentApi();
  const ada = await api.world.agent("ada", { scopes: ["reports:read"] });
  const answer = await api.ask("/v1/agent/reports?limit=0&from=soon&to=x", {
    as: ada,
  });
  assertEquals(answer.status, 400);
  const { detail } = await answer.json();
  for (const name of ["limit", "from", "to"]) {
    assertStringIncludes(detail, name);
  }
});

Deno.test("a tool with several bad arguments names all of them in one result", async () => {
  await using api = await openAgentApi();
  const ada = await api.world.agent("ada");
  const { isError, text } = await callTool(api, ada, "place_bid", {
    day: "2026-02-30",
    amount_cents: 1,
    currency: "USD",
  });
  assertEquals(isError, true);
  for (const name of ["day", "ad_id", "amount_cents", "currency", "key"]) {
    assertStringIncludes(text, name);
  }
});
