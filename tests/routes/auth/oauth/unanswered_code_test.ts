import { assertEquals } from "@std/assert";
import { type Fault, keyOf } from "../../../support/faults.ts";
import {
  approve,
  type Approved,
  assertOauthError,
  bearerStatus,
  codeForm,
  refreshForm,
  register,
  tokensOf,
} from "../../../support/oauth_flow.ts";
import {
  type OauthWorld,
  openOauthWorld,
} from "../../../support/oauth_world.ts";

/** Has the commit of the next exchange end so. */
function plan({ bidding }: OauthWorld, kind: Fault["kind"]): void {
  const fault = { kind } as Fault;
  bidding.testStore.kv.inject({ on: "commit", key: keyOf("grants"), fault });
}

/** A code whose exchange was answered "try the same again". */
async function unanswered(
  world: OauthWorld,
  kind: Fault["kind"] = "fail_after",
): Promise<Approved> {
  const approved = await approve(world);
  plan(world, kind);
  const answer = await world.post(codeForm(approved));
  assertEquals(answer.status, 503);
  assertEquals((await answer.json()).error, "temporarily_unavailable");
  assertEquals(answer.headers.get("retry-after"), "1");
  return approved;
}

async function reasonOf(world: OauthWorld, { grantId }: Approved) {
  const grant = await world.services.store.grants.find(grantId);
  return grant?.lastEnding?.reason ?? null;
}

/** What the store may be taken for. */
const STORES = [
  { where: "over a network", isNetworked: true },
  { where: "in a file", isNetworked: false },
];

for (const { where, isNetworked } of STORES) {
  for (const kind of ["fail_before", "fail_after"] as const) {
    Deno.test(`C1 the repeat of an exchange without an answer gets the same tokens for 30 s, and ends nothing (${kind}, ${where})`, async () => {
      await using world = await openOauthWorld({ isNetworked });
      const approved = await unanswered(world, kind);
      world.bidding.clock.advance(1_000);
      const tokens = await tokensOf(await world.post(codeForm(approved)));
      world.bidding.clock.advance(29_000);
      const again = await tokensOf(await world.post(codeForm(approved)));
      assertEquals(again.refresh_token, tokens.refresh_token);
      assertEquals(again.access_token, tokens.access_token);
      assertEquals([tokens.expires_in, again.expires_in], [3_599, 3_570]);
      assertEquals(await bearerStatus(world, again.access_token), 200);
      assertEquals(await reasonOf(world, approved), null);
    });
  }

  Deno.test(`C1 an exchange without an answer that comes again after 30 s is a replay (${where})`, async () => {
    await using world = await openOauthWorld({ isNetworked });
    const approved = await unanswered(world);
    world.bidding.clock.advance(30_001);
    const answer = await world.post(codeForm(approved));
    await assertOauthError(answer, "invalid_grant");
    assertEquals(await reasonOf(world, approved), "code_replay");
  });

  Deno.test(`C1 repeats that the store does not answer either keep an exchange repeatable (${where})`, async () => {
    await using world = await openOauthWorld({ isNetworked });
    const approved = await unanswered(world);
    for (let n = 0; n < 3; n++) {
      world.bidding.clock.advance(20_000);
      plan(world, "fail_before");
      assertEquals((await world.post(codeForm(approved))).status, 503);
    }
    world.bidding.clock.advance(20_000);
    await tokensOf(await world.post(codeForm(approved)));
    assertEquals(await reasonOf(world, approved), null);
  });

  Deno.test(`C2 nobody else gets the tokens of an exchange without an answer (${where})`, async () => {
    await using world = await openOauthWorld({ isNetworked });
    const approved = await unanswered(world);
    const wrong = [
      { code_verifier: "w".repeat(43) },
      { client_id: await register(world) },
      { redirect_uri: "https://client.example/other" },
    ];
    for (const changes of wrong) {
      const answer = await world.post(codeForm(approved, changes));
      await assertOauthError(answer, "invalid_grant");
    }
    await tokensOf(await world.post(codeForm(approved)));
  });

  Deno.test(`C1 the code of an exchange without an answer is used once its tokens are (${where})`, async () => {
    await using world = await openOauthWorld({ isNetworked });
    const approved = await unanswered(world);
    const tokens = await tokensOf(await world.post(codeForm(approved)));
    const { clientId } = approved;
    await tokensOf(
      await world.post(refreshForm(clientId, tokens.refresh_token)),
    );
    const answer = await world.post(codeForm(approved));
    await assertOauthError(answer, "invalid_grant");
    assertEquals(await reasonOf(world, approved), "code_replay");
  });
}

for (const kind of ["resent", "fail_after"] as const) {
  Deno.test(`C1 an exchange over a network whose answer the store lost has its tokens at once (${kind})`, async () => {
    await using world = await openOauthWorld();
    const approved = await approve(world);
    plan(world, "resent");
    if (kind !== "resent") {
      // The first is met by an exchange of its own; the store stays a network.
      await tokensOf(await world.post(codeForm(await approve(world))));
      plan(world, kind);
    }
    const tokens = await tokensOf(await world.post(codeForm(approved)));
    assertEquals(await bearerStatus(world, tokens.access_token), 200);
    assertEquals(await reasonOf(world, approved), null);
  });
}

Deno.test("C1 an exchange over a network that was given up issues nothing later, and is repeated", async () => {
  await using world = await openOauthWorld();
  const approved = await unanswered(world, "late");
  const tokens = await tokensOf(await world.post(codeForm(approved)));
  await world.bidding.testStore.kv.arrive();
  assertEquals(await bearerStatus(world, tokens.access_token), 200);
  assertEquals(await reasonOf(world, approved), null);
});
