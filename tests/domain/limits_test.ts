import { assertEquals } from "@std/assert";
import * as limits from "../../domain/limits.ts";

Deno.test("every limit is the contract's number", () => {
  const { AD_ID_SHAPE, ...numbers } = limits;
  assertEquals(AD_ID_SHAPE.test("a".repeat(64)), true);
  assertEquals(AD_ID_SHAPE.test("a".repeat(65)), false);
  const contract = {
    MIN_BID_CENTS: 100,
    MAX_BID_CENTS: 100_000_000,
    MAX_MANDATE_DAYS: 90,
    ACCESS_TOKEN_MS: 60 * 60 * 1_000,
    REFRESH_TOKEN_MS: 30 * 24 * 60 * 60 * 1_000,
    PUBLIC_BUCKET_CAPACITY: 120,
    PUBLIC_BUCKET_REFILL_PER_S: 2,
    GRANT_BUCKET_CAPACITY: 120,
    GRANT_BUCKET_REFILL_PER_S: 2,
    LIST_LIMIT_MAX: 50,
    LIST_LIMIT_DEFAULT: 20,
    LIST_OFFSET_MAX: 10_000,
    BATCH_DAYS_MAX: 10,
    BATCH_PARAMETER_MAX: 109,
    IDEMPOTENCY_KEY_MAX: 255,
    AGENT_BODY_MAX_BYTES: 16_384,
    SETTLEMENT_CANDIDATES_MAX: 5,
    SETTLEMENT_UNCERTAIN_MS: 60 * 60 * 1_000,
  };
  // Others may be added; none of these may change.
  assertEquals({ ...numbers, ...contract }, numbers);
});
