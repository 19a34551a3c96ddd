import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { dump } from "../../../../kv/dump.ts";
import {
  cartOf,
  newSession,
  paymentOf,
} from "../../../support/checkout_calls.ts";
import {
  type Buyer,
  type CheckoutWorld,
  DAY,
  openCheckoutWorld,
} from "../../../support/checkout_world.ts";

const ITEM = { id: `metrics:${DAY}` };

/** A body that is refused, and how: status, code and place. */
type Bad = readonly [what: string, body: unknown, code: string, param?: string];

const BAD_CARTS: readonly Bad[] = [
  ["no items", { line_items: [] }, "invalid", "$.line_items"],
  ["two items", { line_items: [ITEM, ITEM] }, "invalid", "$.line_items"],
  ["no list", { line_items: ITEM }, "invalid", "$.line_items"],
  ["nothing", {}, "missing", "$.line_items"],
  ["null", { line_items: null }, "invalid", "$.line_items"],
  [
    "a quantity",
    { line_items: [{ ...ITEM, quantity: 1 }] },
    "invalid",
    "$.line_items[0]",
  ],
  ["no id", { line_items: [{}] }, "missing", "$.line_items[0].id"],
  ["a number", { line_items: [{ id: 7 }] }, "invalid", "$.line_items[0].id"],
  ["a list", [], "invalid", "$"],
  ["a string", "metrics", "invalid", "$"],
  ["no body at all", null, "invalid", "$"],
];

const BAD_IDS = [
  "metrics:2026-02-30",
  "metrics:2026-11-1",
  "metrics:",
  "metrics:2026-11-19 ",
  " metrics:2026-11-19",
  "Metrics:2026-11-19",
  "metric:2026-11-19",
  "2026-11-19",
  "",
  "metrics:2026-11-20",
  "metrics:2026-12-24",
  "metrics:1999-01-01",
];

const BAD_CREATIONS: readonly Bad[] = [
  ["upper-case EUR", cartOf(DAY, { currency: "EUR" }), "invalid", "$.currency"],
  ["dollars", cartOf(DAY, { currency: "usd" }), "invalid", "$.currency"],
  [
    "no currency",
    { line_items: [ITEM], capabilities: {} },
    "missing",
    "$.currency",
  ],
  [
    "no capabilities",
    { line_items: [ITEM], currency: "eur" },
    "missing",
    "$.capabilities",
  ],
  [
    "capabilities that are a list",
    cartOf(DAY, { capabilities: [] }),
    "invalid",
    "$.capabilities",
  ],
  [
    "capabilities that are null",
    cartOf(DAY, { capabilities: null }),
    "invalid",
    "$.capabilities",
  ],
  ["a buyer", cartOf(DAY, { buyer: {} }), "invalid", "$.buyer"],
  ["another member", cartOf(DAY, { gift: {} }), "invalid", "$"],
];

/** The body that pays, with something of it changed. */
function paymentWith(
  changes: { data?: object; instrument?: object; credential?: object },
): unknown {
  return {
    payment_data: {
      handler_id: "card_spt",
      instrument: {
        type: "card",
        credential: { type: "spt", token: "spt_1", ...changes.credential },
        ...changes.instrument,
      },
      ...changes.data,
    },
  };
}

const INSTRUMENT = "$.payment_data.instrument";
const CREDENTIAL = `${INSTRUMENT}.credential`;

const BAD_PAYMENTS: readonly Bad[] = [
  ["nothing", {}, "missing", "$.payment_data"],
  [
    "another handler",
    paymentWith({ data: { handler_id: "card_tokenized" } }),
    "invalid",
    "$.payment_data.handler_id",
  ],
  [
    "no instrument",
    { payment_data: { handler_id: "card_spt" } },
    "missing",
    INSTRUMENT,
  ],
  [
    "another instrument",
    paymentWith({ instrument: { type: "wallet" } }),
    "invalid",
    `${INSTRUMENT}.type`,
  ],
  [
    "another credential",
    paymentWith({ credential: { type: "vault" } }),
    "invalid",
    `${CREDENTIAL}.type`,
  ],
  ...["tok_visa", "spt_", "spt", "SPT_1", "spt_ 1", `spt_${"x".repeat(197)}`, 7]
    .map((token): Bad => [
      "a token of another form",
      paymentOf(token),
      "invalid",
      `${CREDENTIAL}.token`,
    ]),
  [
    "no token",
    paymentOf(undefined),
    "missing",
    `${CREDENTIAL}.token`,
  ],
  ["a member nobody knows", { ...paymentOf("spt_1"), tip: 1 }, "invalid", "$"],
  [
    "payment data nobody knows",
    paymentWith({ data: { spt: "spt_secret" } }),
    "invalid",
    "$.payment_data",
  ],
  [
    "an instrument with more than anybody knows",
    paymentWith({ instrument: { number: "4242" } }),
    "invalid",
    INSTRUMENT,
  ],
];

async function check(
  world: CheckoutWorld,
  as: Buyer,
  path: string,
  cases: readonly Bad[],
): Promise<void> {
  for (const [what, body, code, param] of cases) {
    const answer = await world.ask(path, { as, key: "k", body });
    const error = await answer.json();
    assertEquals(answer.status, 400, what);
    assertEquals([error.type, error.code], ["invalid_request", code], what);
    assertEquals(error.param, param, what);
    assert(!JSON.stringify(error).includes("spt_secret"), what);
  }
}

Deno.test("POST /checkout_sessions answers 400 to bodies of another shape, naming the place", async () => {
  await using world = await openCheckoutWorld();
  const ada = await world.buyer("ada");
  await check(world, ada, "/checkout_sessions", BAD_CREATIONS);
  await check(
    world,
    ada,
    "/checkout_sessions",
    BAD_CARTS.filter(([what]) => what !== "nothing"),
  );
});

Deno.test("POST /checkout_sessions and updates answer 400 invalid_item_id to what is no settled day", async () => {
  await using world = await openCheckoutWorld();
  const ada = await world.buyer("ada");
  const { id } = await newSession(world.ask, ada);
  for (const [nth, item] of BAD_IDS.entries()) {
    const line_items = [{ id: item }];
    for (
      const [path, body] of [
        ["", { line_items, currency: "eur", capabilities: {} }],
        [`/${id}`, { line_items }],
      ] as const
    ) {
      const answer = await world.ask(`/checkout_sessions${path}`, {
        as: ada,
        key: `key-${nth}`,
        body,
      });
      const error = await answer.json();
      assertEquals([answer.status, error.code], [400, "invalid_item_id"], item);
      assertEquals(error.param, "$.line_items[0].id");
    }
  }
});

Deno.test("POST /checkout_sessions/{id} answers 400 to bodies of another shape, naming the place", async () => {
  await using world = await openCheckoutWorld();
  const ada = await world.buyer("ada");
  const { id } = await newSession(world.ask, ada);
  await check(world, ada, `/checkout_sessions/${id}`, [
    ...BAD_CARTS,
    ["a currency", cartOf(), "invalid", "$"],
  ]);
});

Deno.test("POST …/complete answers 400 to bodies of another shape, naming the place and no value", async () => {
  await using world = await openCheckoutWorld();
  const ada = await world.buyer("ada");
  const { id } = await newSession(world.ask, ada);
  await check(world, ada, `/checkout_sessions/${id}/complete`, BAD_PAYMENTS);
  assertEquals(world.paid(), []);
});

Deno.test("POST …/complete takes what else the protocol knows, and uses none of it", async () => {
  await using world = await openCheckoutWorld();
  const ada = await world.buyer("ada");
  const { id } = await newSession(world.ask, ada);
  const token = await world.token();
  const body = {
    ...(paymentWith({
      credential: { token, allowance: { max_amount: 100 } },
      instrument: { id: "inst_1", handler_id: "card_spt", metadata: {} },
      data: { billing_address: { country: "DE" }, due_date: null },
    }) as object),
    buyer: { first_name: "Ada", email: "ada@example.com" },
    risk_signals: {},
    marketing_consents: [],
    order_notes: "none",
  };
  const path = `/checkout_sessions/${id}/complete`;
  const answer = await world.ask(path, { as: ada, key: "k", body });
  assertEquals(answer.status, 200);
  const { realKv } = world.world.testStore;
  const rows = await new Response(dump(realKv, { keys: null })).text();
  assert(!rows.includes("first_name") && !rows.includes("inst_1"));
});

Deno.test("POST …/cancel takes an empty object or no body, and nothing else", async () => {
  await using world = await openCheckoutWorld();
  const ada = await world.buyer("ada");
  const { id } = await newSession(world.ask, ada);
  const path = `/checkout_sessions/${id}/cancel`;
  await check(world, ada, path, [
    ["an intent", { intent_trace: {} }, "invalid", "$.intent_trace"],
    ["a member", { reason: "other" }, "invalid", "$"],
    ["a list", [], "invalid", "$"],
    ["null", null, "invalid", "$"],
  ]);
  const typed = { raw: "", headers: { "content-type": "application/json" } };
  const empty = await world.ask(path, { as: ada, key: "k", ...typed });
  assertEquals((await empty.json()).code, "invalid_body");
  const text = { raw: "{}", headers: { "content-type": null } };
  const untyped = await world.ask(path, { as: ada, key: "k", ...text });
  assertEquals((await untyped.json()).code, "invalid_body");
  const none = await world.ask(path, { as: ada, key: "k", method: "POST" });
  assertEquals([none.status, (await none.json()).status], [200, "canceled"]);
  const again = await world.ask(path, { as: ada, key: "k", body: {} });
  assertEquals(again.headers.get("idempotent-replayed"), "true");
});

Deno.test("POST /checkout_sessions* answers 400 to what is not JSON, too long, too deep or beyond numbers", async () => {
  await using world = await openCheckoutWorld();
  const ada = await world.buyer("ada");
  const good = JSON.stringify(cartOf());
  const deep = `${"[".repeat(40)}${"]".repeat(40)}`;
  const with_ = (capabilities: string) =>
    good.replace('"capabilities":{}', `"capabilities":{"x":${capabilities}}`);
  const bodies: BodyInit[] = [
    "",
    "{",
    `${good}x`,
    `${good}${" ".repeat(16 * 1024)}`,
    Uint8Array.of(0x22, 0xff, 0xfe, 0x22),
    with_(deep),
    with_("1e400"),
    with_(`${"[".repeat(7_000)}${"]".repeat(7_000)}`),
  ];
  for (const raw of bodies) {
    const answer = await world.ask("/checkout_sessions", {
      as: ada,
      key: "k",
      raw,
    });
    assertEquals([answer.status, (await answer.json()).code], [
      400,
      "invalid_body",
    ]);
  }
  for (const type of ["text/plain", "application/jsonx", null]) {
    const answer = await world.ask("/checkout_sessions", {
      as: ada,
      key: "k",
      raw: good,
      headers: { "content-type": type },
    });
    assertEquals([answer.status, (await answer.json()).code], [
      400,
      "invalid_body",
    ]);
  }
});

Deno.test("POST /checkout_sessions* answers any JSON by the protocol and never 500", async () => {
  await using world = await openCheckoutWorld();
  const names = fc.constantFrom(
    "line_items",
    "id",
    "currency",
    "capabilities",
    "payment_data",
    "instrument",
    "credential",
    "__proto__",
    "constructor",
    "toString",
  );
  const { tree: value } = fc.letrec((tie) => ({
    tree: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      fc.constantFrom<unknown>("eur", "card", "spt", ITEM.id, "spt_1", null),
      fc.jsonValue({ maxDepth: 1 }),
      fc.array(tie("tree"), { maxLength: 2 }),
      fc.dictionary(names, tie("tree"), { maxKeys: 4 }),
    ),
  }));
  let nth = 0;
  await fc.assert(
    fc.asyncProperty(value, fc.nat(3), async (body, which) => {
      nth += 1;
      const ada = await world.buyer(`ada${nth}`);
      const { id } = await newSession(world.ask, ada);
      const paths = ["", `/${id}`, `/${id}/complete`, `/${id}/cancel`];
      const path = `/checkout_sessions${paths[which] ?? ""}`;
      const answer = await world.ask(path, { as: ada, key: "k", body });
      await answer.body?.cancel();
      assert(answer.status < 500, `${answer.status}`);
    }),
    { numRuns: 150 },
  );
});
