import { assertEquals } from "@std/assert";
import * as fc from "fast-check";
import { checkMandateTerms } from "../../../../domain/mandates/mandate_terms.ts";
import { SCOPES } from "../../../../domain/oauth/grant.ts";
import {
  mandateDays,
  readConsentForm,
} from "../../../../routes/site/connect/consent_form.ts";
import { readForm } from "../../../../routes/http/form_body.ts";
import { bodyOf } from "../../../support/bindings.ts";
import { LIMITS } from "./consent.ts";

const NOW_MS = Date.parse("2026-11-20T12:00:00.000Z");

async function reading(
  fields: Readonly<Record<string, string>>,
  scopes: readonly string[] = ["bids:write"],
) {
  const body = new URLSearchParams(fields);
  for (const scope of scopes) body.append("scope", scope);
  const request = new Request("https://spotlight.example/", {
    method: "POST",
    body,
  });
  const form = await readForm(bodyOf(request), ["scope"]);
  return readConsentForm(form, ["account:read", "bids:write"], NOW_MS);
}

async function errorsOf(
  changes: Readonly<Record<string, string>>,
): Promise<unknown> {
  const read = await reading({ ...LIMITS, ...changes });
  return read.ok ? {} : read.errors;
}

const AMOUNT = "Enter an amount in euros such as 12.50, from EUR 1.00 to " +
  "EUR 1,000,000.00.";
const DAY = "Choose a day from 2026-11-20 to 2027-02-17.";

Deno.test("readConsentForm() reads limits in cents, to the end of the last day", async () => {
  const read = await reading(LIMITS);
  assertEquals(read.ok && read.mandate, {
    maxBidCents: 1_250,
    dailyCapCents: 5_000,
    validUntilMs: Date.parse("2027-01-01T00:00:00.000Z"),
  });
});

for (
  const [why, field, value] of [
    ["a missing", "max_bid", ""],
    ["a negative", "max_bid", "-5"],
    ["a fractional cent", "max_bid", "12.345"],
    ["a too small", "max_bid", "0.99"],
    ["a too large", "max_bid", "1000000.01"],
    ["a worded", "max_bid", "ten"],
    ["a missing", "daily_cap", ""],
    ["a zero", "daily_cap", "0"],
    ["an exponential", "daily_cap", "1e3"],
  ] as const
) {
  Deno.test(`K7 ${why} amount in ${field} is said beside it`, async () => {
    const name = field === "max_bid" ? "maxBid" : "dailyCap";
    assertEquals(await errorsOf({ [field]: value }), { [name]: AMOUNT });
  });
}

for (
  const [why, value] of [
    ["missing", ""],
    ["past", "2026-11-19"],
    ["more than 90 days ahead", "2027-02-18"],
    ["impossible", "2026-02-30"],
    ["otherwise written", "31/12/2026"],
  ] as const
) {
  Deno.test(`K7 a last day that is ${why} is said beside it`, async () => {
    assertEquals(await errorsOf({ valid_until: value }), { validUntil: DAY });
  });
}

Deno.test("readConsentForm() takes the least and the most of everything", async () => {
  for (const day of ["2026-11-20", "2027-02-17"]) {
    const read = await reading({
      max_bid: "1",
      daily_cap: "1000000",
      valid_until: day,
    });
    assertEquals(read.ok, true);
  }
});

Deno.test("every mandate that is read is one that may be approved", async () => {
  const days = fc.integer({ min: -3, max: 100 });
  await fc.assert(fc.asyncProperty(days, async (ahead) => {
    const day = new Date(NOW_MS + ahead * 86_400_000).toISOString();
    const read = await reading({ ...LIMITS, valid_until: day.slice(0, 10) });
    assertEquals(read.ok, ahead >= 0 && ahead < 90);
    if (read.ok && read.mandate) checkMandateTerms(read.mandate, NOW_MS);
  }));
});

Deno.test("readConsentForm() names all faults at once and keeps what was typed", async () => {
  const typed = { max_bid: "x", daily_cap: "-1", valid_until: "soon" };
  const read = await reading(typed, ["bids:write", "account:read", "other"]);
  assertEquals(read, {
    ok: false,
    errors: { maxBid: AMOUNT, dailyCap: AMOUNT, validUntil: DAY },
    draft: {
      scopes: ["account:read", "bids:write"],
      maxBid: "x",
      dailyCap: "-1",
      totalCap: "",
      validUntil: "soon",
      viaPage: false,
    },
  });
});

Deno.test("readConsentForm() reads a total, and none where it is left empty", async () => {
  const read = await reading({ ...LIMITS, total_cap: "300" });
  assertEquals(read.ok && read.mandate?.totalCapCents, 30_000);
  const none = await reading({ ...LIMITS, total_cap: " " });
  assertEquals(none.ok && Object.keys(none.mandate ?? {}), [
    "maxBidCents",
    "dailyCapCents",
    "validUntilMs",
  ]);
  const faulty = await errorsOf({ total_cap: "0.99" });
  assertEquals(faulty, { totalCap: `${AMOUNT} Or leave it empty.` });
});

Deno.test("readConsentForm() leaves the limits aside without bids:write", async () => {
  const read = await reading({ ...LIMITS, max_bid: "x" }, ["account:read"]);
  assertEquals(read.ok && read.mandate, null);
});

Deno.test("readConsentForm() wants one tick at least", async () => {
  const read = await reading(LIMITS, []);
  assertEquals(!read.ok && Object.keys(read.errors), ["scopes"]);
  const unoffered = await reading(LIMITS, [...SCOPES].slice(-2));
  assertEquals(unoffered.ok, false);
});

Deno.test("mandateDays() ends within 90 days at any time of the day", () => {
  fc.assert(fc.property(fc.nat(86_399_999), (ms) => {
    const nowMs = Date.parse("2026-11-20T00:00:00.000Z") + ms;
    const { last } = mandateDays(nowMs);
    const endMs = Date.parse(`${last}T00:00:00.000Z`) + 86_400_000;
    checkMandateTerms(
      { maxBidCents: 100, dailyCapCents: 100, validUntilMs: endMs },
      nowMs,
    );
  }));
});
