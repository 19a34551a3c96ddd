import { assertEquals } from "@std/assert";
import * as fc from "fast-check";
import { SCOPES } from "../../../../domain/oauth/grant.ts";
import type { ConsentDraft } from "../../../../routes/site/connect/consent_form.ts";
import { consentSeals } from "../../../../routes/site/connect/consent_seal.ts";
import { nextPath } from "../../../../routes/middleware/next_path.ts";
import { secretKeys } from "../../../../config/secret_keys.ts";
import { TEST_KEYS, TEST_SECRET } from "../../../support/keys.ts";

const OWNER = { requestId: "areq_1", bindingId: "stay_1" };
const SEALS = consentSeals(TEST_KEYS);

const DRAFTS = fc.record<ConsentDraft>({
  scopes: fc.subarray([...SCOPES]),
  maxBid: fc.string({ maxLength: 10, unit: "grapheme" }),
  dailyCap: fc.string({ maxLength: 40 }),
  totalCap: fc.string({ maxLength: 40 }),
  validUntil: fc.string({ maxLength: 40 }),
  viaPage: fc.boolean(),
}, { noNullPrototype: true });

const DRAFT: ConsentDraft = {
  scopes: ["bids:write"],
  maxBid: "12.50",
  dailyCap: "50",
  totalCap: "",
  validUntil: "2026-12-31",
  viaPage: false,
};

Deno.test("a sealed draft is opened as it was, by its owner alone", () => {
  fc.assert(fc.property(DRAFTS, (draft) => {
    const sealed = SEALS.seal(OWNER, draft);
    assertEquals(SEALS.open(OWNER, sealed), draft);
    for (const changed of ["requestId", "bindingId"] as const) {
      const other = { ...OWNER, [changed]: "another" };
      assertEquals(SEALS.open(other, sealed), null);
    }
  }));
});

Deno.test("the longest draft leads through the sign-in and back", () => {
  const long = "€".repeat(40);
  const draft = {
    scopes: SCOPES,
    maxBid: long,
    dailyCap: long,
    totalCap: long,
    validUntil: long,
    viaPage: true,
  };
  const request = { ...OWNER, requestId: `areq_${"x".repeat(20)}` };
  const path = `/connect/${request.requestId}?draft=` +
    SEALS.seal(request, draft);
  assertEquals(nextPath(path), path);
});

Deno.test("a changed seal opens nothing", () => {
  const sealed = SEALS.seal(OWNER, DRAFT);
  fc.assert(
    fc.property(fc.nat(sealed.length - 1), fc.string(), (at, put) => {
      const changed = sealed.slice(0, at) + put + sealed.slice(at + 1);
      if (changed !== sealed) assertEquals(SEALS.open(OWNER, changed), null);
    }),
  );
});

Deno.test("a token is no draft and a draft is no token", () => {
  const token = SEALS.token(OWNER);
  assertEquals(SEALS.isToken(OWNER, token), true);
  assertEquals(SEALS.open(OWNER, token), null);
  assertEquals(SEALS.isToken(OWNER, SEALS.seal(OWNER, DRAFT)), false);
});

Deno.test("a seal of the secret before this one still opens, of an unknown one not", () => {
  const other = "o".repeat(40);
  const before = consentSeals(secretKeys({ secrets: [other] }));
  const both = consentSeals(secretKeys({ secrets: [TEST_SECRET, other] }));
  const sealed = before.seal(OWNER, DRAFT);
  assertEquals(both.open(OWNER, sealed), DRAFT);
  assertEquals(SEALS.open(OWNER, sealed), null);
});
