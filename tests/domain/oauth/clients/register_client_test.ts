import { assert, assertEquals } from "@std/assert";
import { DAY_MS } from "../../../../domain/day.ts";
import { registerClient } from "../../../../domain/oauth/clients/register_client.ts";
import { assertRefused } from "../../../support/refused.ts";
import { openTestStore } from "../../../support/store.ts";

const GOOD = "https://agent.example/callback";

Deno.test("registerClient() keeps a client for 30 days, with its name and the addresses that can be used", async () => {
  await using test = await openTestStore();
  const { clock, store } = test;
  const nowMs = clock.now();
  const { client, dropped } = await registerClient(test, {
    name: " Bid Agent ",
    redirectUris: [GOOD, "cursor://agent/callback"],
  });
  assertEquals(client, {
    id: client.id,
    name: "Bid Agent",
    redirectUris: [GOOD],
    createdAtMs: nowMs,
    expiresAtMs: nowMs + 30 * DAY_MS,
  });
  assert(client.id.startsWith("dcr_"));
  assertEquals(dropped.length, 1);
  clock.advance(30 * DAY_MS - 1);
  assertEquals(await store.clients.find(client.id), client);
  clock.advance(1);
  assertEquals(await store.clients.find(client.id), null);
});

Deno.test("registerClient() names who gives no name, and refuses a name that is none and addresses of which none can be used", async () => {
  await using test = await openTestStore();
  const unnamed = { name: undefined, redirectUris: [GOOD] };
  const { client } = await registerClient(test, unnamed);
  assertEquals(client.name, "Unnamed client");
  const badName = {
    error: "invalid_client_metadata",
    description:
      "client_name must be 1 to 100 characters, all of which can be seen",
  };
  const badAddresses = {
    error: "invalid_redirect_uri",
    description: "redirect_uris must be 1 to 10 addresses, one of which at " +
      "least is https or http on loopback, without fragment, userinfo and " +
      "parameters of a response",
  };
  for (
    const [changes, expected] of [
      [{ name: "" }, badName],
      [{ name: null }, badName],
      [{ redirectUris: [] }, badAddresses],
    ] as const
  ) {
    const input = { ...unnamed, ...changes };
    const refusal = await assertRefused(
      () => registerClient(test, input),
      "oauth_error",
    );
    assertEquals(refusal, { code: "oauth_error", ...expected });
  }
});
