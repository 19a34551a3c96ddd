/** What must be nowhere but at the client. */
import { assert, assertEquals } from "@std/assert";
import { approveAuthorization } from "../../../../domain/oauth/authorize/approve_authorization.ts";
import { dump } from "../../../../kv/dump.ts";
import { saveSession } from "../../../support/sessions.ts";
import { seen } from "../../../support/captured_logs.ts";
import { readyAccount } from "../../../support/bidding_world.ts";
import {
  CHALLENGE,
  codeForm,
  connect,
  REDIRECT_URI,
  refreshForm,
  tokensOf,
  VERIFIER,
} from "../../../support/oauth_flow.ts";
import {
  formOf,
  openOauthWorld,
  paramsOf,
  saveAccount,
} from "../../../support/oauth_world.ts";
import { runService } from "../../../support/running_service.ts";

Deno.test("L1 the store holds no code, token or verifier after a whole flow", async () => {
  await using world = await openOauthWorld();
  const connected = await connect(world);
  const next = await tokensOf(
    await world.post(
      refreshForm(connected.clientId, connected.tokens.refresh_token),
    ),
  );
  await world.post({ token: next.access_token });
  const text = await new Response(
    dump(world.bidding.testStore.realKv, { keys: null }),
  ).text();
  const secrets = [
    connected.code,
    connected.tokens.access_token,
    connected.tokens.refresh_token,
    next.access_token,
    next.refresh_token,
  ];
  for (const secret of secrets) {
    assertEquals(secret.slice(-43).length, 43);
    assert(!text.includes(secret.slice(-43)), "a secret lies in the store");
  }
  assert(!text.includes(VERIFIER));
});

Deno.test("L2 the log holds no code, token, verifier, state, challenge or address", async () => {
  await using running = await runService();
  const { authUrl } = running.config.settings;
  const { services } = running.service.core;
  await saveAccount(services, readyAccount("ada"));
  const registered = await seen.fetch(`${authUrl}/oauth/register`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ redirect_uris: [REDIRECT_URI] }),
  });
  const { client_id: clientId } = await registered.json();
  const query = paramsOf({
    response_type: "code",
    client_id: clientId,
    redirect_uri: REDIRECT_URI,
    state: "state-that-nobody-logs",
    code_challenge: CHALLENGE,
    code_challenge_method: "S256",
  });
  const started = await seen.fetch(`${authUrl}/oauth/authorize?${query}`, {
    redirect: "manual",
  });
  const requestId = started.headers.get("location")?.split("/").at(-1) ?? "";
  const { redirectTo } = await approveAuthorization(services, {
    requestId,
    sessionHash: "session",
    session: await saveSession(services),
    scopes: ["account:read"],
    mandate: null,
  });
  const code = new URL(redirectTo).searchParams.get("code") ?? "";
  const post = (members: Parameters<typeof formOf>[0]) =>
    seen.fetch(`${authUrl}/oauth/token`, formOf(members));
  const tokens = await tokensOf(await post(codeForm({ clientId, code })));
  const me = await seen.fetch(`${authUrl}/v1/agent/me`, {
    headers: { authorization: `Bearer ${tokens.access_token}` },
  });
  await me.body?.cancel();
  for (const members of [codeForm({ clientId, code }), { token: "x" }, {}]) {
    await (await post(members)).body?.cancel();
  }
  await running.service.stop();
  const logged = running.logged();
  assert(logged.includes('"route":"/oauth/token"'));
  const secrets = [
    code,
    requestId,
    tokens.access_token,
    tokens.refresh_token,
    VERIFIER,
    CHALLENGE,
    "state-that-nobody-logs",
    "client.example",
    clientId,
  ];
  for (const secret of secrets) {
    assert(!logged.includes(secret.slice(-40)), "a secret was logged");
  }
});

Deno.test("L3 errors say nothing of what is inside", async () => {
  await using world = await openOauthWorld();
  const { kv } = world.bidding.testStore;
  for (const path of ["/oauth/token", "/oauth/register"]) {
    kv.inject({ on: "commit", fault: { kind: "fail_after" } });
    const answer = await world.ask(path, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ redirect_uris: [REDIRECT_URI] }),
    });
    const text = await answer.text();
    assert(!/ at |\.ts|stack|kv/i.test(text), text);
  }
});
