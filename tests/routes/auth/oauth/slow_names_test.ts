import { assertEquals } from "@std/assert";
import { CLIENT_DOCUMENT, jsonDocument } from "../../../support/client_host.ts";
import { authorizationQuery } from "../../../support/oauth_flow.ts";
import { openOauthWorld } from "../../../support/oauth_world.ts";

const REDIRECT = { redirect_uri: "https://agent.example/callback" };

Deno.test("slow name servers asked for from two networks of 64 keep no honest application out", async () => {
  await using world = await openOauthWorld();
  const { promise: over, resolve: end } = Promise.withResolvers<void>();
  let slow = 0;
  world.clients.resolve = async (host) => {
    if (host.endsWith(".slow.example")) {
      slow++;
      await over;
    }
    return [{ address: "93.184.215.14", family: 4 }];
  };
  world.clients.answer = ({ url }) => {
    const clientId = `https://agent.example${new URL(url).pathname}`;
    return jsonDocument({ ...CLIENT_DOCUMENT, client_id: clientId });
  };
  const connect = (clientId: string, from: string) =>
    world.ask(authorizationQuery(clientId, REDIRECT), {}, from);
  const attack = Array.from({ length: 16 }, (_, nth) =>
    connect(
      `https://h${nth}.slow.example/client.json`,
      `2001:db8:${nth % 2}:${nth.toString(16)}00::1`,
    ));
  for (let nth = 0; nth < 6; nth++) {
    world.bidding.clock.advance(2_000);
    const clientId = `https://agent.example/honest${nth}.json`;
    const answer = await connect(clientId, `192.0.2.${nth}`);
    await answer.body?.cancel();
    assertEquals(answer.status, 303);
  }
  assertEquals(slow, 4);
  end();
  for (const answer of await Promise.all(attack)) await answer.body?.cancel();
});
