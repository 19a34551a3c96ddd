/** Codes that are presented to several processes over one store. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { OutcomeUnknown, TemporaryFailure } from "../../../domain/failure.ts";
import {
  type Exchange,
  firstTokens,
} from "../../../domain/oauth/first_tokens.ts";
import type { IssuedTokens } from "../../../domain/oauth/issue_tokens.ts";
import { redeemCode } from "../../../domain/oauth/redeem_code.ts";
import type { Keys, Services } from "../../../domain/ports.ts";
import { secretKeys } from "../../../config/secret_keys.ts";
import {
  everyCrashPoint,
  type FaultRule,
  keyOf,
} from "../../support/faults.ts";
import type { FaultyKv } from "../../support/faulty_kv.ts";
import {
  approve,
  type Approved,
  REDIRECT_URI,
  VERIFIER,
} from "../../support/oauth_flow.ts";
import { type OauthWorld, openOauthWorld } from "../../support/oauth_world.ts";
import { assertRefused } from "../../support/refused.ts";

/** One process of a service, and its line to the store. */
interface Process {
  services: Services;
  kv: FaultyKv;
}

/** The commits that an exchange makes. */
const MAKES = 1, GIVES = 2;

function processOf(
  { bidding, services }: OauthWorld,
  faults: readonly FaultRule[] = [],
): Process {
  const { store, kv } = bidding.testStore.another(faults);
  return { services: { ...services, store }, kv };
}

/** The answer to the first commit is lost, or the commit itself. */
function failing(kind: "fail_before" | "fail_after"): FaultRule {
  return { on: "commit", key: keyOf("grants"), nth: MAKES, fault: { kind } };
}

/** Lost is the answer to the first commit, and every commit after that. */
const CUT_OFF: readonly FaultRule[] = [
  failing("fail_after"),
  { on: "commit", times: 100, fault: { kind: "fail_before" } },
];

function redeem(
  { services }: Process,
  { code, clientId }: Approved,
  codeVerifier = VERIFIER,
): Promise<IssuedTokens> {
  return redeemCode(services, {
    code,
    clientId,
    redirectUri: REDIRECT_URI,
    codeVerifier,
    resources: null,
  });
}

function textsOf({ accessToken, refreshToken }: IssuedTokens): string[] {
  return [accessToken, refreshToken];
}

async function reasonOf(world: OauthWorld, { grantId }: Approved) {
  const grant = await world.services.store.grants.find(grantId);
  return grant?.revokedReason;
}

/** The code was used: it is refused, and its grant ends. */
async function assertReplay(
  world: OauthWorld,
  process: Process,
  approved: Approved,
): Promise<void> {
  await assertRefused(() => redeem(process, approved), "oauth_error");
  assertEquals(await reasonOf(world, approved), "code_replay");
}

for (const kind of ["fail_before", "fail_after"] as const) {
  Deno.test(`C1 an exchange without an answer is repeated at every process for 30 s with the same tokens, and ends nothing (${kind})`, async () => {
    await using world = await openOauthWorld();
    const approved = await approve(world);
    const one = processOf(world, [failing(kind)]);
    const two = processOf(world);
    await assertRejects(() => redeem(one, approved), OutcomeUnknown);
    const given: string[][] = [];
    for (const process of [two, one, two, processOf(world)]) {
      given.push(textsOf(await redeem(process, approved)));
      world.bidding.clock.advance(10_000);
    }
    assertEquals(given, Array.from(given, () => given[0]));
    assertEquals(await reasonOf(world, approved), null);
    await assertReplay(world, two, approved);
  });
}

Deno.test("C1 an exchange at a process that is cut off from the store is gone on with at another, once and within 60 s", async () => {
  for (const [afterMs, isInTime] of [[60_000, true], [60_001, false]]) {
    await using world = await openOauthWorld();
    const approved = await approve(world);
    const one = processOf(world, CUT_OFF);
    await assertRejects(() => redeem(one, approved), OutcomeUnknown);
    world.bidding.clock.advance(Number(afterMs));
    const two = processOf(world);
    if (isInTime) {
      await redeem(two, approved);
      assertEquals(await reasonOf(world, approved), null);
    }
    await assertReplay(world, two, approved);
  }
});

Deno.test("C1 whatever becomes of a commit of an exchange, who was not answered gets tokens at another process, and a replay ends them", async () => {
  const deaths = await everyCrashPoint(async (point) => {
    await using world = await openOauthWorld();
    const approved = await approve(world);
    const one = processOf(world);
    one.kv.crashAt(point);
    const answer = await redeem(one, approved).catch((failure) => {
      assert(failure instanceof TemporaryFailure, failure);
      return null;
    });
    const two = processOf(world);
    const noted = point.commit !== GIVES || point.when !== "before";
    if (answer === null || !noted) {
      const tokens = await redeem(two, approved);
      if (answer !== null) assertEquals(textsOf(tokens), textsOf(answer));
      assertEquals(await reasonOf(world, approved), null);
    }
    await one.kv.arrive();
    await assertReplay(world, two, approved);
    return one.kv.dead;
  });
  // Before and after each of the two commits.
  assertEquals(deaths, 4);
});

Deno.test("C3 of two processes that are shown one code at the same time one gives tokens, and the other ends them", async () => {
  await using world = await openOauthWorld();
  const approved = await approve(world);
  const other = Promise.withResolvers<void>();
  const one = processOf(world, [{
    on: "commit",
    key: keyOf("grants"),
    nth: GIVES,
    fault: { kind: "hold", until: other.promise },
  }]);
  const slow = assertRefused(() => redeem(one, approved), "oauth_error");
  const two = processOf(world);
  // The first has made the tokens as soon as they are there to be given.
  await made(world, approved);
  const tokens = await redeem(two, approved);
  other.resolve();
  await slow;
  assert(tokens.refreshToken !== "");
  assertEquals(await reasonOf(world, approved), "code_replay");
});

async function made(world: OauthWorld, { grantId }: Approved): Promise<void> {
  for (;;) {
    const grant = await world.services.store.grants.find(grantId);
    if (grant !== null && grant.refresh !== null) return;
  }
}

Deno.test("C2 tokens that are made and not given are for nobody else", async () => {
  await using world = await openOauthWorld();
  const approved = await approve(world);
  const one = processOf(world, CUT_OFF);
  await assertRejects(() => redeem(one, approved), OutcomeUnknown);
  const two = processOf(world);
  const wrong = "w".repeat(43);
  await assertRefused(() => redeem(two, approved, wrong), "oauth_error");
  const others = { ...approved, clientId: "another" };
  await assertRefused(() => redeem(two, others), "oauth_error");
  assertEquals(await reasonOf(world, approved), null);
  await redeem(two, approved);
});

Deno.test("C1 a repeat whose secret is out of use by then is refused, and ends nothing", async () => {
  await using world = await openOauthWorld();
  const approved = await approve(world);
  const one = processOf(world, [failing("fail_after")]);
  await assertRejects(() => redeem(one, approved), OutcomeUnknown);
  const two = processOf(world);
  const keys: Keys = secretKeys({ secrets: ["n".repeat(40)] });
  const after = { ...two, services: { ...two.services, keys } };
  await assertRefused(() => redeem(after, approved), "oauth_error");
  assertEquals(await reasonOf(world, approved), null);
});

Deno.test("C1 an exchange that another made meanwhile is repeated for nobody by whom the store did not answer", async () => {
  await using world = await openOauthWorld();
  const approved = await approve(world);
  const one = processOf(world);
  await redeem(one, approved);
  world.bidding.clock.advance(1);
  const two = processOf(world, [failing("fail_before")]);
  await assertRejects(() => redeem(two, approved), OutcomeUnknown);
  await assertReplay(world, two, approved);
});

Deno.test("firstTokens() makes the same tokens of a code, its verifier and a key, and others where one of them differs", async () => {
  await using world = await openOauthWorld();
  const { grantId, code } = await approve(world);
  const grant = await world.services.store.grants.find(grantId);
  assert(grant !== null);
  const made = (
    { secret = "s", ...changes }: Partial<Exchange> & { secret?: string } = {},
  ) => {
    const exchange = {
      code,
      codeVerifier: VERIFIER,
      madeAtMs: 0,
      extent: grant,
    };
    const keys = secretKeys({ secrets: [secret.repeat(40)] });
    const first = firstTokens(keys, grant, { ...exchange, ...changes });
    assert(first !== null);
    return textsOf(first.tokens);
  };
  assertEquals(made(), made());
  const differing = [
    made(),
    made({ code: `${code}x` }),
    made({ codeVerifier: `${VERIFIER}x` }),
    made({ secret: "t" }),
  ];
  assertEquals(new Set(differing.flat()).size, 2 * differing.length);
});
