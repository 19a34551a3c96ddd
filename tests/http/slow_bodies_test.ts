/**
 * Bodies that took long to be read, at every route there is: whoever sent them is
 * told to come again before the next one is read, and nobody else is.
 *
 * @module
 */
import { assertEquals } from "@std/assert";
import type { Operation } from "../support/every_route.ts";
import {
  type AskedEverywhere,
  askedEverywhere,
  FORM_TYPE,
  JSON_TYPE,
  WITHOUT_BODY,
} from "../support/asked_everywhere.ts";
import { ManualClock } from "../support/clock.ts";

const SLOW = "203.0.113.1";
const OTHER = "203.0.113.2";

/** Sends a body from an address; answers the status and when to come again. */
async function send(
  everywhere: AskedEverywhere,
  operation: Operation,
  { type, from }: { type: string; from: string },
): Promise<{ status: number; retryAfter: string | null }> {
  const headers = await everywhere.headersOf(operation, type);
  const answer = await fetch(operation.url, {
    method: operation.method,
    headers: { ...headers, "x-forwarded-for": from },
    body: type === JSON_TYPE ? "{}" : "a=b",
    redirect: "manual",
  });
  await answer.body?.cancel();
  const retryAfter = answer.headers.get("retry-after");
  return { status: answer.status, retryAfter };
}

Deno.test("whose bodies took long is told to come again at every route that reads one, and nobody else", async () => {
  let nowMs = 0;
  let isSlow = true;
  const readingMs = () => isSlow ? nowMs += 600 : nowMs;
  const clock = new ManualClock();
  await using everywhere = await askedEverywhere({ readingMs, clock });
  // What is for this machine only is not asked through a proxy.
  const changing = everywhere.changing.filter(({ path }) =>
    !path.startsWith("/operator/v1/demo/")
  );
  const token = changing.find(({ path }) => path === "/oauth/token");
  if (token === undefined) throw new TypeError("No route gives tokens");
  for (let nth = 0; nth < 2; nth++) {
    await send(everywhere, token, { type: FORM_TYPE, from: SLOW });
  }
  isSlow = false;
  const unread: string[] = [];
  for (const route of changing) {
    clock.advance(60_000);
    everywhere.signInAgain();
    const statuses = new Set<number>();
    for (const type of [JSON_TYPE, FORM_TYPE]) {
      const other = await send(everywhere, route, { type, from: OTHER });
      everywhere.signInAgain();
      const slow = await send(everywhere, route, { type, from: SLOW });
      if (slow.status === 503) assertEquals(slow.retryAfter, "2", route.name);
      assertEquals(other.status < 500, true, `${route.name}: ${other.status}`);
      statuses.add(slow.status);
    }
    if (!statuses.has(503)) unread.push(route.name);
  }
  assertEquals(unread.toSorted(), WITHOUT_BODY.toSorted());
});
