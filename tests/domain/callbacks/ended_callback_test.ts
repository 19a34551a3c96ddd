/** What is kept of an address once its connection is over, and for how long. */
import { assert, assertEquals } from "@std/assert";
import type { Callback } from "../../../domain/callbacks/callback.ts";
import { endCallbacks } from "../../../domain/callbacks/end_callbacks.ts";
import { setCallback } from "../../../domain/callbacks/set_callback.ts";
import { sweepCallbacks } from "../../../domain/callbacks/sweep_callbacks.ts";
import { DAY_MS } from "../../../domain/day.ts";
import {
  readConnectionQuota,
  useConnectionQuota,
} from "../../../domain/oauth/connection_quota.ts";
import { revokeEveryGrant } from "../../../domain/oauth/revoke_every_grant.ts";
import { revokeGrant } from "../../../domain/oauth/revoke_grant.ts";
import type { Agent } from "../../support/bidding_world.ts";
import { removed, tell } from "../../support/told_events.ts";
import {
  type CallbackWorld,
  openCallbackWorld,
  wish,
} from "./callback_world.ts";

const KEPT_DAYS = 30;

function revoke({ services }: CallbackWorld, agent: Agent): Promise<unknown> {
  const { account, grant } = agent;
  return revokeGrant(services, { grantId: grant.id, accountId: account.id });
}

function find(
  { services: { store } }: CallbackWorld,
  { grant }: Agent,
): Promise<Callback | null> {
  return store.callbacks.find(grant.id);
}

async function listeners(
  { services: { store } }: CallbackWorld,
  { account }: Agent,
): Promise<readonly string[]> {
  return (await store.eventLogs.find(account.id))?.listeners ?? [];
}

/** As a release before left it: over, and nobody has noticed. */
async function revokeUnnoticed(
  open: CallbackWorld,
  agent: Agent,
): Promise<void> {
  const { store } = open.services;
  const callback = await open.callback(agent);
  const log = await store.eventLogs.find(agent.account.id);
  assert(log !== null);
  await revoke(open, agent);
  await store.transact((tx) => {
    tx.callbacks.save(callback);
    tx.eventLogs.save(log);
    return Promise.resolve();
  });
}

/** The grant is cleared away, as the oldest of too many that are over. */
async function clearAway(
  { services }: CallbackWorld,
  { account, grant }: Agent,
): Promise<void> {
  const quota = await readConnectionQuota(services, account.id);
  await services.store.transact(async (tx) => {
    const owner = await tx.accounts.find(account.id);
    assert(owner !== null);
    const full = { ...quota, outlived: [grant.id] };
    await useConnectionQuota(tx, owner, full, { last: null, isNew: true });
  });
  assertEquals(await services.store.grants.find(grant.id), null);
}

for (const how of ["alone", "with all others"]) {
  Deno.test(`the address of an agent that is revoked ${how} goes 30 days after, though nothing happens`, async () => {
    await using open = await openCallbackWorld();
    const { agent } = await open.told("ada");
    const { account: { id: accountId } } = agent;
    if (how === "alone") await revoke(open, agent);
    else await revokeEveryGrant(open.services, { accountId });
    assertEquals(await listeners(open, agent), []);
    open.world.clock.advance(KEPT_DAYS * DAY_MS - 1);
    // What happens in the last moment adds nothing.
    await tell(open.services, accountId, removed("2026-11-30"));
    await sweepCallbacks(open.services);
    await endCallbacks(open.services);
    assert(await find(open, agent) !== null);
    open.world.clock.advance(1);
    assertEquals(await find(open, agent), null);
    assertEquals(open.receiver.came, []);
  });
}

Deno.test("the address of an agent that a release before revoked goes 30 days after the revocation", async () => {
  await using open = await openCallbackWorld();
  const { agent } = await open.told("ada");
  const { agent: other } = await open.told("bob");
  await revokeUnnoticed(open, agent);
  open.world.clock.advance(10 * DAY_MS);
  await endCallbacks(open.services);
  assertEquals(await listeners(open, agent), []);
  open.world.clock.advance(20 * DAY_MS);
  assertEquals(await find(open, agent), null);
  assert(await find(open, other) !== null, "one that lives is told on");
});

Deno.test("the address of an agent whose tokens ran out ends by the clock alone", async () => {
  await using open = await openCallbackWorld();
  const { agent } = await open.told("ada");
  await endCallbacks(open.services);
  assertEquals((await open.callback(agent)).expiresAtMs, undefined);
  open.world.clock.advance(31 * DAY_MS);
  await endCallbacks(open.services);
  assertEquals(await listeners(open, agent), []);
  open.world.clock.advance(KEPT_DAYS * DAY_MS);
  assertEquals(await find(open, agent), null);
});

Deno.test("the address of a connection that is cleared away goes with it, or as soon as it is looked for", async () => {
  for (const isOfBefore of [false, true]) {
    await using open = await openCallbackWorld();
    const { agent } = await open.told("ada");
    await revokeUnnoticed(open, agent);
    const before = await open.callback(agent);
    await clearAway(open, agent);
    assertEquals(await find(open, agent), null);
    if (isOfBefore) {
      await open.services.store.transact((tx) => tx.callbacks.save(before));
    }
    await endCallbacks(open.services);
    assertEquals(await find(open, agent), null);
  }
});

Deno.test("an address that is set again after its end has none", async () => {
  await using open = await openCallbackWorld();
  const { agent } = await open.told("ada");
  const { services } = open;
  const callback = await open.callback(agent);
  const expiresAtMs = open.world.clock.now() + DAY_MS;
  await services.store.transact((tx) =>
    tx.callbacks.save({ ...callback, off: "failing", expiresAtMs })
  );
  await setCallback(services, wish(agent));
  assertEquals((await open.callback(agent)).expiresAtMs, undefined);
});
