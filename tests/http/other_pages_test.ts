/**
 * A page of another site that a person has open, or that opens others, spends
 * nothing that this person or its agents need.
 *
 * @module
 */
import { assert, assertEquals } from "@std/assert";
import {
  type EveryRoute,
  openEveryRoute,
  type Operation,
} from "../support/every_route.ts";

/** What browsers send of a request, besides what a page chooses. */
const CROSS_SITE = { "sec-fetch-site": "cross-site" };
const PICTURE = {
  ...CROSS_SITE,
  "sec-fetch-mode": "no-cors",
  "sec-fetch-dest": "image",
};
const NAVIGATION = { ...CROSS_SITE, "sec-fetch-mode": "navigate" };
const SCRIPT = {
  ...CROSS_SITE,
  "sec-fetch-mode": "cors",
  "sec-fetch-dest": "empty",
  origin: "https://rival.example",
};

/** What a page can have sent without its user doing anything. */
const UNCALLED_FOR: Record<string, Record<string, string>> = {
  picture: PICTURE,
  beacon: {
    ...PICTURE,
    "sec-fetch-dest": "empty",
    "content-type": "text/plain;charset=UTF-8",
    origin: "https://rival.example",
  },
  frame: { ...NAVIGATION, "sec-fetch-dest": "iframe" },
  prefetch: {
    ...NAVIGATION,
    "sec-fetch-dest": "document",
    "sec-purpose": "prefetch",
  },
  neighbour: { ...PICTURE, "sec-fetch-site": "same-site" },
};

/** Counts the tokens that are asked for from then on. */
function countTokens({ running }: EveryRoute): string[] {
  const { limiter } = running.service.core;
  const { take, takeAll } = limiter;
  const asked: string[] = [];
  Object.assign(limiter, {
    take(...[kind, id]: Parameters<typeof take>) {
      asked.push(kind);
      return take(kind, id);
    },
    takeAll(...[charges, asker]: Parameters<typeof takeAll>) {
      asked.push(...charges.map(({ id }) => id));
      return takeAll(charges, asker);
    },
  });
  return asked;
}

async function statusOf(
  every: EveryRoute,
  operation: Operation,
  headers: Record<string, string>,
  init: RequestInit = {},
): Promise<number> {
  const answer = await every.ask(operation, { ...init, headers });
  await answer.body?.cancel();
  return answer.status;
}

Deno.test("nothing that a page of another site shows or sends takes a token, at every route", async () => {
  await using every = await openEveryRoute();
  const asked = countTokens(every);
  let refused = 0;
  for (const operation of every.operations) {
    // Its clicks are told apart and have a bucket of their own.
    if (operation.path === "/go/:day") continue;
    for (const [what, headers] of Object.entries(UNCALLED_FOR)) {
      const status = await statusOf(every, operation, headers);
      assertEquals(asked, [], `${what} ${operation.name}`);
      if (status === 403) refused += 1;
      else assertEquals(operation.method, "GET", `${what} ${operation.name}`);
    }
  }
  assert(refused > 500);
});

Deno.test("forms of another site's pages take no token, at every route", async () => {
  await using every = await openEveryRoute();
  const asked = countTokens(every);
  const headers = {
    ...NAVIGATION,
    "sec-fetch-dest": "document",
    "content-type": "application/x-www-form-urlencoded",
    origin: "https://rival.example",
  };
  for (const operation of every.operations) {
    if (operation.method === "GET") continue;
    const status = await statusOf(every, operation, headers, { body: "x=1" });
    assertEquals([status, asked], [403, []], operation.name);
  }
});

Deno.test("scripts of another site take tokens only where scripts may ask", async () => {
  await using every = await openEveryRoute();
  const asked = countTokens(every);
  let open = 0;
  for (const operation of every.operations) {
    const answer = await every.ask(operation, { headers: SCRIPT });
    await answer.body?.cancel();
    const mayRead = answer.headers.has("access-control-allow-origin");
    if (mayRead) open += 1;
    else if (operation.path !== "/go/:day") {
      assertEquals(asked, [], operation.name);
    }
    asked.length = 0;
  }
  assert(open > 30);
});

Deno.test("whoever follows a link of another site comes to our pages", async () => {
  await using every = await openEveryRoute();
  const { cookie } = every;
  const led = { ...NAVIGATION, "sec-fetch-dest": "document" };
  for (const operation of every.operations) {
    if (operation.method !== "GET") continue;
    const headers = { cookie, accept: "text/html" };
    const wanted = await statusOf(every, operation, headers);
    const status = await statusOf(every, operation, { ...headers, ...led });
    assertEquals(status, wanted, operation.name);
  }
});
