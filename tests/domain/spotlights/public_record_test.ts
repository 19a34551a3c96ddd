import { assertEquals, assertMatch, assertNotEquals } from "@std/assert";
import {
  isRecordOf,
  strongEtag,
  toPublicRecord,
} from "../../../domain/spotlights/public_record.ts";
import { spotlight, TEST_BASE_URL } from "../../support/public_spotlights.ts";

const SETTLED = spotlight("2026-11-19", {
  headline: 'Tea & "cake" <b>',
  description: "Für alle — 東京 🍰",
  contentType: "house_advertisement",
});

Deno.test("toPublicRecord() serialises six fields and no others", () => {
  const record = toPublicRecord(SETTLED, TEST_BASE_URL);
  assertEquals(
    record.body,
    '{"data":{"day":"2026-11-19","headline":"Tea & \\"cake\\" <b>",' +
      '"description":"Für alle — 東京 🍰","advertiser":"Acme GmbH",' +
      '"canonicalUrl":"https://spotlight.example/spotlights/2026-11-19",' +
      '"contentType":"house_advertisement"}}',
  );
});

Deno.test("toPublicRecord() gives the body a strong entity tag", () => {
  const record = toPublicRecord(SETTLED, TEST_BASE_URL);
  assertMatch(record.etag, /^"[A-Za-z0-9_-]{22}"$/);
  assertEquals(record.etag, strongEtag(record.body));
  const other = { ...SETTLED, headline: "Another" };
  assertNotEquals(toPublicRecord(other, TEST_BASE_URL).etag, record.etag);
});

Deno.test("isRecordOf() sees every change of what is served", () => {
  const record = toPublicRecord(SETTLED, TEST_BASE_URL);
  assertEquals(isRecordOf(record, { ...SETTLED, adId: null }), true);
  const changes = [
    { headline: "x" },
    { description: "x" },
    { advertiser: "x" },
    { targetUrl: "https://x.example/" },
    { contentType: "paid_advertisement" },
    { day: spotlight("2026-11-18").day },
  ] as const;
  for (const change of changes) {
    assertEquals(isRecordOf(record, { ...SETTLED, ...change }), false);
  }
});
