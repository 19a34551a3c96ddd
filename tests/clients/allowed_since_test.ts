/** What a person allows after a token was given out. */
import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { createClient, Refused } from "../../clients/api/client.js";
import { errorOf, logIn, withCli } from "./cli_world.ts";

withCli(
  "does what was allowed since its token, and says what was not",
  async (given) => {
    const { cli, ada } = given;
    const some = await logIn(given, { scopes: ["account:read", "bids:read"] });
    assertEquals([some.code, some.stderr], [0, ""]);
    const before = await cli.run(["report", "--json"]);
    assertEquals(before.code, 1);
    const { code, message } = errorOf(before);
    assertEquals(code, "agent.scope-missing");
    assertStringIncludes(message, "has not allowed reports:read");
    assertStringIncludes(message, "; then run it again");

    await ada.changeAgent(["account:read", "bids:read", "reports:read"]);
    const after = await cli.run(["report"]);
    assertEquals([after.code, after.stderr], [0, ""]);
  },
);

/** Requests of a client that may never do what it asks for. */
async function requestsWith(
  token: (refused?: string) => string,
): Promise<number> {
  let requests = 0;
  const client = createClient({
    baseUrl: "https://site.example",
    authUrl: "https://auth.example",
    token,
    fetch() {
      requests++;
      const headers = {
        "content-type": "application/problem+json",
        "www-authenticate": 'Bearer error="insufficient_scope", scope="a"',
      };
      const body = JSON.stringify({ code: "agent.scope-missing" });
      return Promise.resolve(new Response(body, { status: 403, headers }));
    },
  });
  const refused = await assertRejects(
    () => client.call("readAccount"),
    Refused,
  );
  assertEquals(refused.code, "agent.scope-missing");
  assertStringIncludes(refused.challenge ?? "", 'scope="a"');
  return requests;
}

Deno.test("the client asks again once with another token that may do more, and never with the same", async () => {
  let tokens = 0;
  assertEquals(await requestsWith(() => `token-${tokens++}`), 2);
  assertEquals(tokens, 2);
  assertEquals(await requestsWith(() => "given"), 1);
});

Deno.test("the client says which scope is missing also where no other token can be had", async () => {
  const requests = await requestsWith((refused) => {
    if (refused !== undefined) throw new Error("the token server is away");
    return "given";
  });
  assertEquals(requests, 1);
});
