import { assertEquals } from "@std/assert";
import {
  answerOf,
  assertProblem,
  openOperatorSite,
  type OperatorSite,
} from "./operator_site.ts";

const TODAY = "2026-11-20";
const REASON = "The advertiser sold what it did not own";

async function openSettled(): Promise<OperatorSite> {
  const site = await openOperatorSite();
  for (const action of ["open", "close", "settle"]) {
    await answerOf(await site.operate("POST", `auctions/${TODAY}/${action}`));
  }
  return site;
}

function remove(site: OperatorSite, body: unknown, day = TODAY) {
  return site.operate("POST", `spotlights/${day}/remove`, { body });
}

Deno.test("POST remove takes the Spotlight from public reads at once", async () => {
  await using site = await openSettled();
  const { spotlight } = await answerOf(await remove(site, { reason: REASON }));
  assertEquals(spotlight.removedAt, "2026-11-20T12:00:00.000Z");
  assertEquals(spotlight.removalReason, REASON);
  for (const path of ["/api/v1/spotlight", `/api/v1/spotlights/${TODAY}`]) {
    const response = await site.read(path);
    assertEquals(response.status, 404);
    await response.body?.cancel();
  }
});

Deno.test("POST remove keeps the first reason when it is repeated", async () => {
  await using site = await openSettled();
  const first = await answerOf(await remove(site, { reason: REASON }));
  site.world.clock.advance(60_000);
  const again = await answerOf(await remove(site, { reason: "Another one" }));
  assertEquals(again, first);
});

Deno.test("POST remove answers 404 to a day that has not settled", async () => {
  await using site = await openSettled();
  await assertProblem(
    await remove(site, { reason: REASON }, "2026-11-21"),
    404,
    "NOT_FOUND",
    "Cannot find a Spotlight of that day",
  );
});

for (
  const [what, body] of [
    ["no reason", {}],
    ["an empty reason", { reason: "  " }],
    ["a long reason", { reason: "x".repeat(501) }],
    ["another member", { reason: REASON, amount_cents: 1 }],
    ["a list", [REASON]],
  ] as const
) {
  Deno.test(`POST remove answers 400 to ${what} and removes nothing`, async () => {
    await using site = await openSettled();
    const response = await remove(site, body);
    assertEquals(response.status, 400);
    assertEquals((await response.json()).code, "VALIDATION_FAILED");
    const read = await site.read(`/api/v1/spotlights/${TODAY}`);
    assertEquals(read.status, 200);
    await read.body?.cancel();
  });
}

Deno.test("POST remove answers 400 to a body that is no JSON", async () => {
  await using site = await openSettled();
  await assertProblem(
    await site.operate("POST", `spotlights/${TODAY}/remove`),
    400,
    "VALIDATION_FAILED",
    "Cannot read the body: its media type must be application/json",
  );
});
