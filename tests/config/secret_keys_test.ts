import { assert, assertEquals, assertNotEquals } from "@std/assert";
import { createGrant } from "../../tools/demo/create_grant.ts";
import { refreshTokens } from "../../domain/oauth/refresh_tokens.ts";
import type { Keys } from "../../domain/ports.ts";
import { secretKeys } from "../../config/secret_keys.ts";
import { openBiddingWorld } from "../support/bidding_world.ts";
import { assertRefused } from "../support/refused.ts";

const [OLD, NEW] = ["o".repeat(40), "n".repeat(40)];

Deno.test("secretKeys() knows what was made under every secret, and under no other", () => {
  const before = secretKeys({ secrets: [OLD] });
  const after = secretKeys({ secrets: [NEW, OLD] });
  const { currentId } = before;
  assertNotEquals(after.currentId, currentId);
  const mac = (keys: Keys) => keys.mac("refresh-successor", "text", currentId);
  assert(mac(before)?.length === 43);
  assertEquals(mac(after), mac(before));
  assertEquals(mac(secretKeys({ secrets: [NEW] })), null);
  assertNotEquals(mac(before), before.mac("sign-in", "text", currentId));
  assertEquals(after.ids, [after.currentId, currentId]);
});

Deno.test("a lost answer is repeated after the secrets rotate, while the old one is kept", async () => {
  await using world = await openBiddingWorld({ opened: false });
  await world.agent("ada");
  const over = (...secrets: [string, ...string[]]) => ({
    ...world.services,
    keys: secretKeys({ secrets }),
  });
  const { refreshToken } = await createGrant(over(OLD), {
    accountId: "acc_ada",
    clientId: "client_demo",
    scopes: ["account:read"],
    mandate: null,
  });
  const refresh = (services: ReturnType<typeof over>, text: string) =>
    refreshTokens(services, {
      refreshToken: text,
      clientId: "client_demo",
      scopes: null,
      resources: null,
    });
  const first = await refresh(over(OLD), refreshToken);
  const again = await refresh(over(NEW, OLD), refreshToken);
  assertEquals(again.refreshToken, first.refreshToken);
  await assertRefused(() => refresh(over(NEW), refreshToken), "oauth_error");
  // The grant is none the worse for it.
  const next = await refresh(over(NEW), first.refreshToken);
  assertNotEquals(next.refreshToken, first.refreshToken);
});
