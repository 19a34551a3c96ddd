import {
  assert,
  assertEquals,
  assertNotEquals,
  assertRejects,
} from "@std/assert";
import { StoreUnavailable } from "../../../domain/failure.ts";
import type { RateLimiter } from "../../../domain/rate_limit/limiter.ts";
import { networksOf, widestOf } from "../../../domain/rate_limit/network.ts";
import { Refused } from "../../../domain/refusal.ts";
import {
  ADDRESS_BUCKET_CAPACITY,
  BUCKET_POLICIES,
} from "../../../domain/rate_limit/policy.ts";
import { TooManyWaiting } from "../../../domain/rate_limit/uncounted.ts";
import { renderPublic } from "../../../routes/errors/public_surface.ts";
import { limitCallsBeside } from "../../../routes/middleware/person_limits.ts";
import {
  type ChangeKind,
  chargeAccount,
  chargeBid,
  type Payer,
} from "../../../routes/middleware/account_costs.ts";
import {
  chargeNetworks,
  chargePublic,
  drawGrant,
  limitAddress,
  payerOf as payerIn,
  type RateLimits,
  refuseEmptyGrant,
} from "../../../routes/middleware/rate_limit.ts";
import {
  publicRateHeaders,
  RATE_LIMIT_POLICY,
  retryHeaders,
} from "../../../routes/http/rate_headers.ts";
import {
  type Gate,
  route,
  type RouteContext,
  routeTable,
} from "../../../routes/route_table.ts";
import { readyAccount } from "../../support/bidding_world.ts";
import { MemoryLog } from "../../support/captured_logs.ts";
import {
  type LimiterFixture,
  openLimiter,
} from "../../domain/rate_limit/fixture.ts";

const settings = { baseUrl: "http://site.test", authUrl: "http://auth.test" };
const log = new MemoryLog();

/** A host with one route behind the gate, asked from an address. */
function hostBehind(...gates: Gate[]) {
  const grantId = "grant_1";
  const host = routeTable({ settings, log }, [{
    prefix: "/api",
    enter: [
      (context) => {
        context.set("bearer", { grant: { id: grantId } } as never);
        context.set("signedIn", { account: { id: "acc_1" } } as never);
        return null;
      },
      ...gates,
    ],
    routes: [
      route(
        "GET",
        "/api/day",
        (context) =>
          new Response("day", { headers: context.get("rateHeaders") }),
      ),
    ],
    answers: { refused: renderPublic },
  }, { prefix: "", routes: [], answers: { refused: renderPublic } }]);
  return async (
    remoteAddress: string,
    headers: Record<string, string> = {},
    path = "/api/day",
  ): Promise<Response> => {
    const request = new Request(`http://site.test${path}`, { headers });
    const trace = { requestId: "1", route: "", grantId: null };
    return await host.fetch(request, { remoteAddress, trace } as never);
  };
}

/** What a request under a grant passes. */
function grantGates(limits: RateLimits): Gate[] {
  return [drawGrant(limits), refuseEmptyGrant];
}

function rateOf(response: Response): (string | null)[] {
  return ["ratelimit-policy", "ratelimit", "retry-after"]
    .map((name) => response.headers.get(name));
}

const POLICY = '"agent";q=120;svc-refill=2';

Deno.test("publicRateHeaders() says the policy and what is left", () => {
  assertEquals(RATE_LIMIT_POLICY, POLICY);
  for (const remaining of [0, 1, 119, 120, 121]) {
    assertEquals(publicRateHeaders({ admitted: true, remaining }), {
      "ratelimit-policy": POLICY,
      "ratelimit": `"agent";r=${remaining}`,
    });
  }
});

Deno.test("publicRateHeaders() of a refusal says r=0 and when to come again", () => {
  assertEquals(publicRateHeaders({ admitted: false, retryAfterS: 7 }), {
    "ratelimit-policy": POLICY,
    "ratelimit": '"agent";r=0',
    "retry-after": "7",
  });
});

Deno.test("retryHeaders() says whole seconds, at least one", () => {
  assertEquals(retryHeaders(0), { "retry-after": "1" });
  assertEquals(retryHeaders(1.2), { "retry-after": "2" });
});

Deno.test("chargePublic() counts down and answers 429 with all three headers", async () => {
  await using store = await openLimiter();
  const ask = hostBehind(charging({ ...store, trustedProxyHops: 0 }));
  for (let left = 119; left >= 0; left--) {
    const response = await ask("192.0.2.1");
    assertEquals(response.status, 200);
    assertEquals(rateOf(response), [POLICY, `"agent";r=${left}`, null]);
  }
  const refused = await ask("192.0.2.1");
  assertEquals(refused.status, 429);
  assertEquals(rateOf(refused), [POLICY, '"agent";r=0', "1"]);
  assertEquals((await ask("192.0.2.2")).status, 200);
});

const GRANT = { id: "grant_1", accountId: "acc_1" };

/** An agent of an account that is known. */
function payerOf(grant = GRANT): Payer {
  const account = () => Promise.resolve(readyAccount("ada"));
  const store = { paymentMethods: { find: () => Promise.resolve(null) } };
  return { grant, account, store, network: "192.0.2.1" };
}

/** Asks so many times. */
async function changes(
  limits: Pick<RateLimits, "limiter">,
  kind: ChangeKind | "bid",
  wanted: number,
  grant = GRANT,
): Promise<void> {
  for (let nth = 0; nth < wanted; nth++) {
    await charge(limits, kind, grant);
  }
}

async function charge(
  limits: Pick<RateLimits, "limiter">,
  kind: ChangeKind | "bid",
  grant = GRANT,
): Promise<void> {
  if (kind === "bid") await chargeBid(limits, grant).charged;
  else await chargeAccount(limits, kind, payerOf(grant));
}

async function assertEmpty(
  limits: Pick<RateLimits, "limiter">,
  kind: ChangeKind | "bid",
): Promise<void> {
  const { refusal } = await assertRejects(
    () => charge(limits, kind),
    Refused,
  );
  assert(refusal.code === "rate_limited" && refusal.of === "account");
}

/** Uses up what is kept of an account's changes in a day. */
async function fillDay({ clock, ...limits }: LimiterFixture): Promise<void> {
  await changes(limits, "checkout", 1_000);
  for (let nth = 0; nth < 4; nth++) {
    await changes(limits, "change", 2_200);
    clock.advance(110_000);
  }
  // What has come back meanwhile.
  const back = 200 + Math.floor(440 * 10_000 / 86_400);
  await changes(limits, "change", back);
}

Deno.test("an account has 10,000 changes kept at once, over its agents and checkouts, and as many again in a day", async () => {
  await using store = await openLimiter();
  await fillDay(store);
  await changes(store, "change", BUCKET_POLICIES.share.capacity);
  await assertEmpty(store, "change");
  await assertEmpty(store, "checkout");
  await chargeAccount(
    store,
    "change",
    payerOf({ ...GRANT, accountId: "acc_2" }),
  );
  store.clock.advance(86_400_000);
  await changes(store, "change", 2_000);
});

Deno.test("nothing else that an account's agents do keeps one from bidding at 120 a minute", async () => {
  await using store = await openLimiter();
  await fillDay(store);
  await changes(store, "change", BUCKET_POLICIES.share.capacity);
  await assertEmpty(store, "change");
  for (let minute = 0; minute < 100; minute++) {
    await changes(store, "bid", 120);
    store.clock.advance(60_000);
  }
});

Deno.test("an agent has a share of its account's bids and changes that the others cannot use up", async () => {
  await using store = await openLimiter();
  await fillDay(store);
  await changes(store, "bid", BUCKET_POLICIES.bid.capacity);
  const { capacity } = BUCKET_POLICIES.share;
  await changes(store, "bid", capacity);
  await assertEmpty(store, "bid");
  const other = { ...GRANT, id: "grant_2" };
  await changes(store, "bid", capacity / 3, other);
  await changes(store, "change", capacity / 3, other);
  await changes(store, "checkout", capacity / 3, other);
  const asOther = () => chargeAccount(store, "change", payerOf(other));
  await assertRejects(asOther, Refused);
});

Deno.test("chargePublic() charges what is not found or not allowed as well", async () => {
  await using store = await openLimiter();
  const ask = hostBehind(charging({ ...store, trustedProxyHops: 0 }));
  const missing = await ask("192.0.2.1", {}, "/api/nothing");
  assertEquals(missing.status, 404);
  assertEquals(rateOf(missing), [POLICY, '"agent";r=119', null]);
});

Deno.test("chargePublic() sees the client through trusted proxies only", async () => {
  await using store = await openLimiter({ hashId: (text) => text });
  const forwarded = { "x-forwarded-for": "192.0.2.1" };
  const trusting = hostBehind(charging({ ...store, trustedProxyHops: 1 }));
  const wary = hostBehind(charging({ ...store, trustedProxyHops: 0 }));
  await trusting("198.51.100.9", forwarded);
  const same = await trusting("198.51.100.8", forwarded);
  assertEquals(same.headers.get("ratelimit"), '"agent";r=118');
  const other = await wary("198.51.100.9", forwarded);
  assertEquals(other.headers.get("ratelimit"), '"agent";r=119');
});

Deno.test("chargePublic() answers 503 with the policy when the store is silent", async () => {
  const limiter: RateLimiter = {
    take: () => Promise.reject(new StoreUnavailable("Cannot count")),
    takeAll: () => Promise.reject(new StoreUnavailable("Cannot count")),
    takeHere: () => ({ admitted: true, remaining: 1 }),
    isEmpty: () => false,
    isKnown: () => false,
    inTurn: (_kind, _of, work) => work(),
    isFree: () => true,
    close: () => Promise.resolve(),
  };
  const ask = hostBehind(charging({ limiter, trustedProxyHops: 0 }));
  const response = await ask("192.0.2.1");
  assertEquals(response.status, 503);
  assertEquals(rateOf(response), [POLICY, null, "1"]);
});

Deno.test("a request that too many wait before is 503 with a second to wait, and no line in the log", async () => {
  const limiter: RateLimiter = {
    take: () => Promise.reject(new TooManyWaiting()),
    takeAll: () => Promise.reject(new TooManyWaiting()),
    takeHere: () => ({ admitted: true, remaining: 1 }),
    isEmpty: () => false,
    isKnown: () => false,
    inTurn: (_kind, _of, work) => work(),
    isFree: () => true,
    close: () => Promise.resolve(),
  };
  const limits = { limiter, trustedProxyHops: 0 };
  const lines = log.lines.length;
  for (
    const gate of [
      limitAddress(limits),
      async (context: RouteContext) => {
        await chargeNetworks(context, limits, "registration");
        return null;
      },
    ]
  ) {
    const response = await hostBehind(gate)("192.0.2.1");
    assertEquals(response.status, 503);
    assertEquals(response.headers.get("retry-after"), "1");
  }
  assertEquals(log.lines.length, lines);
});

for (
  const [name, gate, capacity] of [
    ["drawGrant", grantGates, 120],
    ["limitAddress", (limits: RateLimits) => [limitAddress(limits)], 60],
  ] as const
) {
  Deno.test(`${name}() says nothing but Retry-After, and that on 429 alone`, async () => {
    await using store = await openLimiter();
    const ask = hostBehind(...gate({ ...store, trustedProxyHops: 0 }));
    for (let n = 0; n < capacity; n++) {
      const response = await ask("192.0.2.1");
      assertEquals(response.status, 200);
      assertEquals(rateOf(response), [null, null, null]);
    }
    const refused = await ask("192.0.2.1");
    assertEquals(refused.status, 429);
    assertEquals(rateOf(refused), [null, null, "1"]);
  });
}

Deno.test("drawGrant() counts a grant wherever it calls from", async () => {
  await using store = await openLimiter();
  const ask = hostBehind(...grantGates({ ...store, trustedProxyHops: 0 }));
  for (let n = 0; n < 120; n++) await ask(`192.0.2.${n}`);
  const refused = await ask("203.0.113.1");
  assert(refused.status === 429);
});

Deno.test("what pages ask the processor costs the account a token, from however many addresses", async () => {
  await using limits = await openLimiter({ hashId: (text) => text });
  const parts = { limiter: limits.limiter, trustedProxyHops: 0 };
  const ask = hostBehind(limitCallsBeside(parts, "/api"));
  const statuses: number[] = [];
  for (let nth = 0; nth <= ADDRESS_BUCKET_CAPACITY; nth++) {
    statuses.push((await ask(`192.0.2.${nth}`)).status);
  }
  assertEquals(statuses.pop(), 429);
  assertEquals(new Set(statuses), new Set([200]));
  const page = hostBehind(limitCallsBeside(parts, "/api/day"));
  assertEquals((await page("192.0.2.1")).status, 200);
});

Deno.test("limitCallsBeside() charges the address, whichever account asks from it", async () => {
  await using limits = await openLimiter({ hashId: (text) => text });
  const parts = { limiter: limits.limiter, trustedProxyHops: 0 };
  let nth = 0;
  const anotherAccount: Gate = (context) => {
    context.set("signedIn", { account: { id: `acc_${nth++}` } } as never);
    return null;
  };
  const ask = hostBehind(anotherAccount, limitCallsBeside(parts, "/api"));
  const statuses: number[] = [];
  for (let asked = 0; asked <= ADDRESS_BUCKET_CAPACITY; asked++) {
    statuses.push((await ask("192.0.2.1")).status);
  }
  assertEquals(statuses.pop(), 429);
  assertEquals(new Set(statuses), new Set([200]));
  assertEquals((await ask("192.0.2.2")).status, 200);
});

/** A gate that takes a token of the public bucket. */
function charging(limits: RateLimits): Gate {
  return async function charging(context) {
    await chargePublic(context, limits);
    return null;
  };
}

Deno.test("what others' pages have a link ask for takes turns with its site's", () => {
  const context = { req: { raw: askedByOthers } } as RouteContext;
  const payer = payerIn(context, "2001:db8:1:2::/64");
  const site = widestOf(networksOf(payer));
  assertEquals(site, payerIn(context, "2001:db8:1::/48"));
  assertNotEquals(site, "2001:db8:1::/48");
});

/** A request that a page of another site has a browser send. */
const askedByOthers = new Request("http://site.test/", {
  headers: { "sec-fetch-site": "cross-site" },
});
