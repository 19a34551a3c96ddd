/** What all processes together have fetched is not for a few networks alone. */
import { assert, assertEquals } from "@std/assert";
import { REPEATED_CLIENT_FETCHES } from "../../../../domain/rate_limit/policy.ts";
import { CLIENT_DOCUMENT, jsonDocument } from "../../../support/client_host.ts";
import { authorizationQuery } from "../../../support/oauth_flow.ts";
import { openOauthWorld } from "../../../support/oauth_world.ts";

const REDIRECT = { redirect_uri: "https://agent.example/callback" };

Deno.test("networks that go on having documents fetched, over several processes, leave half of each second to others", async () => {
  await using world = await openOauthWorld();
  world.clients.answer = ({ url }) =>
    jsonDocument({
      ...CLIENT_DOCUMENT,
      client_id: `https://agent.example${new URL(url).pathname}`,
    });
  const connect = async (path: string, from: string) => {
    const query = authorizationQuery(`https://agent.example${path}`, REDIRECT);
    const answer = await world.ask(query, {}, from);
    await answer.body?.cancel();
    return answer.status;
  };
  const inOneSite = (nth: number) => `2001:db8:bad:${nth}00::1`;
  for (let nth = 0; nth < 5; nth++) {
    assertEquals(await connect(`/a${nth}.json`, inOneSite(nth)), 303);
  }
  // What the like of it ask of other processes.
  const repeated = {
    id: "client_fetches:repeated",
    policy: REPEATED_CLIENT_FETCHES,
  };
  for (let nth = 0; nth < REPEATED_CLIENT_FETCHES.capacity; nth++) {
    assert((await world.limiter.takeAll([repeated], "")).admitted);
  }
  assertEquals(await connect("/b.json", inOneSite(6)), 503);
  assertEquals(await connect("/c.json", "192.0.2.1"), 303);
});
