import { assertEquals } from "@std/assert";
import { DAY_MS } from "../../../domain/day.ts";
import { checkMandateTerms } from "../../../domain/mandates/mandate_terms.ts";
import type { Mandate } from "../../../domain/oauth/grant.ts";
import { assertRefused } from "../../support/refused.ts";

const NOW_MS = 1_000_000;
const terms: Mandate = {
  maxBidCents: 100,
  dailyCapCents: 100_000_000,
  validUntilMs: NOW_MS + 90 * DAY_MS,
};

Deno.test("checkMandateTerms() accepts both bounds and 90 days", () => {
  checkMandateTerms(terms, NOW_MS);
  checkMandateTerms({ ...terms, validUntilMs: NOW_MS + 1 }, NOW_MS);
  checkMandateTerms({ ...terms, totalCapCents: 100 }, NOW_MS);
  checkMandateTerms({ ...terms, totalCapCents: 100_000_000 }, NOW_MS);
});

Deno.test("checkMandateTerms() accepts a single cap above the daily one", () => {
  checkMandateTerms({ ...terms, maxBidCents: 900, dailyCapCents: 100 }, NOW_MS);
});

Deno.test("checkMandateTerms() refuses more than 90 days, and the past", async () => {
  const ends = [90 * DAY_MS + 1, 0, -1, NaN, 0.5, Infinity];
  for (const end of ends) {
    const given = { ...terms, validUntilMs: NOW_MS + end };
    await assertRefused(
      () => checkMandateTerms(given, NOW_MS),
      "invalid_input",
    );
  }
});

Deno.test("checkMandateTerms() refuses cents out of bounds", async () => {
  for (const cents of [99, 100_000_001, 100.5, -100, NaN]) {
    for (const name of ["maxBidCents", "dailyCapCents", "totalCapCents"]) {
      const given = { ...terms, [name]: cents };
      await assertRefused(
        () => checkMandateTerms(given, NOW_MS),
        "invalid_input",
      );
    }
  }
});

Deno.test("checkMandateTerms() names the term, what it must be and what it is", async () => {
  const check = (given: Partial<Mandate>) =>
    assertRefused(
      () => checkMandateTerms({ ...terms, ...given }, NOW_MS),
      "invalid_input",
    );
  assertEquals(
    (await check({ maxBidCents: 99 })).message,
    "Cannot approve the mandate: max_bid_cents must be an integer from 100 to " +
      "100000000, current value is 99",
  );
  assertEquals(
    (await check({ validUntilMs: NOW_MS })).message,
    "Cannot approve the mandate: valid_until must lie in the next 90 days",
  );
});
