import { assertEquals } from "@std/assert";
import { mailedTo } from "../../../domain/accounts/mailed_to.ts";
import {
  erasureUrl,
  readErasureToken,
} from "../../../domain/privacy/erasure_link.ts";
import { TEST_SETTINGS } from "../../support/auction_world.ts";
import { TEST_KEYS } from "../../support/keys.ts";

Deno.test("a link of an erasure is read as it was made, and no other is", () => {
  const to = mailedTo({ id: "acc_1", email: "ada@example.com" });
  const link = {
    accountId: "acc_1",
    erasureId: "era_1",
    act: "keep",
    to,
  } as const;
  const services = { keys: TEST_KEYS, settings: TEST_SETTINGS };
  const token = erasureUrl(services, link).split("/").at(-1) ?? "";
  assertEquals(readErasureToken(TEST_KEYS, token), link);
  for (
    const other of [
      token.replace("keep", "confirm"),
      token.replace("acc_1", "acc_2"),
      token.replace("era_1", "era_2"),
      token.replace(to, mailedTo({ id: "acc_1", email: "bob@example.com" })),
      token.slice(0, -1),
      "",
    ]
  ) {
    assertEquals(readErasureToken(TEST_KEYS, other), null);
  }
});
