/**
 * What somebody may do is used up by nobody else: not at the same address, not
 * by the account's agents, and not by pages of other sites.
 *
 * @module
 */
import { assertEquals } from "@std/assert";
import type { BucketKind } from "../../domain/rate_limit/policy.ts";
import { type EveryRoute, openEveryRoute } from "../support/every_route.ts";

const EMAIL = "ada@example.com";
const ADDRESS = "198.51.100.7";

/** Has nothing left of it. */
async function useUp(
  { running }: EveryRoute,
  kind: BucketKind,
  id: string,
): Promise<void> {
  const { limiter } = running.service.core;
  while ((await limiter.take(kind, id)).admitted);
}

async function accountIdOf({ running }: EveryRoute): Promise<string> {
  const { store } = running.service.core.services;
  const found = await store.accountEmails.find(EMAIL);
  return found?.accountId ?? "";
}

/** The statuses of what a browser at the address asks for, one by one. */
async function statuses(
  every: EveryRoute,
  asked: readonly string[],
  init: { cookie?: string; headers?: Record<string, string> } = {},
): Promise<number[]> {
  const { baseUrl: origin } = every.running.config.settings;
  const all: number[] = [];
  for (const each of asked) {
    const [method = "", path = ""] = each.split(" ");
    const operation = { method, url: origin + path };
    const answer = await every.ask(operation as never, {
      headers: {
        accept: "text/html",
        cookie: init.cookie ?? every.cookie,
        "x-forwarded-for": ADDRESS,
        ...method === "POST" && { origin },
        ...init.headers,
      },
      ...method === "POST" && { body: new URLSearchParams({ day: "x" }) },
    });
    await answer.body?.cancel();
    all.push(answer.status);
  }
  return all;
}

const OWN = [
  "POST /bids/review",
  "POST /bids/place",
  "POST /sign-in",
  "POST /settings/mails",
  "GET /bids",
  "GET /agents",
  "GET /billing",
];

Deno.test("who is signed in changes, bids and signs in again where the address is used up", async () => {
  await using every = await openEveryRoute(EMAIL);
  const before = await statuses(every, OWN);
  for (const kind of ["address", "page", "public"] as const) {
    await useUp(every, kind, ADDRESS);
  }
  assertEquals(await statuses(every, OWN), before);
  assertEquals(before.includes(429), false);
});

Deno.test("an account's agents, whatever they use up, keep its owner from nothing", async () => {
  await using every = await openEveryRoute(EMAIL);
  const before = await statuses(every, OWN);
  const accountId = await accountIdOf(every);
  for (
    const kind of ["list", "bid", "change", "checkout", "kept_change"] as const
  ) await useUp(every, kind, accountId);
  assertEquals(await statuses(every, OWN), before);
});

Deno.test("a window that another site leads to our pages all the time keeps its user from nothing", async () => {
  await using every = await openEveryRoute(EMAIL);
  const before = await statuses(every, OWN);
  const led = {
    "sec-fetch-site": "cross-site",
    "sec-fetch-mode": "navigate",
    "sec-fetch-dest": "document",
  };
  for (const page of ["GET /agents", "GET /sign-in?next=/billing/return"]) {
    const asked = await statuses(every, Array(75).fill(page), { headers: led });
    assertEquals(asked.at(-1), 429, page);
  }
  assertEquals(await statuses(every, OWN), before);
});

Deno.test("pages that a browser is led to keep it from no change, whatever the browser says of them", async () => {
  await using every = await openEveryRoute(EMAIL);
  const changes = OWN.filter((each) => each.startsWith("POST"));
  const before = await statuses(every, changes);
  const accountId = await accountIdOf(every);
  for (const id of [ADDRESS, accountId]) await useUp(every, "page", id);
  await useUp(every, "own_list", accountId);
  assertEquals(await statuses(every, changes), before);
  assertEquals(await statuses(every, ["GET /agents"]), [429]);
});

Deno.test("a form of nobody who is signed in costs its address a token before it is read", async () => {
  await using every = await openEveryRoute(EMAIL);
  const asked = ["POST /bids/review", "POST /bids/place"];
  assertEquals(await statuses(every, asked, { cookie: "" }), [401, 401]);
  await useUp(every, "address", ADDRESS);
  assertEquals(await statuses(every, asked, { cookie: "" }), [429, 429]);
});

Deno.test("what comes from another site's form or as another type costs its address nothing", async () => {
  await using every = await openEveryRoute(EMAIL);
  const nobody = { cookie: "", headers: { origin: "https://rival.example" } };
  const forms = ["POST /sign-in", "POST /passkeys/sign-in/options"];
  for (let nth = 0; nth < 35; nth++) await statuses(every, forms, nobody);
  const { baseUrl, authUrl } = every.running.config.settings;
  for (let nth = 0; nth < 35; nth++) {
    for (const path of ["/oauth/register", "/oauth/token"]) {
      const answer = await every.ask(
        { method: "POST", url: authUrl + path } as never,
        {
          headers: {
            "x-forwarded-for": ADDRESS,
            "content-type": "text/plain",
            origin: "https://rival.example",
          },
          body: "x",
        },
      );
      await answer.body?.cancel();
      assertEquals(answer.status, 400);
    }
  }
  const { limiter } = every.running.service.core;
  const left = await limiter.take("address", ADDRESS);
  assertEquals(left, { admitted: true, remaining: 59 }, baseUrl);
});
