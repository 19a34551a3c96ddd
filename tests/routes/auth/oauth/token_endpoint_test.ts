import { assertEquals } from "@std/assert";
import {
  approve,
  assertOauthError,
  bearerStatus,
  codeForm,
  connect,
  refreshForm,
  tokensOf,
} from "../../../support/oauth_flow.ts";
import {
  formOf,
  type Members,
  openOauthWorld,
  paramsOf,
} from "../../../support/oauth_world.ts";

Deno.test("T1 token without grant_type is a revocation", async () => {
  await using world = await openOauthWorld();
  const { tokens } = await connect(world);
  const answer = await world.post({ token: tokens.access_token });
  assertEquals(answer.status, 200);
  assertEquals(await answer.text(), "");
  assertEquals(answer.headers.get("content-length"), "0");
  assertEquals(answer.headers.get("cache-control"), "no-store");
  assertEquals(await bearerStatus(world, tokens.access_token), 401);
});

Deno.test("T1 neither grant_type nor token is invalid_request", async () => {
  await using world = await openOauthWorld();
  const empty = [{}, { client_id: "x" }, { token: "" }, { grant_type: "" }];
  for (const members of empty) {
    await assertOauthError(await world.post(members), "invalid_request");
  }
});

Deno.test("T1 grant_type and token together are a token request", async () => {
  await using world = await openOauthWorld();
  const approved = await approve(world);
  const before = await connect(world);
  const { access_token } = before.tokens;
  const form = codeForm(approved, { token: access_token });
  await tokensOf(await world.post(form));
  assertEquals(await bearerStatus(world, access_token), 200);
});

Deno.test("an unknown grant_type is unsupported_grant_type", async () => {
  await using world = await openOauthWorld();
  for (const type of ["password", "client_credentials", "__proto__", "code"]) {
    const members = { grant_type: type, client_id: "x" };
    await assertOauthError(
      await world.post(members),
      "unsupported_grant_type",
    );
  }
});

Deno.test("T2 a body that is no form is invalid_request", async () => {
  await using world = await openOauthWorld();
  const form = paramsOf(codeForm(await approve(world))).toString();
  const types = [
    "application/json",
    "text/plain",
    "multipart/form-data; boundary=x",
    "application/x-www-form-urlencoded-x",
    "application/x-www-form-urlencoded; charset=iso-8859-1",
    "",
  ];
  for (const type of types) {
    const answer = await world.ask("/oauth/token", {
      method: "POST",
      headers: { "content-type": type },
      body: form,
    });
    await assertOauthError(answer, "invalid_request");
  }
  const answer = await world.ask("/oauth/token", {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: form,
  });
  await tokensOf(answer);
});

Deno.test("T2 another method is 405 with Allow", async () => {
  await using world = await openOauthWorld();
  for (const path of ["/oauth/token", "/oauth/register"]) {
    for (const method of ["GET", "PUT", "DELETE", "OPTIONS"]) {
      const answer = await world.ask(path, { method });
      assertEquals(answer.headers.get("allow"), "POST", method);
      await assertOauthError(answer, "invalid_request", 405);
    }
  }
  const unknown = await world.ask("/oauth/introspect", { method: "POST" });
  await assertOauthError(unknown, "invalid_request", 404);
});

Deno.test("a body of more than 16 KiB or not in UTF-8 is invalid_request", async () => {
  await using world = await openOauthWorld();
  const long = { token: "x".repeat(16 * 1024) };
  await assertOauthError(await world.post(long), "invalid_request");
  const answer = await world.ask("/oauth/token", {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: new Uint8Array([0x74, 0x3d, 0xff]),
  });
  await assertOauthError(answer, "invalid_request");
});

Deno.test("a token request has 64 parameters at most, and more are not decoded", async () => {
  await using world = await openOauthWorld();
  const approved = await approve(world);
  const form = paramsOf(codeForm(approved)).toString();
  const own = form.split("&").length;
  const post = (others: number) =>
    world.ask("/oauth/token", {
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: form + "&%".repeat(others),
    });
  const more = await post(65 - own);
  assertEquals(
    (await more.clone().json()).error_description,
    "The body must have 64 parameters at most",
  );
  await assertOauthError(more, "invalid_request");
  await tokensOf(await post(64 - own));
});

Deno.test("a repeated parameter is invalid_request, an empty one is absent", async () => {
  await using world = await openOauthWorld();
  const approved = await approve(world);
  for (const name of ["code", "client_id", "grant_type", "token", "x"]) {
    const form = codeForm(approved, { [name]: ["a", "b"] });
    await assertOauthError(await world.post(form), "invalid_request");
  }
  const form = codeForm(approved, { client_secret: "", resource: "" });
  await tokensOf(await world.post(form));
});

Deno.test("parameters in the query are invalid_request", async () => {
  await using world = await openOauthWorld();
  const approved = await approve(world);
  const path = `/oauth/token?client_id=${approved.clientId}`;
  const answer = await world.ask(path, formOf(codeForm(approved)));
  await assertOauthError(answer, "invalid_request");
});

Deno.test("client authentication by header is invalid_client with a challenge", async () => {
  await using world = await openOauthWorld();
  const approved = await approve(world);
  const answer = await world.ask("/oauth/token", {
    ...formOf(codeForm(approved)),
    headers: { authorization: `Basic ${btoa(`${approved.clientId}:x`)}` },
  });
  const challenge = answer.headers.get("www-authenticate");
  assertEquals(challenge, 'Basic realm="Spotlight"');
  await assertOauthError(answer, "invalid_client");
  const unknown = codeForm(approved, { client_id: "dcr_unknown" });
  const bare = await world.post(unknown);
  assertEquals(bare.headers.get("www-authenticate"), null);
  await assertOauthError(bare, "invalid_client");
});

Deno.test("T3 every answer of the token endpoint says no-store", async () => {
  await using world = await openOauthWorld();
  const connected = await connect(world);
  const { refresh_token } = connected.tokens;
  const all = [
    refreshForm(connected.clientId, refresh_token),
    refreshForm(connected.clientId, "x"),
    { token: "x" },
    {},
  ];
  for (const members of all) {
    const answer = await world.post(members);
    await answer.body?.cancel();
    assertEquals(answer.headers.get("cache-control"), "no-store");
    assertEquals(answer.headers.get("set-cookie"), null);
  }
});

Deno.test("a browser may ask the token endpoint from any origin, without cookies", async () => {
  await using world = await openOauthWorld();
  for (const path of ["/oauth/token", "/oauth/register"]) {
    const answer = await world.ask(path, {
      method: "OPTIONS",
      headers: {
        origin: "https://app.example",
        "access-control-request-method": "POST",
      },
    });
    assertEquals(answer.status, 204);
    const { headers } = answer;
    assertEquals(headers.get("access-control-allow-origin"), "*");
    assertEquals(headers.get("access-control-allow-methods"), "POST");
    assertEquals(headers.get("access-control-allow-credentials"), null);
  }
  const refused = await world.post({});
  await refused.body?.cancel();
  assertEquals(refused.headers.get("access-control-allow-origin"), "*");
});

Deno.test("/oauth/token draws on the bucket of the address", async () => {
  await using world = await openOauthWorld();
  let last = Response.error();
  for (let n = 0; n < 61; n++) {
    last = await world.ask("/oauth/token", formOf({}), "198.51.100.1");
  }
  assertEquals(last.headers.get("retry-after"), "1");
  assertEquals(last.headers.get("ratelimit"), null);
  await assertOauthError(last, "slow_down", 429);
});

Deno.test("worthless requests at an address keep no good code, refresh or revocation from being taken", async () => {
  await using world = await openOauthWorld();
  const address = "198.51.100.1";
  const post = (members: Members) =>
    world.ask("/oauth/token", formOf(members), address);
  const { clientId, tokens } = await connect(world);
  const approved = await approve(world);
  const madeUp = (token: string) => token.slice(0, -65) + "x".repeat(65);
  const worthless = [
    { token: "x" },
    { token: madeUp(tokens.access_token) },
    refreshForm(clientId, madeUp(tokens.refresh_token)),
    codeForm(approved, { code: `svc_ac_${"x".repeat(43)}` }),
  ];
  for (let nth = 0; nth < 60; nth++) {
    const answer = await post(worthless[nth % 4] ?? {});
    await answer.body?.cancel();
    assertEquals(answer.status < 429, true);
  }
  for (const members of worthless) {
    await assertOauthError(await post(members), "slow_down", 429);
  }
  await tokensOf(await post(codeForm(approved)));
  const form = refreshForm(clientId, tokens.refresh_token);
  const refreshed = await tokensOf(await post(form));
  const ended = await post({ token: refreshed.access_token });
  assertEquals(ended.status, 200);
  assertEquals(await bearerStatus(world, refreshed.access_token), 401);
});

Deno.test("where an address is used up a grant's tokens are exchanged 60 times at once, then once a second", async () => {
  await using world = await openOauthWorld();
  const { clientId, tokens } = await connect(world);
  const address = "198.51.100.1";
  while ((await world.limiter.take("exchange", address)).admitted);
  const form = refreshForm(clientId, tokens.refresh_token);
  const statuses: number[] = [];
  for (let nth = 0; nth <= 60; nth++) {
    const answer = await world.ask("/oauth/token", formOf(form), address);
    await answer.body?.cancel();
    statuses.push(answer.status);
  }
  assertEquals(statuses, [...Array(60).fill(200), 429]);
});

Deno.test("the token endpoint answers 503 while the store fails, and nothing is used up", async () => {
  await using world = await openOauthWorld();
  const approved = await approve(world);
  const { kv } = world.bidding.testStore;
  kv.inject({ on: "commit", fault: { kind: "fail_before" } });
  const answer = await world.post(codeForm(approved));
  assertEquals(answer.headers.get("retry-after"), "1");
  await assertOauthError(answer, "temporarily_unavailable", 503);
  await tokensOf(await world.post(codeForm(approved)));
});
