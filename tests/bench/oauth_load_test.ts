import { assert, assertEquals } from "@std/assert";
import { ownGenerator } from "../../tools/bench/load/own.ts";
import { type OauthLoad, runOauthLoad } from "./oauth_load.ts";

function loadOf(port: number): OauthLoad {
  return {
    port,
    seconds: 0.2,
    connections: 8,
    addresses: 3,
    firstAddress: 0,
    then: "repeat",
    requests: [{
      head: "GET / HTTP/1.1\r\nHost: spotlight.example\r\n",
      body: "",
    }],
    expected: "{}",
  };
}

Deno.test("runOauthLoad() repeats one request over more connections than one", async () => {
  await using server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen() {} },
    () => new Response("{}"),
  );
  const { answers, bad } = await runOauthLoad(
    ownGenerator,
    loadOf(server.addr.port),
  );
  assert(answers >= 8);
  assertEquals(bad, 0);
});
