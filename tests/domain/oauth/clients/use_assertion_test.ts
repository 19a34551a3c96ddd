import { assertEquals } from "@std/assert";
import { useAssertion } from "../../../../domain/oauth/clients/use_assertion.ts";
import { openTestStore } from "../../../support/store.ts";

Deno.test("useAssertion() takes an assertion once, and knows it until a minute after its end", async () => {
  await using test = await openTestStore();
  const { clock } = test;
  const used = {
    clientId: "https://agent.example/client.json",
    jti: "one",
    expiresAtMs: clock.now() + 300_000,
  };
  assertEquals(await useAssertion(test, used), true);
  clock.advance(300_000 + 59_999);
  assertEquals(await useAssertion(test, used), false);
  clock.advance(1);
  assertEquals(await useAssertion(test, used), true);
});
