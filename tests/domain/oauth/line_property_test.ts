import { sha256Hex } from "../../../domain/sha256.ts";
import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { AUTHORIZATION_CODE_MS } from "../../../domain/oauth/authorization_request.ts";
import { approveAuthorization } from "../../../domain/oauth/authorize/approve_authorization.ts";
import { startAuthorization } from "../../../domain/oauth/authorize/start_authorization.ts";
import type { IssuedTokens } from "../../../domain/oauth/issue_tokens.ts";
import { findLine, hasLine, LINES_MAX } from "../../../domain/oauth/lines.ts";
import { redeemCode } from "../../../domain/oauth/redeem_code.ts";
import { refreshTokens } from "../../../domain/oauth/refresh_tokens.ts";
import { revokeGrant } from "../../../domain/oauth/revoke_grant.ts";
import { revokeToken } from "../../../domain/oauth/revoke_token.ts";
import { checkBearer } from "../../../domain/oauth/tokens.ts";
import { Refused } from "../../../domain/refusal.ts";
import { saveSession } from "../../support/sessions.ts";
import {
  type BiddingWorld,
  openBiddingWorld,
} from "../../support/bidding_world.ts";
import { CHALLENGE, REDIRECT_URI, VERIFIER } from "../../support/oauth_flow.ts";
import { LineModel } from "./line_model.ts";

const CLIENT_ID = "dcr_client";

type Step =
  | { do: "authorize" }
  | { do: "redeem"; grant: number }
  | { do: "refresh"; grant: number; token: number }
  | { do: "revokeAccess"; grant: number; token: number }
  | { do: "revokeRefresh"; grant: number; token: number }
  | { do: "revokeGrant"; grant: number }
  | { do: "wait"; ms: number };

const index = fc.nat(6);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant("authorize" as const) }),
  },
  { weight: 2, arbitrary: of("redeem") },
  { weight: 8, arbitrary: fc.record({ ...parts("refresh"), token: index }) },
  {
    weight: 1,
    arbitrary: fc.record({ ...parts("revokeAccess"), token: index }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ ...parts("revokeRefresh"), token: index }),
  },
  { weight: 1, arbitrary: of("revokeGrant") },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant("wait" as const),
      ms: fc.constantFrom(1, 29_999, 30_000, 30_001),
    }),
  },
) as fc.Arbitrary<Step>;

function parts<Name extends string>(name: Name) {
  return { do: fc.constant(name), grant: fc.nat(2) };
}

function of<Name extends string>(name: Name) {
  return fc.record(parts(name));
}

/** One line with all it ever gave, next to its model. */
interface Line {
  grantId: string;
  lineId: string;
  code: string;
  approvedAtMs: number;
  model: LineModel;
  refresh: string[];
  access: string[];
}

Deno.test("any order of requests leaves one live token a line, other lines as they are, and none alive when the grant is revoked", async () => {
  const anySteps = fc.array(step, { maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(anySteps, fc.boolean(), async (steps, isNetworked) => {
      await using world = await openBiddingWorld({
        opened: false,
        isNetworked,
      });
      await world.agent("ada");
      const lines: Line[] = [await authorize(world)];
      for (const each of steps) await take(world, lines, each);
      for (const line of lines) await compare(world, line);
    }),
    { numRuns: 150 },
  );
});

async function authorize(world: BiddingWorld): Promise<Line> {
  const { services, clock } = world;
  const query = new URLSearchParams({
    response_type: "code",
    client_id: CLIENT_ID,
    redirect_uri: REDIRECT_URI,
    code_challenge: CHALLENGE,
    code_challenge_method: "S256",
  });
  const started = await startAuthorization(services, {
    query: query.toString(),
    admit: () => Promise.resolve(),
    resolveClient: () =>
      Promise.resolve({
        id: CLIENT_ID,
        name: "Client",
        host: null,
        redirectUris: [REDIRECT_URI],
        authentication: { method: "none" },
      }),
  });
  assert(started.kind === "waiting");
  const { redirectTo, grantId } = await approveAuthorization(services, {
    requestId: started.request.id,
    sessionHash: "s",
    session: await saveSession(services),
    scopes: ["account:read"],
    mandate: null,
  });
  const code = new URL(redirectTo).searchParams.get("code") ?? "";
  const model = new LineModel();
  const approvedAtMs = clock.now();
  const grant = await services.store.grants.find(grantId);
  const lineId = grant?.lines.at(-1)?.id ?? "";
  return {
    grantId,
    lineId,
    code,
    approvedAtMs,
    model,
    refresh: [],
    access: [],
  };
}

async function take(
  world: BiddingWorld,
  lines: Line[],
  wanted: Step,
): Promise<void> {
  const { services, clock } = world;
  if (wanted.do === "wait") return clock.advance(wanted.ms);
  if (wanted.do === "authorize") {
    if (lines.length < LINES_MAX) lines.push(await authorize(world));
    return;
  }
  const line = lines[wanted.grant % lines.length];
  assert(line);
  switch (wanted.do) {
    case "redeem":
      return await redeem(world, line);
    case "refresh":
      return await refresh(world, line, wanted.token);
    case "revokeAccess": {
      const token = pick(line.access, wanted.token);
      await revokeToken(services, { token: token ?? "x", clientId: CLIENT_ID });
      const at = line.access.indexOf(token ?? "");
      if (at >= 0) line.model.access[at] = true;
      return;
    }
    case "revokeRefresh": {
      const token = pick(line.refresh, wanted.token);
      await revokeToken(services, { token: token ?? "x", clientId: null });
      if (token !== undefined) line.model.revoked = true;
      return;
    }
    case "revokeGrant": {
      const { grantId } = line;
      await revokeGrant(services, { grantId, accountId: "acc_ada" });
      for (const each of lines) {
        if (each.grantId === grantId) each.model.revoked = true;
      }
    }
  }
}

async function redeem(world: BiddingWorld, line: Line): Promise<void> {
  const late = world.clock.now() >= line.approvedAtMs + AUTHORIZATION_CODE_MS;
  const got = await outcome(() =>
    redeemCode(world.services, {
      code: line.code,
      clientId: CLIENT_ID,
      redirectUri: REDIRECT_URI,
      codeVerifier: VERIFIER,
      resources: null,
    }, new Map())
  );
  // A code that has run out unused is nothing any more.
  const expected = late && !line.model.redeemed
    ? "refused"
    : line.model.redeem();
  assertEquals(got === null ? "refused" : "tokens", expected);
  if (got !== null) keep(line, got);
}

async function refresh(
  world: BiddingWorld,
  line: Line,
  index: number,
): Promise<void> {
  const nth = line.refresh.length === 0 ? 1 : 1 + index % line.refresh.length;
  const got = await outcome(() =>
    refreshTokens(world.services, {
      refreshToken: line.refresh[nth - 1] ?? "svc_rt_x",
      clientId: CLIENT_ID,
      scopes: null,
      resources: null,
    })
  );
  const expected = line.model.refresh(nth, world.clock.now());
  assertEquals(got === null ? "refused" : "tokens", expected);
  if (got !== null) keep(line, got);
}

function keep(line: Line, { accessToken, refreshToken }: IssuedTokens): void {
  line.access.push(accessToken);
  // The successor of a token is the same however often it is asked for.
  if (!line.refresh.includes(refreshToken)) line.refresh.push(refreshToken);
  assertEquals(line.refresh.length, line.model.line);
  assertEquals(line.refresh.at(-1), refreshToken);
}

async function compare(world: BiddingWorld, line: Line): Promise<void> {
  const { services } = world;
  for (const [nth, text] of line.access.entries()) {
    const alive = await isAlive(() => checkBearer(services, text));
    assertEquals(alive, line.model.isAlive(nth));
  }
  // One that was never fetched is forgotten when the next one begins.
  if (!line.model.redeemed) return;
  const grant = await services.store.grants.find(line.grantId);
  assert(grant !== null);
  assertEquals(hasLine(grant, line.lineId), !line.model.revoked);
  const { refresh } = findLine(grant, line.lineId) ?? { refresh: null };
  const isCurrent = (text: string) => sha256Hex(text) === refresh?.currentHash;
  const live = line.model.revoked ? [] : line.refresh.filter(isCurrent);
  assertEquals(live, line.model.revoked ? [] : line.refresh.slice(-1));
}

function pick(texts: readonly string[], index: number): string | undefined {
  return texts[index % Math.max(1, texts.length)];
}

async function outcome(
  call: () => Promise<IssuedTokens>,
): Promise<IssuedTokens | null> {
  try {
    return await call();
  } catch (thrown) {
    assert(thrown instanceof Refused);
    assert(thrown.refusal.code === "oauth_error");
    assertEquals(thrown.refusal.error, "invalid_grant");
    return null;
  }
}

async function isAlive(call: () => Promise<unknown>): Promise<boolean> {
  try {
    await call();
    return true;
  } catch (thrown) {
    assert(thrown instanceof Refused);
    return false;
  }
}
