/** For how long an address is told that a token had set. */
import { assert, assertEquals } from "@std/assert";
import type { Callback } from "../../../domain/callbacks/callback.ts";
import {
  findCallback,
  setCallback,
} from "../../../domain/callbacks/set_callback.ts";
import { sweepCallbacks } from "../../../domain/callbacks/sweep_callbacks.ts";
import { DAY_MS } from "../../../domain/day.ts";
import { connectIn } from "../../../domain/oauth/connect_client.ts";
import { grantState } from "../../../domain/oauth/grant_state.ts";
import { refreshTokens } from "../../../domain/oauth/refresh_tokens.ts";
import { RESOURCES } from "../../../domain/oauth/resource.ts";
import { revokeToken } from "../../../domain/oauth/revoke_token.ts";
import type { Agent } from "../../support/bidding_world.ts";
import { assertRefused } from "../../support/refused.ts";
import { saveSession } from "../../support/sessions.ts";
import { removed, tell } from "../../support/told_events.ts";
import {
  type CallbackWorld,
  openCallbackWorld,
  URL_TEXT,
  wish,
} from "./callback_world.ts";

const THIEF = "https://thief.example/hooks";

/** The client refreshes, and a thief uses the same token again, too late. */
async function stealFrom(
  { world, services }: CallbackWorld,
  { grant: { clientId }, refreshToken }: Agent,
): Promise<void> {
  const asked = { clientId, refreshToken, scopes: null, resources: null };
  await refreshTokens(services, asked);
  world.clock.advance(60_000);
  await assertRefused(() => refreshTokens(services, asked), "oauth_error");
  world.clock.advance(1);
}

/** Its user allows the client again. */
function allowAgain(
  { world: { clock }, services: { store } }: CallbackWorld,
  { grant }: Agent,
): Promise<unknown> {
  const line = {
    id: "grant_again",
    resources: RESOURCES,
    begunAtMs: clock.now(),
    refresh: null,
  };
  return store.transact((tx) => connectIn(tx, clock, { ...grant, line }));
}

/** The owner sets the address in the browser. */
async function setByOwner(
  { services }: CallbackWorld,
  { account, grant }: Agent,
  rotates: boolean,
): Promise<void> {
  const session = await saveSession(services, account.id);
  await setCallback(services, {
    accountId: account.id,
    grantId: grant.id,
    by: { session },
    url: URL_TEXT,
    rotates,
    binding: null,
  });
}

async function toldBy(open: CallbackWorld, agent: Agent): Promise<string[]> {
  await tell(open.services, agent.account.id, removed("2026-11-30"));
  await sweepCallbacks(open.services);
  return open.receiver.came.map(({ url }) => url);
}

Deno.test("an address that was set before a token was found stolen is told nothing, nor signs its secret anything, once the client is allowed again", async () => {
  await using open = await openCallbackWorld();
  const { services } = open;
  const { agent } = await open.told("ada", { url: THIEF });
  await stealFrom(open, agent);
  await allowAgain(open, agent);
  const { grant } = agent;
  assertEquals(await findCallback(services, grant.id), null);
  assertEquals(await toldBy(open, agent), []);
  const set = await setCallback(
    services,
    wish({ ...agent, lineId: "grant_again" }),
  );
  assert(set.value.secret !== null, "it gets a secret that the thief has not");
  assertEquals(await toldBy(open, agent), [URL_TEXT]);
  const { secrets } = await open.callback(agent);
  assertEquals(secrets.length, 1);
});

Deno.test("an address that its owner set in the browser is told on after a token was found stolen, unless an agent was told its secret", async () => {
  for (const rotates of [true, false]) {
    await using open = await openCallbackWorld();
    const { agent } = await open.told("ada", { url: THIEF });
    await setByOwner(open, agent, rotates);
    // Saved once more, nobody else was told the secret meanwhile.
    await setByOwner(open, agent, false);
    await stealFrom(open, agent);
    await allowAgain(open, agent);
    assertEquals(await toldBy(open, agent), rotates ? [URL_TEXT] : []);
  }
});

Deno.test("an address that an agent set over its owner's is told nothing more after a token was found stolen", async () => {
  await using open = await openCallbackWorld();
  const agent = await open.world.agent("ada", {
    scopes: ["account:read", "reports:read"],
  });
  await setByOwner(open, agent, false);
  await setCallback(open.services, wish(agent, THIEF));
  await stealFrom(open, agent);
  await allowAgain(open, agent);
  assertEquals(await toldBy(open, agent), []);
});

Deno.test("an address is told nothing more of a client that gave its tokens back, also once it is allowed again", async () => {
  await using open = await openCallbackWorld();
  const { agent } = await open.told("ada");
  const { refreshToken } = agent;
  await revokeToken(open.services, { token: refreshToken, clientId: null });
  open.world.clock.advance(1);
  await allowAgain(open, agent);
  assertEquals(await toldBy(open, agent), []);
});

Deno.test("an address goes on where its client is authorized once more, and one of earlier versions, too", async () => {
  await using open = await openCallbackWorld();
  const { agent } = await open.told("ada");
  const { setAtMs: _, ...before }: Callback = await open.callback(agent);
  await open.services.store.transact((tx) => {
    tx.callbacks.save(before);
    return Promise.resolve();
  });
  open.world.clock.advance(1);
  await allowAgain(open, agent);
  assertEquals(await toldBy(open, agent), [URL_TEXT]);
});

Deno.test("an address is told nothing from the end on of a mandate that its owner has brought forward", async () => {
  await using open = await openCallbackWorld();
  const { clock } = open.world;
  const { store } = open.services;
  const { agent } = await open.told("ada", {
    scopes: ["account:read", "reports:read", "bids:write"],
  });
  const validUntilMs = clock.now() + DAY_MS;
  await store.transact(async (tx) => {
    const grant = await tx.grants.find(agent.grant.id);
    assert(grant !== null && grant.mandate !== null);
    tx.grants.save({ ...grant, mandate: { ...grant.mandate, validUntilMs } });
  });
  assertEquals((await toldBy(open, agent)).length, 1);
  clock.advance(DAY_MS);
  const grant = await store.grants.find(agent.grant.id);
  assert(grant !== null);
  assertEquals(grantState(grant, clock.now()), "ended");
  assertEquals((await toldBy(open, agent)).length, 1);
});
