/** Codes that are presented to several processes over one store. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { OutcomeUnknown, TemporaryFailure } from "../../../domain/failure.ts";
import {
  type Exchange,
  firstTokens,
  type RepeatPromises,
} from "../../../domain/oauth/first_tokens.ts";
import type { IssuedTokens } from "../../../domain/oauth/issue_tokens.ts";
import { readAccessToken } from "../../../domain/oauth/access_token.ts";
import { redeemCode } from "../../../domain/oauth/redeem_code.ts";
import { readRefreshToken } from "../../../domain/oauth/refresh_token.ts";
import type { Keys, Services } from "../../../domain/ports.ts";
import { secretKeys } from "../../../config/secret_keys.ts";
import {
  everyCrashPoint,
  type FaultRule,
  keyOf,
  lostConnection,
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
  promises: RepeatPromises;
}

/** What the store may be, and the commits of an exchange that gives tokens. */
const STORES = [
  { where: "over a network", isNetworked: true, commits: 2 },
  { where: "in a file", isNetworked: false, commits: 1 },
];

function processOf(
  { bidding, services }: OauthWorld,
  faults: readonly FaultRule[] = [],
): Process {
  const { store, kv } = bidding.testStore.another(faults);
  return { services: { ...services, store }, kv, promises: new Map() };
}

/** The answer to the first commit is lost, or the commit itself. */
function failing(kind: "fail_before" | "fail_after"): FaultRule {
  return { on: "commit", key: keyOf("grants"), nth: 1, fault: { kind } };
}

/** Loses so many commits after the first. */
function cutOff(times: number): FaultRule {
  return { on: "commit", nth: 2, times, fault: { kind: "fail_before" } };
}

/** Lost is the answer to the first commit, and what was to be noted of that. */
const CUT_OFF: readonly FaultRule[] = [failing("fail_after"), cutOff(1)];

/** Has a commit of the process wait. */
function holding(nth: number, until: Promise<unknown>): FaultRule {
  const fault = { kind: "hold" as const, until };
  return { on: "commit", key: keyOf("grants"), nth, fault };
}

function redeem(
  { services, promises }: Process,
  { code, clientId }: Approved,
  codeVerifier = VERIFIER,
): Promise<IssuedTokens> {
  return redeemCode(services, {
    code,
    clientId,
    redirectUri: REDIRECT_URI,
    codeVerifier,
    resources: null,
  }, promises);
}

function textsOf({ accessToken, refreshToken }: IssuedTokens): string[] {
  return [accessToken, refreshToken];
}

async function grantOf({ services }: OauthWorld, { grantId }: Approved) {
  const grant = await services.store.grants.find(grantId);
  assert(grant !== null);
  return grant;
}

async function reasonOf(world: OauthWorld, approved: Approved) {
  return (await grantOf(world, approved)).lastEnding?.reason ?? null;
}

/** What may be shown to a resource must not help to name its line. */
Deno.test("the access token of an exchange has nothing of the refresh token's secrets", async () => {
  await using world = await openOauthWorld();
  const issued = await redeem(processOf(world), await approve(world));
  const { name = "" } = readAccessToken(issued.accessToken) ?? {};
  const parts = readRefreshToken(issued.refreshToken);
  assert(parts !== null && name.length === 20);
  const secrets = issued.refreshToken.slice(-(22 + 6 + 43));
  assert(secrets.startsWith(parts.line));
  assert(!secrets.includes(name.slice(-6)));
});

/** The code was used: it is refused, and its line ends. */
async function assertReplay(
  world: OauthWorld,
  process: Process,
  approved: Approved,
): Promise<void> {
  await assertRefused(() => redeem(process, approved), "oauth_error");
  assertEquals(await reasonOf(world, approved), "code_replay");
}

/** Repeats get the same tokens for 30 s, and are replays from then on. */
async function assertRepeated(
  world: OauthWorld,
  processes: readonly Process[],
  approved: Approved,
): Promise<void> {
  const given: string[][] = [];
  for (const afterMs of [0, 10_000, 10_000, 10_000]) {
    world.bidding.clock.advance(afterMs);
    for (const process of processes) {
      given.push(textsOf(await redeem(process, approved)));
    }
  }
  assertEquals(given, Array.from(given, () => given[0]));
  assertEquals(await reasonOf(world, approved), null);
  world.bidding.clock.advance(1);
  for (const process of processes) {
    await assertReplay(world, process, approved);
  }
}

/** Until the process has sent so many commits. */
async function sent({ kv, services }: Process, commits: number) {
  while (kv.commits.length < commits) await services.store.grants.find("any");
}

for (const { where, isNetworked, commits } of STORES) {
  for (const kind of ["fail_before", "fail_after"] as const) {
    Deno.test(`C1 an exchange without an answer is repeated at every process for 30 s with the same tokens, and ends nothing (${kind}, ${where})`, async () => {
      await using world = await openOauthWorld({ isNetworked });
      const approved = await approve(world);
      const one = processOf(world, [failing(kind)]);
      await assertRejects(() => redeem(one, approved), OutcomeUnknown);
      const all = [processOf(world), one, processOf(world)];
      await assertRepeated(world, all, approved);
    });

    Deno.test(`C1 an exchange whose repeat could not be noted is repeated at its own process for 30 s with the same tokens, and ends nothing (${kind}, ${where})`, async () => {
      await using world = await openOauthWorld({ isNetworked });
      const approved = await approve(world);
      const one = processOf(world, [failing(kind), cutOff(3)]);
      for (let n = 0; n < 2; n++) {
        await assertRejects(() => redeem(one, approved), OutcomeUnknown);
        world.bidding.clock.advance(20_000);
      }
      assertEquals(one.kv.commits.length, 4);
      world.bidding.clock.advance(-20_000);
      await assertRepeated(world, [one], approved);
    });
  }

  Deno.test(`C1 whatever becomes of a commit of an exchange, who was not answered gets tokens at another process, and a replay ends them (${where})`, async () => {
    const deaths = await everyCrashPoint(async (point) => {
      await using world = await openOauthWorld({ isNetworked });
      const approved = await approve(world);
      const one = processOf(world);
      one.kv.crashAt(point);
      const answer = await redeem(one, approved).catch((failure) => {
        assert(failure instanceof TemporaryFailure, failure);
        return null;
      });
      const two = processOf(world);
      const isBefore = point.when === "before";
      // In a file, who dies before it answers is taken for who has answered.
      const noted = isNetworked
        ? answer !== null && !(point.commit === 2 && isBefore)
        : answer !== null || one.kv.dead && !isBefore;
      if (!noted) {
        const tokens = await redeem(two, approved);
        if (answer !== null) assertEquals(textsOf(tokens), textsOf(answer));
        assertEquals(await reasonOf(world, approved), null);
      }
      await one.kv.arrive();
      await assertReplay(world, two, approved);
      return one.kv.dead;
    });
    // Before and after each commit.
    assertEquals(deaths, 2 * commits);
  });

  Deno.test(`C3 of two processes that are shown one code at the same time one gives tokens, and the other ends them (${where})`, async () => {
    await using world = await openOauthWorld({ isNetworked });
    const approved = await approve(world);
    const other = Promise.withResolvers<void>();
    const one = processOf(world, [holding(commits, other.promise)]);
    const slow = assertRefused(() => redeem(one, approved), "oauth_error");
    await sent(one, commits);
    const two = processOf(world);
    const tokens = await redeem(two, approved);
    assertEquals(two.kv.commits.length, 1);
    other.resolve();
    await slow;
    assert(tokens.refreshToken !== "");
    assertEquals(await reasonOf(world, approved), "code_replay");
  });

  Deno.test(`C3 who gets no answer of the store while another is given the tokens is promised none of them (${where})`, async () => {
    await using world = await openOauthWorld({ isNetworked });
    const approved = await approve(world);
    const [line, turn] = [
      Promise.withResolvers<void>(),
      Promise.withResolvers<void>(),
    ];
    const two = processOf(world, [holding(1, line.promise)]);
    const unanswered = assertRejects(
      () => redeem(two, approved),
      OutcomeUnknown,
    );
    await sent(two, 1);
    // Over a network the other has made the tokens by then, and gives them later.
    const one = processOf(world, [holding(2, turn.promise)]);
    const given = redeem(one, approved);
    await sent(one, commits);
    if (!isNetworked) await given;
    line.reject(lostConnection());
    await unanswered;
    turn.resolve();
    await given;
    assertEquals(await reasonOf(world, approved), null);
    await assertReplay(world, two, approved);
  });

  Deno.test(`C2 tokens that nobody was given are for nobody else (${where})`, async () => {
    await using world = await openOauthWorld({ isNetworked });
    const approved = await approve(world);
    const one = processOf(
      world,
      isNetworked ? CUT_OFF : [failing("fail_after")],
    );
    await assertRejects(() => redeem(one, approved), OutcomeUnknown);
    const two = processOf(world);
    for (const process of [one, two]) {
      const wrong = "w".repeat(43);
      await assertRefused(
        () => redeem(process, approved, wrong),
        "oauth_error",
      );
      const others = { ...approved, clientId: "another" };
      await assertRefused(() => redeem(process, others), "oauth_error");
    }
    assertEquals(await reasonOf(world, approved), null);
    await redeem(two, approved);
  });

  Deno.test(`C1 a repeat whose secret is out of use by then is refused, and ends nothing (${where})`, async () => {
    await using world = await openOauthWorld({ isNetworked });
    const approved = await approve(world);
    const one = processOf(world, [failing("fail_after")]);
    await assertRejects(() => redeem(one, approved), OutcomeUnknown);
    const two = processOf(world);
    const keys: Keys = secretKeys({ secrets: ["n".repeat(40)] });
    const after = { ...two, services: { ...two.services, keys } };
    await assertRefused(() => redeem(after, approved), "oauth_error");
    assertEquals(await reasonOf(world, approved), null);
  });

  Deno.test(`C1 an exchange that broke off in an earlier version is gone on with, once and within 60 s (${where})`, async () => {
    for (const [afterMs, isInTime] of [[60_000, true], [60_001, false]]) {
      await using world = await openOauthWorld({ isNetworked });
      const approved = await approve(world);
      const one = processOf(world, CUT_OFF);
      await assertRejects(() => redeem(one, approved), OutcomeUnknown);
      const grant = await grantOf(world, approved);
      assert(grant.refresh?.undelivered);
      const { madeAtMs } = grant.refresh.undelivered;
      const undelivered = { madeAtMs, repeatUntilMs: null };
      const refresh = { ...grant.refresh, undelivered };
      await world.services.store.transact((tx) =>
        tx.grants.save({ ...grant, refresh })
      );
      world.bidding.clock.advance(Number(afterMs));
      const two = processOf(world);
      if (isInTime) await redeem(two, approved);
      await assertReplay(world, two, approved);
    }
  });
}

Deno.test("C1 an exchange at a process that is cut off from a store over a network is gone on with at another, once and within 60 s", async () => {
  for (const [afterMs, isInTime] of [[60_000, true], [60_001, false]]) {
    await using world = await openOauthWorld({ isNetworked: true });
    const approved = await approve(world);
    const one = processOf(world, CUT_OFF);
    await assertRejects(() => redeem(one, approved), OutcomeUnknown);
    world.bidding.clock.advance(Number(afterMs));
    const two = processOf(world);
    if (isInTime) {
      await redeem(two, approved);
      assertEquals(await reasonOf(world, approved), null);
      // What was given at another process is kept for nobody here.
      await assertReplay(world, one, approved);
    }
    await assertReplay(world, two, approved);
  }
});

Deno.test("firstTokens() makes the same tokens of a code, its verifier and a key, and others where one of them differs", async () => {
  await using world = await openOauthWorld();
  const { grantId, code } = await approve(world);
  const grant = await world.services.store.grants.find(grantId);
  const [line] = grant?.lines ?? [];
  assert(grant !== null && line !== undefined);
  const issuing = { grant, line };
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
    const first = firstTokens(keys, issuing, { ...exchange, ...changes });
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
