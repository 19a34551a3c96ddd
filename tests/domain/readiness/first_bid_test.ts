import { assert, assertEquals } from "@std/assert";
import type { Creative } from "../../../domain/creatives/creative.ts";
import { addDays } from "../../../domain/day.ts";
import type { Scope } from "../../../domain/oauth/grant.ts";
import { firstBid } from "../../../domain/readiness/first_bid.ts";
import { AGENT_TOOLS } from "../../../domain/readiness/next_action.ts";
import type { BidSnapshot } from "../../../domain/readiness/snapshot.ts";
import {
  approvedCreative,
  BID_DAY,
  BID_SCOPES,
  BID_SETTINGS,
  readyAccount,
} from "../../support/bidding_world.ts";
import { AUCTION, GRANT, LIVE_BID, snapshotOf } from "./snapshots.ts";

const { baseUrl: SITE, authUrl: AUTH } = BID_SETTINGS;

const NOTHING_ASKED = {
  day: null,
  adId: null,
  amountCents: null,
  paymentMethodId: null,
};

Deno.test("firstBid() lists all requirements in one order", () => {
  const { requirements } = firstBid(snapshotOf());
  assertEquals(requirements.map(({ id }) => id), [
    "account",
    "eligibility",
    "scope",
    "mandate",
    "creative",
    "payment_method",
    "auction",
    "amount",
  ]);
});

Deno.test("firstBid() is ready when nothing is open or blocked", () => {
  const ready = firstBid(snapshotOf());
  assertEquals(ready.status, "ready");
  assertEquals(Date.parse(ready.checked_at), snapshotOf().nowMs);
  assert(ready.requirements.every(({ code }) => code === "ok"));
  assert(ready.requirements.every(({ action }) => action === undefined));
});

Deno.test("firstBid() names place_bid and its arguments when ready", () => {
  assertEquals(firstBid(snapshotOf()).next_action, {
    actor: "agent",
    label: "Place the bid with POST",
    url: `${AUTH}/v1/agent/bids`,
    tool: "place_bid",
    arguments: {
      day: BID_DAY,
      ad_id: "ad_ada",
      amount_cents: 1_000,
      currency: "EUR",
    },
    required_scopes: ["bids:write"],
    required_inputs: ["idempotency_key"],
  });
});

Deno.test("firstBid() is unknown where the query left things open", () => {
  const open = firstBid(asked(NOTHING_ASKED));
  assertEquals(open.status, "unknown");
  assertEquals(codes(open), {
    account: "ok",
    eligibility: "ok",
    scope: "ok",
    mandate: "ok",
    creative: "not_given",
    payment_method: "ok",
    auction: "not_given",
    amount: "not_given",
  });
});

Deno.test("firstBid() asks for everything that was left open at once", () => {
  const { next_action: nextAction } = firstBid(
    asked({ ...NOTHING_ASKED, adId: "ad_ada" }),
  );
  assertEquals(nextAction.tool, "get_account");
  assertEquals(nextAction.arguments, { ad_id: "ad_ada" });
  assertEquals(nextAction.required_inputs, ["day", "amount_cents"]);
});

Deno.test("firstBid() is blocked before it is unknown", () => {
  const account = { ...readyAccount("ada"), suspendedAtMs: 1 };
  const open = firstBid({ ...asked(NOTHING_ASKED), account });
  assertEquals(open.status, "blocked");
});

Deno.test("firstBid() sends who may not bid at all to the reason of that, onboarded or not", () => {
  for (const company of [readyAccount("ada").company, null]) {
    const account = { ...readyAccount("ada"), company, suspendedAtMs: 1 };
    const { next_action: next } = firstBid(snapshotOf({ account }));
    assertEquals([next.actor, next.url], ["user", `${SITE}/account`]);
    assertEquals(
      next.label,
      "Read why the account is suspended and ask the operator",
    );
  }
});

Deno.test("firstBid() blocks payment_method only when there is no card", () => {
  const account = { ...readyAccount("ada"), defaultPaymentMethodId: null };
  const found = firstBid(snapshotOf({ account }));
  assertEquals(blockedCodes(found), { payment_method: "no_payment_method" });
  assertEquals(found.next_action.url, `${SITE}/billing`);
});

Deno.test("firstBid() blocks account and eligibility before onboarding", () => {
  const account = { ...readyAccount("ada"), company: null };
  const found = firstBid(snapshotOf({ account }));
  assertEquals(blockedCodes(found), {
    account: "onboarding_incomplete",
    eligibility: "onboarding_incomplete",
  });
  assertEquals(found.next_action.actor, "user");
  assertEquals(found.next_action.url, `${SITE}/onboarding`);
});

const BLOCKED: readonly [string, string, string, Partial<BidSnapshot>][] = [
  ["scope", "scope_missing", "/agents", {
    grant: { ...GRANT, scopes: ["account:read"] },
  }],
  ["mandate", "mandate_missing", "/agents", {
    grant: { ...GRANT, mandate: null },
  }],
  ["mandate", "mandate_expired", "/agents", {
    nowMs: GRANT.mandate?.validUntilMs ?? 0,
    auction: { ...AUCTION, closesAtMs: Infinity },
  }],
  ["mandate", "mandate_exceeded", "/v1/agent/me", { usedCents: 7_001 }],
  ["creative", "creative_not_found", "/v1/agent/me", { creative: null }],
  ["creative", "creative_not_approved", "/creatives", {
    creative: creative("draft"),
  }],
  ["auction", "auction_not_open", "/", { auction: null }],
  ["amount", "bid_not_higher", "/v1/agent/me", {
    liveBid: { ...LIVE_BID, amountCents: 1_000 },
  }],
];

for (const [id, code, url, changes] of BLOCKED) {
  Deno.test(`firstBid() blocks ${id} with ${code} and says where to go`, () => {
    const found = firstBid(snapshotOf(changes));
    assertEquals(blockedCodes(found), { [id]: code });
    const host = url.startsWith("/v1/") ? AUTH : SITE;
    assertEquals(found.next_action.url, host + url);
    const requirement = found.requirements.find((each) => each.id === id);
    assertEquals(requirement?.action, found.next_action);
  });
}

Deno.test("firstBid() calls no bid live of a day that has closed, and says which one won", () => {
  const amountSaid = (changes: Partial<BidSnapshot>) =>
    firstBid(snapshotOf(changes)).requirements.find(({ id }) => id === "amount")
      ?.detail;
  const liveBid = { ...LIVE_BID, amountCents: 1_000 };
  assertEquals(
    amountSaid({ liveBid }),
    "The amount must exceed your live bid of 1000 cents",
  );
  const auction = { ...AUCTION, phase: "CLOSED", closedAtMs: 1 } as const;
  const over = `can't be raised any more: the auction of ${BID_DAY} has closed`;
  assertEquals(
    amountSaid({ liveBid, auction }),
    `Your bid of 1000 cents ${over}`,
  );
  assertEquals(
    amountSaid({ liveBid: { ...liveBid, status: "won" }, auction }),
    `Your bid of 1000 cents won and ${over}`,
  );
});

Deno.test("firstBid() blocks amounts of 0 to 99 cents", () => {
  for (const amountCents of [0, 99]) {
    const found = firstBid(asked({ ...snapshotOf().wanted, amountCents }));
    assertEquals(blockedCodes(found), { amount: "amount_out_of_bounds" });
  }
});

Deno.test("firstBid() judges a raise by its increase", () => {
  const raise = { liveBid: LIVE_BID, usedCents: 7_800 };
  assertEquals(firstBid(snapshotOf(raise)).status, "ready");
  const more = firstBid(snapshotOf({ ...raise, usedCents: 7_801 }));
  assertEquals(blockedCodes(more), { mandate: "mandate_exceeded" });
});

Deno.test("firstBid() needs no scope or mandate in the browser", () => {
  assertEquals(firstBid(snapshotOf({ grant: null })).status, "ready");
});

Deno.test("firstBid() lets an agent lower an amount the mandate forbids", () => {
  const wanted = { ...snapshotOf().wanted, amountCents: 6_000 };
  const { next_action: nextAction } = firstBid(
    snapshotOf({ wanted, usedCents: 4_000 }),
  );
  assertEquals(nextAction.actor, "agent");
  assertEquals(nextAction.label.includes("4000 cents at most"), true);
  assertEquals(nextAction.required_inputs, ["amount_cents"]);
});

Deno.test("firstBid() asks for a larger mandate when no raise fits it", () => {
  const liveBid = { ...LIVE_BID, amountCents: 5_000 };
  const wanted = { ...snapshotOf().wanted, amountCents: 5_001 };
  const { next_action: nextAction } = firstBid(snapshotOf({ liveBid, wanted }));
  assertEquals(nextAction.actor, "user");
  assertEquals(nextAction.url, `${SITE}/agents`);
});

Deno.test("firstBid() calls a used-up mandate blocked whatever is asked", () => {
  const used = { usedCents: 8_000 };
  for (const wanted of [NOTHING_ASKED, { ...NOTHING_ASKED, day: BID_DAY }]) {
    const found = firstBid(snapshotOf({ ...used, wanted }));
    assertEquals(blockedCodes(found), { mandate: "mandate_exceeded" });
  }
});

/** What an agent that may read and write creatives is sent to. */
const CREATIVE_STEPS: readonly [
  state: Creative["state"] | null,
  tool: string,
  path: string,
][] = [
  [null, "list_creatives", ""],
  ["draft", "submit_creative", "/ad_ada/submit"],
  ["rejected", "get_creative", "/ad_ada"],
  ["archived", "list_creatives", ""],
];

for (const [state, tool, path] of CREATIVE_STEPS) {
  const what = state === null ? "no creative" : `a creative that is ${state}`;
  Deno.test(`firstBid() sends an agent with ${what} to ${tool} if its scopes allow it`, () => {
    const found = state && creative(state);
    const may = [...BID_SCOPES, "creatives:read", "creatives:write"] as const;
    const grant = { ...GRANT, scopes: may };
    const { next_action: nextAction } = firstBid(
      snapshotOf({ creative: found, grant }),
    );
    assertEquals([nextAction.actor, nextAction.tool], ["agent", tool]);
    assertEquals(nextAction.url, `${AUTH}/v1/agent/creatives${path}`);
    const without = firstBid(snapshotOf({ creative: found })).next_action;
    assert(without.tool === undefined || without.tool === "get_account");
  });
}

Deno.test("firstBid() names only tools that exist, with their scope", () => {
  const found = BLOCKED.map(([, , , changes]) => firstBid(snapshotOf(changes)));
  const actions = [...found, firstBid(snapshotOf())].flatMap((each) => [
    each.next_action,
    ...each.requirements.flatMap(({ action }) => action ? [action] : []),
  ]);
  for (const action of actions) {
    if (action.tool === undefined) continue;
    const { scope, url } = AGENT_TOOLS[action.tool];
    assertEquals(action.required_scopes, [scope]);
    assertEquals(action.url, AUTH + url.replace("{ad_id}", "ad_ada"));
    assertEquals(action.actor, "agent");
  }
});

Deno.test("firstBid() says how to recover on the day that was asked for", () => {
  const { recovery } = firstBid(snapshotOf());
  assertEquals(recovery.read, {
    tool: "list_my_bids",
    arguments: { day: BID_DAY },
  });
  const open = firstBid(asked(NOTHING_ASKED));
  assertEquals(open.recovery.read.arguments, { day: BID_DAY });
});

function asked(wanted: BidSnapshot["wanted"]): BidSnapshot {
  return snapshotOf({
    wanted,
    auction: wanted.day === null ? null : AUCTION,
  });
}

function creative(state: Creative["state"]): Creative {
  return { ...approvedCreative("ada"), state };
}

function codes({ requirements }: ReturnType<typeof firstBid>) {
  return Object.fromEntries(requirements.map(({ id, code }) => [id, code]));
}

function blockedCodes({ requirements }: ReturnType<typeof firstBid>) {
  return Object.fromEntries(
    requirements.filter(({ status }) => status === "blocked")
      .map(({ id, code }) => [id, code]),
  );
}

Deno.test("a creative that is not named or not there is told with where ids are", () => {
  const said = (scopes: readonly Scope[], adId: string | null) => {
    const wanted = { ...snapshotOf().wanted, adId };
    const grant = { ...GRANT, scopes };
    return firstBid(snapshotOf({ grant, wanted, creative: null })).requirements
      .find(({ id }) => id === "creative")?.detail;
  };
  const listed = "list_creatives has those of the account";
  const shown = "the user finds those of the account at " +
    `${BID_SETTINGS.baseUrl}/creatives`;
  assertEquals(
    said([...BID_SCOPES, "creatives:read"], null),
    `The query names no ad_id: ${listed}`,
  );
  assertEquals(said(BID_SCOPES, null), `The query names no ad_id: ${shown}`);
  assertEquals(
    said([...BID_SCOPES, "creatives:read"], "ad_x"),
    `The account has no creative "ad_x": ${listed}`,
  );
});

Deno.test("a day that is not named is told with today's", () => {
  const wanted = { ...snapshotOf().wanted, day: null };
  const { requirements } = firstBid(snapshotOf({ wanted, auction: null }));
  const detail = requirements.find(({ id }) => id === "auction")?.detail;
  assertEquals(
    detail,
    "The query names no day: today is 2026-11-20, which takes bids now until 2026-11-20T23:55:00.000Z",
  );
});

Deno.test("an action that is no reading says with which method its address is asked", () => {
  const { next_action: bid } = firstBid(snapshotOf());
  assert(bid.label.endsWith(" with POST"), bid.label);
  const grant = {
    ...GRANT,
    scopes: [...BID_SCOPES, "creatives:write"] as const,
  };
  const creative = { ...approvedCreative("ada"), state: "draft" as const };
  const { next_action: submit } = firstBid(snapshotOf({ grant, creative }));
  assert(submit.label.endsWith(" with POST"), submit.label);
  const { next_action: read } = firstBid(snapshotOf({ auction: null }));
  assert(!read.label.includes("POST"), read.label);
});

Deno.test("a day that takes no bid is told with what to do, named or not", () => {
  const { nowMs } = snapshotOf();
  const tomorrow = addDays(BID_DAY, 1);
  const closed = { ...AUCTION, phase: "CLOSED" as const, closedAtMs: nowMs };
  const open = { ...snapshotOf().wanted, day: null };
  const opens = `which takes bids from ${tomorrow}T00:00:00.000Z`;
  const cases: [Partial<BidSnapshot>, string][] = [
    [
      { auction: closed },
      `The auction of ${BID_DAY} has closed: the next day to bid on is ` +
      `${tomorrow}, ${opens}`,
    ],
    [
      { auction: closed, wanted: open },
      `The query names no day: today, ${BID_DAY}, has closed, and the next ` +
      `day to bid on is ${tomorrow}, ${opens}`,
    ],
    [
      { auction: null, wanted: { ...open, day: addDays(BID_DAY, -1) } },
      `The auction of ${addDays(BID_DAY, -1)} has closed: the next day to ` +
      `bid on is ${BID_DAY}, which takes bids now`,
    ],
    [
      { auction: null, wanted: { ...open, day: tomorrow } },
      `The auction of ${tomorrow} has not opened yet: it takes bids from ` +
      `${tomorrow}T00:00:00.000Z`,
    ],
    [
      { auction: null },
      `The auction of ${BID_DAY} has not opened yet, it is due and opens ` +
      "within a minute or two: try again then",
    ],
  ];
  for (const [changes, detail] of cases) {
    const { requirements } = firstBid(snapshotOf(changes));
    const auction = requirements.find(({ id }) => id === "auction");
    assertEquals(auction?.detail, detail);
  }
});

Deno.test("a requirement says once what several missing steps wait for", () => {
  const account = {
    ...readyAccount("ada"),
    vatStatus: "invalid" as const,
    identityStatus: "unverified" as const,
  };
  const { requirements } = firstBid(snapshotOf({ account }));
  const { detail } = requirements.find(({ id }) => id === "eligibility") ??
    { detail: "" };
  assertEquals(detail, "Have the VAT id of the company verified");
});
