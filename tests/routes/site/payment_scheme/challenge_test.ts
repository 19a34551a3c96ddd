import { assertEquals, assertMatch, assertNotEquals } from "@std/assert";
import { createHmac } from "node:crypto";
import {
  challengeHeader,
  challengeId,
  type ChallengeTerms,
  requestFor,
} from "../../../../routes/site/payment_scheme/challenge.ts";
import { paymentScheme } from "../../../../routes/site/payment_scheme/scheme.ts";
import { secretKeys } from "../../../../config/secret_keys.ts";
import { TEST_SETTINGS } from "../../../support/auction_world.ts";
import { ManualClock } from "../../../support/clock.ts";
import { credential } from "../../../support/paid_world.ts";
import { dayText } from "../../../support/public_spotlights.ts";

const SECRET = "spotlight-test-secret-0123456789abcdef";
const PROFILE = "profile_test_spotlight";
const day = dayText("2026-11-19");

const REQUEST =
  "eyJhbW91bnQiOiIxMDAiLCJjdXJyZW5jeSI6ImV1ciIsImV4dGVybmFsSWQiOiJtZXRyaWNzOjIwMjYtMTEtMTkiLCJtZXRob2REZXRhaWxzIjp7Im5ldHdvcmtJZCI6InByb2ZpbGVfdGVzdF9zcG90bGlnaHQiLCJwYXltZW50TWV0aG9kVHlwZXMiOlsiY2FyZCJdfX0";

const TERMS: ChallengeTerms = {
  realm: "spotlight.example",
  method: "stripe",
  intent: "charge",
  request: REQUEST,
  expires: "2026-11-20T00:05:00.000Z",
};

function mac(text: string): string {
  return createHmac("sha256", SECRET).update(text).digest("base64url");
}

Deno.test("requestFor() is the canonical JSON of the vectors, unpadded", () => {
  assertEquals(requestFor(day, PROFILE), REQUEST);
  assertEquals(
    atob(REQUEST),
    '{"amount":"100","currency":"eur","externalId":"metrics:2026-11-19",' +
      '"methodDetails":{"networkId":"profile_test_spotlight",' +
      '"paymentMethodTypes":["card"]}}',
  );
});

Deno.test("challengeId() gives the ids of the vectors", () => {
  assertEquals(
    challengeId(TERMS, mac),
    "3QO6h2CSza-VWVPiUVEVRl7rQlwDAQw0NtSAJDFlXyI",
  );
  const opaque = "eyJkYXkiOiIyMDI2LTExLTE5In0";
  assertEquals(
    challengeId({ ...TERMS, opaque }, mac),
    "wxyS_iQ4VktT-vbLB1FmJB66GebC7jgOBT4s20tGj_E",
  );
});

Deno.test("challengeId() changes with every slot, and with its place", () => {
  const ids = [
    challengeId(TERMS, mac),
    ...Object.keys(TERMS).map((name) =>
      challengeId({ ...TERMS, [name]: "x" }, mac)
    ),
    challengeId({ ...TERMS, digest: "x" }, mac),
    challengeId({ ...TERMS, opaque: "x" }, mac),
  ];
  assertEquals(new Set(ids).size, ids.length);
});

Deno.test("challengeHeader() writes seven quoted parameters in their order", () => {
  const id = challengeId(TERMS, mac);
  const description = "Spotlight metrics for 2026-11-19";
  assertEquals(
    challengeHeader({ ...TERMS, id, description }),
    `Payment id="${id}", realm="spotlight.example", method="stripe", ` +
      `intent="charge", request="${REQUEST}", ` +
      `expires="2026-11-20T00:05:00.000Z", description="${description}"`,
  );
  assertMatch(
    challengeHeader({ ...TERMS, id, description: 'a "b" \\c' }),
    /description="a \\"b\\" \\\\c"$/,
  );
});

Deno.test("a desk's challenges are its own, at any moment", () => {
  const desk = deskOver("a".repeat(40));
  const [one, two] = [desk.challenge(day, true), desk.challenge(day, true)];
  assertNotEquals(one.id, two.id);
  assertEquals(Date.parse(one.expires), NOW + 5 * 60_000);
  assertMatch(one.expires, /^2026-11-20T12:05:00\.000\d{3}Z$/);
});

Deno.test("a challenge stays valid while the secret that signed it is kept", () => {
  const [OLD, NEW] = ["o".repeat(40), "n".repeat(40)];
  const challenge = deskOver(OLD).challenge(day, true);
  const header = credential({ ...challenge }, { spt: "spt_1" });
  for (const desk of [deskOver(OLD), deskOver(NEW, OLD)]) {
    assertEquals(desk.read(header, day), {
      day,
      paymentId: challenge.id,
      challengeExpiresAtMs: NOW + 5 * 60_000,
      payload: { token: "spt_1" },
    });
  }
  const unknown = { need: "unknown_challenge" } as const;
  assertEquals(deskOver(NEW).read(header, day), unknown);
  assertNotEquals(deskOver(NEW, OLD).challenge(day, true).id, challenge.id);
});

Deno.test("a desk takes no challenge of another profile or address", () => {
  const challenge = deskOver("a".repeat(40)).challenge(day, true);
  const header = credential({ ...challenge }, { spt: "spt_1" });
  const secrets = ["a".repeat(40)] as const;
  const services = servicesOver(secrets);
  const others = [
    paymentScheme({ services, profileId: "profile_other" }),
    paymentScheme({
      services: {
        ...services,
        settings: { ...TEST_SETTINGS, baseUrl: "https://other.example" },
      },
      profileId: PROFILE,
    }),
  ];
  for (const desk of others) {
    assertEquals(desk.read(header, day), { need: "unknown_challenge" });
  }
});

const NOW = Date.parse("2026-11-20T12:00:00.000Z");

function servicesOver(secrets: readonly [string, ...string[]]) {
  return {
    clock: new ManualClock(NOW),
    keys: secretKeys({ secrets }),
    settings: TEST_SETTINGS,
  };
}

function deskOver(...secrets: [string, ...string[]]) {
  return paymentScheme({ services: servicesOver(secrets), profileId: PROFILE });
}
