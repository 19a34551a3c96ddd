import { assert, assertEquals } from "@std/assert";
import type { Account, VatCheck } from "../../../domain/accounts/account.ts";
import type { Creative } from "../../../domain/creatives/creative.ts";
import { addDays, DAY_MS, startOfDayMs } from "../../../domain/day.ts";
import type { Scope } from "../../../domain/oauth/grant.ts";
import { firstBid } from "../../../domain/readiness/first_bid.ts";
import type { NextAction } from "../../../domain/readiness/next_action.ts";
import type { BidSnapshot } from "../../../domain/readiness/snapshot.ts";
import {
  approvedCreative,
  BID_DAY,
  BID_DAY_CLOSES_MS,
  BID_SCOPES,
  BID_SETTINGS,
  readyAccount,
} from "../../support/bidding_world.ts";
import { TEST_START_MS } from "../../support/clock.ts";
import { dayText } from "../../support/public_spotlights.ts";
import { AUCTION, GRANT, LIVE_BID, snapshotOf } from "./snapshots.ts";

const SITE = BID_SETTINGS.baseUrl;
const TOMORROW = addDays(BID_DAY, 1);
const MIDNIGHT = "2026-11-21T00:00:00.000Z";
const NO_CARD = { defaultPaymentMethodId: null };

function next(changes: Partial<BidSnapshot> = {}): NextAction {
  return firstBid(snapshotOf(changes)).next_action;
}

function account(changes: Partial<Account>): { account: Account } {
  return { account: { ...readyAccount("ada"), ...changes } };
}

function creative(state: Creative["state"]): { creative: Creative } {
  return { creative: { ...approvedCreative("ada"), state } };
}

function wanting(
  changes: Partial<BidSnapshot["wanted"]>,
): Pick<BidSnapshot, "wanted"> {
  return { wanted: { ...snapshotOf().wanted, ...changes } };
}

/** A VAT id that the registry has not answered for yet. */
function unanswered(changes: Partial<VatCheck>): Partial<Account> {
  const vatId = readyAccount("ada").company?.vatId ?? "";
  const check = {
    vatId,
    outcome: null,
    atMs: null,
    consultation: null,
    failures: 2,
    dueAtMs: TEST_START_MS + 600_000,
  };
  return { vatStatus: "unverified", vatCheck: { ...check, ...changes } };
}

const WRITES: readonly Scope[] = [
  ...BID_SCOPES,
  "creatives:read",
  "creatives:write",
];

Deno.test("next_action sends a person for the card while a creative is reviewed", () => {
  const action = next({ ...account(NO_CARD), ...creative("submitted") });
  assertEquals([action.actor, action.url], ["user", `${SITE}/billing`]);
});

Deno.test("next_action waits for a review once nothing else is missing, and says when to look again", () => {
  const action = next(creative("submitted"));
  assertEquals([action.actor, action.poll_after_seconds], ["wait", 900]);
});

Deno.test("next_action has a draft submitted before a person is sent for the card: the review takes longest", () => {
  const grant = { ...GRANT, scopes: WRITES };
  const action = next({ grant, ...account(NO_CARD), ...creative("draft") });
  assertEquals(action.tool, "submit_creative");
});

Deno.test("next_action submits no draft that would be refused before the identity is checked", () => {
  const grant = { ...GRANT, scopes: WRITES };
  const state = account({ identityStatus: "unverified" });
  const action = next({ grant, ...state, ...creative("draft") });
  assertEquals([action.actor, action.url], ["user", `${SITE}/identity`]);
});

Deno.test("next_action waits until the VAT registry is asked again and sends nobody", () => {
  const action = next(account(unanswered({})));
  assertEquals(
    [action.actor, action.until],
    ["wait", new Date(TEST_START_MS + 600_000).toISOString()],
  );
});

Deno.test("next_action waits for a VAT registry that is about to be asked", () => {
  const action = next(account(unanswered({ failures: 0, dueAtMs: 0 })));
  assertEquals([action.actor, action.poll_after_seconds], ["wait", 60]);
});

Deno.test("next_action leads to what comes before a check of identity", () => {
  const { company } = readyAccount("ada");
  const unknown = { identityStatus: "unverified" } as const;
  const urlOf = (changes: Partial<Account>) => {
    const { actor, url } = next(account({ ...unknown, ...changes }));
    return [actor, url];
  };
  assertEquals(urlOf({}), ["user", `${SITE}/identity`]);
  assertEquals(
    urlOf({ defaultPaymentMethodId: null }),
    ["user", `${SITE}/billing`],
  );
  assertEquals(
    urlOf({ defaultPaymentMethodId: null, vatStatus: "invalid", company }),
    ["user", `${SITE}/onboarding`],
  );
  // Nobody is sent for a check that is refused while the registry is down.
  const [actor] = urlOf(unanswered({}));
  assertEquals(actor, "wait");
});

Deno.test("next_action sends a person when the VAT registry knows no such id, or was asked for over a month", () => {
  for (
    const changes of [
      { vatStatus: "invalid" as const },
      unanswered({ failures: 40 }),
    ]
  ) {
    const action = next(account(changes));
    assertEquals([action.actor, action.url], ["user", `${SITE}/onboarding`]);
  }
});

Deno.test("next_action waits while an operator compares the VAT id", () => {
  const { company } = readyAccount("ada");
  const vatId = company?.vatId ?? "";
  const name = company?.name ?? "";
  const action = next(account({
    ...unanswered({ outcome: "valid", atMs: 1, failures: 0 }),
    vatCase: { vatId, why: "held", name, sinceMs: 1 },
  }));
  assertEquals([action.actor, action.poll_after_seconds], ["wait", 900]);
});

Deno.test("next_action waits while the processor checks the identity", () => {
  const state = account({ identityStatus: "unverified" });
  assertEquals(next(state).actor, "user");
  const action = next({ ...state, identityPending: true });
  assertEquals([action.actor, action.poll_after_seconds], ["wait", 300]);
});

Deno.test("next_action tells who may never bid nothing else", () => {
  for (
    const changes of [
      { email: "operator@example.com" },
      { suspendedAtMs: 1 },
    ]
  ) {
    const grant = { ...GRANT, scopes: WRITES };
    const action = next({
      grant,
      ...account({ ...changes, company: null }),
      ...creative("draft"),
    });
    assertEquals([action.actor, action.url], ["user", `${SITE}/account`]);
  }
});

Deno.test("next_action names another day where the wanted one is over, whatever else is missing", () => {
  const over = { ...wanting({ day: dayText("2020-01-01") }), auction: null };
  for (const changes of [{}, { usedCents: 8_000 }, account(NO_CARD)]) {
    const action = next({ ...over, ...changes });
    assertEquals([action.actor, action.tool], ["agent", "get_account"]);
    assertEquals(action.required_inputs, ["day"]);
    assertEquals(action.arguments, { ad_id: "ad_ada", amount_cents: 1_000 });
    assert(action.label.includes(BID_DAY), action.label);
  }
});

Deno.test("next_action names tomorrow once today is closed, by the hour or by an operator", () => {
  const closed = { ...AUCTION, phase: "CLOSED" as const, closedAtMs: 1 };
  for (const changes of [{ nowMs: BID_DAY_CLOSES_MS }, { auction: closed }]) {
    const action = next(changes);
    assertEquals([action.actor, action.required_inputs], ["agent", ["day"]]);
    assert(action.label.includes(TOMORROW), action.label);
  }
});

Deno.test("next_action waits until a coming day opens", () => {
  const action = next({ ...wanting({ day: TOMORROW }), auction: null });
  assertEquals([action.actor, action.until], ["wait", MIDNIGHT]);
});

Deno.test("next_action looks again in a minute for an auction that is due", () => {
  const action = next({ auction: null });
  assertEquals([action.actor, action.poll_after_seconds], ["wait", 60]);
});

Deno.test("next_action waits for no day that the mandate does not see", () => {
  const { maxBidCents = 0, dailyCapCents = 0 } = GRANT.mandate ?? {};
  const validUntilMs = startOfDayMs(TOMORROW);
  const mandate = { maxBidCents, dailyCapCents, validUntilMs };
  const action = next({
    ...wanting({ day: TOMORROW }),
    auction: null,
    grant: { ...GRANT, mandate },
  });
  assertEquals([action.actor, action.url], ["user", `${SITE}/agents`]);
});

Deno.test("next_action waits for no daily cap that begins anew when the wanted day is over", () => {
  const action = next({ usedCents: 7_950 });
  assertEquals([action.actor, action.url], ["user", `${SITE}/agents`]);
});

Deno.test("next_action waits for the daily cap where the wanted day comes after it", () => {
  const ahead = { ...AUCTION, day: TOMORROW, closesAtMs: Infinity };
  const states = [
    { ...wanting({ day: TOMORROW }), auction: ahead },
    { ...wanting({ day: null }), auction: null },
  ];
  for (const state of states) {
    const action = next({ ...state, usedCents: 8_000 });
    assertEquals([action.actor, action.until], ["wait", MIDNIGHT]);
  }
});

Deno.test("next_action waits for tomorrow's opening whatever of today's cap is used", () => {
  for (const usedCents of [0, 7_200, 8_000]) {
    const state = { ...wanting({ day: TOMORROW }), auction: null, usedCents };
    const { requirements, next_action: action } = firstBid(snapshotOf({
      ...state,
      grant: {
        ...GRANT,
        mandate: GRANT.mandate && { ...GRANT.mandate, validUntilMs: 9e12 },
      },
    }));
    const blocked = requirements.filter(({ status }) => status === "blocked");
    assertEquals(blocked.map(({ id }) => id), ["auction"]);
    assertEquals([action.actor, action.until], ["wait", MIDNIGHT]);
  }
});

Deno.test("next_action waits with the whole amount where a day that was opened ahead takes it tomorrow, and says what it takes now", () => {
  const ahead = { ...AUCTION, day: TOMORROW, closesAtMs: Infinity };
  const action = next({
    ...wanting({ day: TOMORROW }),
    auction: ahead,
    usedCents: 7_200,
  });
  assertEquals([action.actor, action.until], ["wait", MIDNIGHT]);
  assert(action.label.endsWith("name an amount of 800 cents at most"));
});

Deno.test("next_action names no amount for a day that is over", () => {
  const grants = [GRANT, { ...GRANT, scopes: WRITES }];
  for (const grant of grants) {
    for (const amountCents of [1_000, 6_000]) {
      const state = {
        grant,
        ...wanting({ day: dayText("2020-01-01"), amountCents }),
        auction: null,
        usedCents: 7_200,
        liveBid: { ...LIVE_BID, amountCents: 1_000 },
        ...creative("draft"),
      };
      const { next_action: action, requirements } = firstBid(snapshotOf(state));
      assertEquals(action.required_inputs, ["day"]);
      for (const { id, action: own } of requirements) {
        if (!["mandate", "amount"].includes(id) || own === undefined) continue;
        assertEquals(own.required_inputs, ["day"], id);
      }
    }
  }
});

Deno.test("next_action has an amount lowered that no day's cap would take, and does not wait with it", () => {
  const action = next({
    ...wanting({ day: null, amountCents: 6_000 }),
    auction: null,
    usedCents: 8_000,
  });
  assertEquals([action.actor, action.required_inputs], [
    "agent",
    ["amount_cents"],
  ]);
  assert(action.label.includes("5000 cents at most"), action.label);
});

Deno.test("next_action names the wait that ends first where there are several", () => {
  const mandate = GRANT.mandate && { ...GRANT.mandate, validUntilMs: 9e12 };
  const action = next({
    ...wanting({ day: addDays(BID_DAY, 2) }),
    auction: null,
    grant: { ...GRANT, mandate },
    ...creative("submitted"),
  });
  assertEquals([action.actor, action.poll_after_seconds], ["wait", 900]);
});

Deno.test("a requirement says nothing of a step that nobody has to take", () => {
  const states: [Partial<BidSnapshot>, string][] = [
    [account(unanswered({})), "VAT registry"],
    [creative("submitted"), "under review"],
    [
      {
        ...account({ identityStatus: "unverified" }),
        identityPending: true,
      },
      "Wait until",
    ],
  ];
  for (const [state, said] of states) {
    const found = firstBid(snapshotOf(state)).requirements
      .filter(({ status }) => status === "blocked");
    for (const { detail } of found) {
      assert(detail.includes(said), detail);
      assert(!/^(Have|Verify)/.test(detail), detail);
    }
    assertEquals(found.length, 1);
  }
});

Deno.test("every wait says when it ends or when to look again, and no other action does", () => {
  const states: Partial<BidSnapshot>[] = [
    {},
    creative("submitted"),
    creative("draft"),
    account(unanswered({})),
    account(NO_CARD),
    { ...account({ identityStatus: "unverified" }), identityPending: true },
    { usedCents: 7_950 },
    { auction: null },
    { nowMs: TEST_START_MS + DAY_MS },
    { ...wanting({ day: TOMORROW }), auction: null },
    { liveBid: { ...LIVE_BID, amountCents: 1_000 } },
  ];
  const actions = states.flatMap((state) => {
    const found = firstBid(snapshotOf(state));
    return [
      found.next_action,
      ...found.requirements.flatMap(({ action }) => action ?? []),
    ];
  });
  assert(actions.some(({ until }) => until !== undefined));
  for (const action of actions) {
    const { until, poll_after_seconds: seconds } = action;
    const times = [until, seconds].filter((time) => time !== undefined);
    assertEquals(times.length, action.actor === "wait" ? 1 : 0, action.label);
    if (until !== undefined) assert(Date.parse(until) > TEST_START_MS);
    if (seconds !== undefined) assert(seconds >= 1);
  }
});

Deno.test("next_action of a rejected or archived creative is that of its newest version", () => {
  const grant = { ...GRANT, scopes: WRITES };
  const version = (state: Creative["state"]): Creative => ({
    ...approvedCreative("ada"),
    adId: "ad_next",
    state,
  });
  const ofVersion = { ad_id: "ad_next" };
  for (const old of ["rejected", "archived"] as const) {
    const after = (state: Creative["state"]) =>
      next({ grant, ...creative(old), newestVersion: version(state) });
    const submit = after("draft");
    assertEquals([submit.tool, submit.arguments], [
      "submit_creative",
      ofVersion,
    ]);
    assertEquals(
      submit.url,
      `${BID_SETTINGS.authUrl}/v1/agent/creatives/ad_next/submit`,
    );
    const wait = after("submitted");
    assertEquals([wait.actor, wait.poll_after_seconds], ["wait", 900]);
    assert(wait.label.includes('"ad_next"'), wait.label);
    const again = after("approved");
    assertEquals([again.tool, again.arguments], ["get_account", {
      day: BID_DAY,
      ad_id: "ad_next",
      amount_cents: 1_000,
    }]);
    const read = after("rejected");
    assertEquals([read.tool, read.arguments], ["get_creative", ofVersion]);
    const { requirements } = firstBid(
      snapshotOf({ ...creative(old), newestVersion: version("draft") }),
    );
    const detail = requirements.find(({ id }) => id === "creative")?.detail;
    assertEquals(
      detail,
      old === "rejected"
        ? 'The creative was rejected, and its newest version is "ad_next"'
        : 'The creative is archived, and its newest version is "ad_next"',
    );
  }
});
