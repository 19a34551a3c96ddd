import { assert, assertEquals, assertNotEquals } from "@std/assert";
import { CALLBACKS_MAX } from "../../../domain/callbacks/callback.ts";
import { setCallback } from "../../../domain/callbacks/set_callback.ts";
import { revokeGrant } from "../../../domain/oauth/revoke_grant.ts";
import type { Services } from "../../../domain/ports.ts";
import { createGrant } from "../../../tools/demo/create_grant.ts";
import type { Agent } from "../../support/bidding_world.ts";
import { assertRefused } from "../../support/refused.ts";
import { removed, tell } from "../../support/told_events.ts";
import { openCallbackWorld, URL_TEXT, wish } from "./callback_world.ts";

Deno.test("setCallback() says a secret once, and another one when it is rotated", async () => {
  await using open = await openCallbackWorld();
  const { services } = open;
  const { agent, secret } = await open.told("ada");
  assert(/^whsec_[A-Za-z0-9+/]{43}=$/.test(secret), secret);
  const again = await setCallback(services, wish(agent));
  assertEquals(again.value, {
    url: URL_TEXT,
    state: "on",
    secret: null,
    last_deliveries: [],
  });
  const rotated = await setCallback(services, wish(agent, URL_TEXT, true));
  assertNotEquals(rotated.value.secret, secret);
  // Taken away and set anew, it never gets a secret that it had.
  await setCallback(services, wish(agent, null));
  const anew = await setCallback(services, wish(agent));
  assertEquals(
    new Set([secret, rotated.value.secret, anew.value.secret]).size,
    3,
  );
});

Deno.test("no row holds the secret of a callback", async () => {
  await using open = await openCallbackWorld();
  const { secret } = await open.told("ada");
  const { realKv } = open.world.testStore;
  for await (const { key, value } of realKv.list({ prefix: [] })) {
    const said = JSON.stringify([key, value]);
    assertEquals(said.includes(secret.slice(6, 40)), false, said);
  }
});

for (
  const url of [
    "http://agent.example/",
    "https://agent.example:8443/",
    "https://127.0.0.1/",
    "https://localhost/",
    "https://user@agent.example/",
    "not an address",
  ]
) {
  Deno.test(`setCallback() does not take ${url}`, async () => {
    await using open = await openCallbackWorld();
    const agent = await open.world.agent("ada");
    // Of a service that is not on the developer's own machine.
    await assertRefused(
      () => setCallback(open.services, wish(agent, url)),
      "invalid_input",
    );
  });
}

/** Further agents of the same account, as many as may have a callback. */
function othersOf(services: Services, agent: Agent) {
  return Promise.all(
    Array.from({ length: CALLBACKS_MAX }, async (_, nth) => {
      const created = await createGrant(services, {
        accountId: agent.account.id,
        clientId: `https://other${nth}.example/client.json`,
        scopes: ["account:read"],
        mandate: null,
      });
      return { ...agent, ...created };
    }),
  );
}

Deno.test("an account has five callbacks at most, also when they are set at once", async () => {
  await using open = await openCallbackWorld();
  const { services } = open;
  const { agent } = await open.told("ada");
  const others = await othersOf(services, agent);
  const set = await Promise.allSettled(
    others.map((each) => setCallback(services, wish(each))),
  );
  const taken = set.filter(({ status }) => status === "fulfilled");
  assertEquals(taken.length, CALLBACKS_MAX - 1);
  await setCallback(services, wish(agent, null));
  const left = others[set.findIndex(({ status }) => status === "rejected")];
  assert(left !== undefined);
  await setCallback(services, wish(left));
});

Deno.test("a connection that is over leaves its place to another's callback, though nothing has happened since", async () => {
  await using open = await openCallbackWorld();
  const { services } = open;
  const { agent } = await open.told("ada");
  const accountId = agent.account.id;
  const others = await othersOf(services, agent);
  const [over, ...rest] = others;
  assert(over !== undefined);
  for (const each of [over, ...rest.slice(1)]) {
    await setCallback(services, wish(each));
  }
  await assertRefused(
    () => setCallback(services, wish(rest[0] ?? over)),
    "callbacks_full",
  );
  await revokeGrant(services, { grantId: over.grant.id, accountId });
  await setCallback(services, wish(rest[0] ?? over));
  const log = await services.store.eventLogs.find(accountId);
  assertEquals(log?.listeners?.includes(over.grant.id), false);
  assertEquals(log?.listeners?.length, CALLBACKS_MAX);
  const left = await services.store.callbacks.find(over.grant.id);
  assert(left?.expiresAtMs, "its row goes by itself");
});

Deno.test("setCallback() sets nothing of a connection that is over, or of another account", async () => {
  await using open = await openCallbackWorld();
  const { services } = open;
  const { agent: ada } = await open.told("ada");
  const { agent: bob } = await open.told("bob");
  const foreign = { ...wish(bob), by: wish(ada).by };
  await assertRefused(
    () => setCallback(services, { ...foreign, accountId: ada.account.id }),
    "not_found",
  );
  const { account, grant } = bob;
  await revokeGrant(services, { grantId: grant.id, accountId: account.id });
  await assertRefused(
    () => setCallback(services, wish(bob)),
    "token_invalid",
  );
});

Deno.test("a callback is told of what comes after it was set", async () => {
  await using open = await openCallbackWorld();
  const agent = await open.world.agent("ada");
  await tell(open.services, agent.account.id, removed("before"));
  await setCallback(open.services, wish(agent));
  const { position } = await open.callback(agent);
  const log = await open.services.store.eventLogs.find(agent.account.id);
  assertEquals(position, log?.position);
});
