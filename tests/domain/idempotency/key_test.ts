import { assertEquals } from "@std/assert";
import { parseIdempotencyKey } from "../../../domain/idempotency/key.ts";
import { assertRefused } from "../../support/refused.ts";

Deno.test("parseIdempotencyKey() accepts 1 to 255 visible characters", () => {
  for (const key of ["k", "!", "~", "a".repeat(255)]) {
    assertEquals(parseIdempotencyKey(key), key);
  }
});

Deno.test("parseIdempotencyKey() refuses a request without the header", async () => {
  await assertRefused(
    () => parseIdempotencyKey(null),
    "idempotency_key_required",
  );
});

Deno.test("parseIdempotencyKey() refuses empty, long and unprintable keys", async () => {
  const bad = ["", "a".repeat(256), "a b", "a\tb", "é", "\x7f", "a, b"];
  for (const key of bad) {
    await assertRefused(() => parseIdempotencyKey(key), "bad_request");
  }
});

Deno.test("parseIdempotencyKey() accepts a space inside where that is allowed", async () => {
  const rules = { spaceInside: true };
  assertEquals(parseIdempotencyKey("a b", rules), "a b");
  for (const key of [" a", "a ", " ", ""]) {
    await assertRefused(() => parseIdempotencyKey(key, rules), "bad_request");
  }
});
