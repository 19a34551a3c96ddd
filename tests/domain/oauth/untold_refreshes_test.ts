/** Refreshes that are answered "try the same again", as the store fell silent. */
import { assertEquals, assertRejects } from "@std/assert";
import { DAY_MS } from "../../../domain/day.ts";
import { OutcomeUnknown } from "../../../domain/failure.ts";
import { refreshTokens } from "../../../domain/oauth/refresh_tokens.ts";
import { UntoldRefreshes } from "../../../domain/oauth/untold_refreshes.ts";
import type { Services } from "../../../domain/ports.ts";
import { createGrant } from "../../../tools/demo/create_grant.ts";
import {
  type BiddingWorld,
  openBiddingWorld,
} from "../../support/bidding_world.ts";
import { type FaultRule, keyOf } from "../../support/faults.ts";
import { assertRefused } from "../../support/refused.ts";

/** A process whose commit of a grant has no answer. */
function processOf(
  { services, testStore }: BiddingWorld,
  kinds: readonly ("fail_before" | "fail_after")[],
) {
  const faults = kinds.map((kind): FaultRule => ({
    on: "commit",
    key: keyOf("grants"),
    fault: { kind },
  }));
  const { store } = testStore.another(faults);
  const untold = new UntoldRefreshes();
  return (refreshToken: string) =>
    refreshTokens({ ...services, store }, {
      refreshToken,
      clientId: "client_demo",
      scopes: null,
      resources: null,
    }, untold);
}

async function openWorld() {
  const world = await openBiddingWorld({ opened: false });
  await world.agent("ada");
  const { grant, refreshToken } = await createGrant(world.services, {
    accountId: "acc_ada",
    clientId: "client_demo",
    scopes: ["account:read"],
    mandate: null,
  });
  return { world, grantId: grant.id, refreshToken };
}

async function endingOf({ store }: Services, grantId: string) {
  return (await store.grants.find(grantId))?.lastEnding?.reason;
}

for (const kind of ["fail_before", "fail_after"] as const) {
  Deno.test(`a refresh without an answer is repeated after any outage at its process, for 30 s from its answer on (${kind})`, async () => {
    const { world, grantId, refreshToken } = await openWorld();
    await using _ = world;
    const { services, clock } = world;
    const refresh = processOf(world, [kind]);
    await assertRejects(() => refresh(refreshToken), OutcomeUnknown);
    clock.advance(DAY_MS);
    const given: string[] = [];
    for (const afterMs of [0, 29_999, 1]) {
      clock.advance(afterMs);
      given.push((await refresh(refreshToken)).refreshToken);
    }
    assertEquals(given, Array.from(given, () => given[0]));
    assertEquals(await endingOf(services, grantId), undefined);
    clock.advance(1);
    await assertRefused(() => refresh(refreshToken), "oauth_error");
    assertEquals(await endingOf(services, grantId), "refresh_reuse");
  });
}

Deno.test("a refresh without an answer is repeated however often it has none", async () => {
  const { world, refreshToken } = await openWorld();
  await using _ = world;
  const refresh = processOf(world, ["fail_before", "fail_after"]);
  for (let n = 0; n < 2; n++) {
    await assertRejects(() => refresh(refreshToken), OutcomeUnknown);
    world.clock.advance(DAY_MS / 2);
  }
  await refresh(refreshToken);
});

Deno.test("a token that got no answer is a reuse once its successor was used, and so is any older one", async () => {
  const { world, grantId, refreshToken } = await openWorld();
  await using _ = world;
  const refresh = processOf(world, ["fail_after"]);
  await assertRejects(() => refresh(refreshToken), OutcomeUnknown);
  const { refreshToken: second } = await refresh(refreshToken);
  await refresh(second);
  await assertRefused(() => refresh(refreshToken), "oauth_error");
  assertEquals(await endingOf(world.services, grantId), "refresh_reuse");
});

Deno.test("what one process did not tell is no excuse at another, once 30 s are over", async () => {
  const { world, grantId, refreshToken } = await openWorld();
  await using _ = world;
  const [one, other] = [processOf(world, ["fail_after"]), processOf(world, [])];
  await assertRejects(() => one(refreshToken), OutcomeUnknown);
  world.clock.advance(30_001);
  await assertRefused(() => other(refreshToken), "oauth_error");
  assertEquals(await endingOf(world.services, grantId), "refresh_reuse");
});

Deno.test("a process remembers 10,000 refreshes without an answer, and of more the oldest go", () => {
  const untold = new UntoldRefreshes();
  for (let nth = 0; nth < 10_000; nth++) untold.leave(`hash ${nth}`);
  assertEquals(untold.isOpen("hash 0", 1), true);
  untold.leave("hash 10000");
  assertEquals(untold.isOpen("hash 0", 1), false);
  assertEquals(untold.isOpen("hash 10000", 1), true);
});
