import { assert, assertEquals } from "@std/assert";
import { dayOf } from "../../../domain/day.ts";
import { approveCreative } from "../../../domain/creatives/review_creative.ts";
import {
  CREATIVES_A_DAY,
  CREATIVES_KEPT_MAX,
} from "../../../domain/creatives/creative_quota.ts";
import { DAY_MS } from "../../../domain/day.ts";
import {
  type Agent,
  type BiddingWorld,
  openBiddingWorld,
} from "../../support/bidding_world.ts";
import { MISHAPS } from "../../support/faults.ts";
import { assertRefused, refusalOf } from "../../support/refused.ts";
import {
  adIdOf,
  COPY,
  DESK,
  notesOf,
  stored,
  submitted,
  verbsOf,
} from "./creative_world.ts";

async function whyOf(call: () => unknown) {
  return (await assertRefused(call, "creative_refused")).why;
}

Deno.test("createCreative() makes a draft with a line of history", async () => {
  await using world = await openBiddingWorld();
  const ada = await world.agent("ada");
  const made = await verbsOf(world.services, ada).create();
  const adId = adIdOf(made);
  const { createdAtMs, ...creative } = await stored(world, ada, adId);
  assertEquals(creative, {
    ...COPY,
    adId,
    accountId: "acc_ada",
    state: "draft",
    notes: 1,
  });
  assertEquals(createdAtMs, world.clock.now());
  assertEquals(await notesOf(world, adId), [{
    adId,
    number: 1,
    event: "created",
    by: { kind: "advertiser", grantId: ada.grant.id },
    atMs: createdAtMs,
    rejection: null,
  }]);
});

Deno.test("createCreative() makes one creative for 10 requests at once with one key", async () => {
  await using world = await openBiddingWorld();
  const ada = await world.agent("ada");
  const verbs = verbsOf(world.services, ada);
  const made = await Promise.all(
    Array.from({ length: 10 }, () => verbs.create({}, "k")),
  );
  assertEquals(new Set(made.map(adIdOf)).size, 1);
  assertEquals(made.filter(({ replayed }) => !replayed).length, 1);
  assertEquals(await kept(world, ada), 2, "the world's and this");
});

Deno.test("createCreative() binds no key to a refusal", async () => {
  await using world = await openBiddingWorld();
  const ada = await world.agent("ada");
  const verbs = verbsOf(world.services, ada);
  const why = await whyOf(() => verbs.create({ headline: "a\u200bbcd" }, "k"));
  assert(why.kind === "bad_copy");
  assertEquals(why.problems.map(({ field, code }) => [field, code]), [
    ["headline", "zero_width_character"],
  ]);
  assertEquals((await verbs.create({}, "k")).replayed, false);
});

Deno.test("createCreative() has one effect wherever the process dies", async () => {
  let died = 0;
  for (const when of MISHAPS) {
    await using world = await openBiddingWorld();
    const ada = await world.agent("ada");
    const dying = world.testStore.another();
    dying.kv.crashAt({ commit: 1, when });
    const { create } = verbsOf(world.over(dying.store), ada);
    await create({}, "k").catch(() => died++);
    const again = await verbsOf(world.services, ada).create({}, "k");
    assertEquals(again.replayed, when === "after" || when === "resent");
    assertEquals(await kept(world, ada), 2);
    const quota = await world.services.store.creativeShelves.find("acc_ada");
    assertEquals([quota?.kept, quota?.made], [2, 1]);
    assertEquals((await notesOf(world, adIdOf(again))).length, 1);
  }
  assertEquals(died, 3);
});

Deno.test("an account keeps so many creatives, and makes so many a day", async () => {
  await using world = await openBiddingWorld();
  const ada = await world.agent("ada");
  const verbs = verbsOf(world.services, ada);
  // The world's own creative was there before anything was counted.
  const made: string[] = [];
  for (let at = 1; at < CREATIVES_KEPT_MAX; at++) {
    made.push(adIdOf(await verbs.create()));
  }
  assertEquals(await whyOf(() => verbs.create()), {
    kind: "shelf_full",
    bound: "kept",
    most: CREATIVES_KEPT_MAX,
  });
  const full = await whyOf(() => verbs.update(ada.adId, { headline: "Rolls" }));
  assertEquals(full.kind, "shelf_full");
  const [first = "", second = ""] = made;
  await verbs.archive(first);
  await verbs.archive(second);
  for (let at = made.length; at < CREATIVES_A_DAY; at++) await verbs.create();
  assertEquals(await whyOf(() => verbs.create()), {
    kind: "shelf_full",
    bound: "day",
    most: CREATIVES_A_DAY,
  });
  world.clock.advance(DAY_MS);
  await verbs.create();
  const quota = await world.services.store.creativeShelves.find("acc_ada");
  assertEquals(quota, {
    accountId: "acc_ada",
    kept: CREATIVES_KEPT_MAX,
    day: dayOf(world.clock.now()),
    made: 1,
  });
});

Deno.test("creatives made at once never pass the bound", async () => {
  await using world = await openBiddingWorld();
  const ada = await world.agent("ada");
  const verbs = verbsOf(world.services, ada);
  for (let at = 3; at < CREATIVES_KEPT_MAX; at++) await verbs.create();
  const outcomes = await Promise.all(
    Array.from({ length: 4 }, () => refusalOf(() => verbs.create())),
  );
  assertEquals(outcomes.filter((refusal) => refusal === null).length, 2);
  assertEquals(await kept(world, ada), CREATIVES_KEPT_MAX);
});

Deno.test("updateCreative() changes a draft and nothing under review", async () => {
  await using world = await openBiddingWorld();
  const ada = await world.agent("ada");
  const verbs = verbsOf(world.services, ada);
  const adId = adIdOf(await verbs.create());
  await verbs.update(adId, { headline: "Rolls by bicycle" });
  assertEquals((await stored(world, ada, adId)).headline, "Rolls by bicycle");
  await verbs.submit(adId);
  const why = await whyOf(() => verbs.update(adId, { headline: "Buns" }));
  assertEquals(why, {
    kind: "wrong_state",
    adId,
    action: "update",
    state: "submitted",
  });
});

Deno.test("submit and update at once leave a copy at the desk that stays as it is", async () => {
  for (const first of ["submit", "update"] as const) {
    await using world = await openBiddingWorld();
    const ada = await world.agent("ada");
    const other = world.testStore.another();
    const here = verbsOf(world.services, ada);
    const there = verbsOf(world.over(other.store), ada);
    const adId = adIdOf(await here.create());
    const submit = () => refusalOf(() => here.submit(adId));
    const update = () =>
      refusalOf(() => there.update(adId, { headline: "Rolls" }));
    const [one, two] = await Promise.all(
      first === "submit" ? [submit(), update()] : [update(), submit()],
    );
    const updated = (first === "update" ? one : two) === null;
    const found = await stored(world, ada, adId);
    assertEquals(found.state, "submitted");
    // Who was told that it is done finds it done, who was refused does not.
    assertEquals(found.headline === "Rolls", updated);
    await refusalOf(() => here.update(adId, { headline: "Later" }));
    assertEquals(await stored(world, ada, adId), found);
  }
});

Deno.test("updateCreative() leaves an approved creative alone and makes a version of it", async () => {
  await using world = await openBiddingWorld();
  const ada = await world.agent("ada");
  const verbs = verbsOf(world.services, ada);
  const before = await stored(world, ada, ada.adId);
  const made = await verbs.update(ada.adId, { headline: "A better one" });
  assertEquals(made.answer.status, 201);
  assertEquals(await stored(world, ada, ada.adId), {
    ...before,
    revisedBy: adIdOf(made),
  });
  const { headline, revises, state } = await stored(world, ada, adIdOf(made));
  assertEquals([headline, revises, state], [
    "A better one",
    ada.adId,
    "draft",
  ]);
});

Deno.test("submitCreative() answers a repeat as it stands, without another line", async () => {
  await using world = await openBiddingWorld();
  const ada = await world.agent("ada");
  const adId = await submitted(world.services, ada);
  const before = await stored(world, ada, adId);
  world.clock.advance(1_000);
  await verbsOf(world.services, ada).submit(adId);
  assertEquals(await stored(world, ada, adId), before);
  const events = (await notesOf(world, adId)).map(({ event }) => event);
  assertEquals(events, ["created", "submitted"]);
});

Deno.test("submitCreative() lets no suspended or nameless advertiser to the desk", async () => {
  await using world = await openBiddingWorld();
  const ada = await world.agent("ada", {
    account: { suspendedAtMs: 1, company: null },
  });
  const refusal = await assertRefused(
    () => submitted(world.services, ada),
    "human_step_required",
  );
  assertEquals(refusal.reasons, ["suspended", "onboarding_incomplete"]);
});

Deno.test("submitCreative() lets nobody to the desk whose identity was not checked, whatever else is there", async () => {
  await using world = await openBiddingWorld();
  const ada = await world.agent("ada", {
    account: { identityStatus: "unverified" },
  });
  const refusal = await assertRefused(
    () => submitted(world.services, ada),
    "human_step_required",
  );
  assertEquals(refusal.reasons, ["identity_unverified"]);
  const limit = 1;
  const { store } = world.services;
  assertEquals(await store.listSubmittedCreatives({ limit }), []);
});

Deno.test("no verb finds another account's creative", async () => {
  await using world = await openBiddingWorld();
  const ada = await world.agent("ada");
  const bob = await world.agent("bob");
  const verbs = verbsOf(world.services, bob);
  const before = await stored(world, ada, ada.adId);
  const calls = [
    () => verbs.update(ada.adId, { headline: "Mine now" }),
    () => verbs.submit(ada.adId),
    () => verbs.archive(ada.adId),
  ];
  for (const call of calls) await assertRefused(call, "creative_not_found");
  assertEquals(await stored(world, ada, ada.adId), before);
});

Deno.test("the desk's queue holds what is submitted, longest waiting first", async () => {
  await using world = await openBiddingWorld();
  const { services, clock } = world;
  const ada = await world.agent("ada");
  const bob = await world.agent("bob");
  const queue = async () =>
    (await services.store.listSubmittedCreatives({ limit: 99 }))
      .map(({ adId }) => adId);
  const first = await submitted(services, bob);
  clock.advance(1_000);
  const second = await submitted(services, ada);
  clock.advance(1_000);
  const third = await submitted(services, ada);
  assertEquals(await queue(), [first, second, third]);
  await approveCreative(services, { adId: first, by: DESK });
  await verbsOf(services, ada).archive(third);
  assertEquals(await queue(), [second]);
});

async function kept({ services }: BiddingWorld, { account }: Agent) {
  const all = await services.store.listCreatives(account.id, { limit: 99 });
  return all.filter(({ state }) => state !== "archived").length;
}
