import { assertEquals } from "@std/assert";
import { withKey } from "../../../domain/paid_metrics/charge.ts";

Deno.test("withKey() keeps each key of a payment once, and the last eight", () => {
  const eight = ["1", "2", "3", "4", "5", "6", "7", "8"];
  assertEquals(withKey(eight, "3"), eight);
  assertEquals(withKey(eight, null), eight);
  assertEquals(withKey(eight, "9"), [...eight.slice(1), "9"]);
  assertEquals(withKey(eight.slice(1), "9"), [...eight.slice(1), "9"]);
});
