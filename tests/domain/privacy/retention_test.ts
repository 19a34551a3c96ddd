/**
 * How long rows are kept that go by themselves: what docs/kv_schema.md says of a
 * family, what the code keeps them for, and what the store is told are one.
 */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { REPORT_KEPT_MS } from "../../../domain/ad_reports/report_ad.ts";
import { USE_KEPT_MS } from "../../../domain/bidding/place_bid.ts";
import { IN_FLIGHT_MS } from "../../../domain/cards/open_billing_portal.ts";
import { BOOKING_MARK_MS } from "../../../domain/clicks/booking.ts";
import { REPEAT_WITHIN_MS } from "../../../domain/clicks/visitor.ts";
import { DAY_MS } from "../../../domain/day.ts";
import { REFUND_REQUEST_MS } from "../../../domain/invoices/refund_request.ts";
import {
  KEPT_MAX_S,
  KEPT_MIN_S,
} from "../../../domain/oauth/clients/fetch_documents.ts";
import { UNUSED_CLIENT_MS } from "../../../domain/oauth/clients/register_client.ts";
import { REHEARSAL_MS } from "../../../domain/sandbox/rehearsal.ts";
import { SESSION_IDLE_MS } from "../../../domain/sessions/session.ts";
import { LOG_KEPT_MS } from "../../../kv/change_log.ts";
import { MARK_KEPT_MS } from "../../../kv/marked_commits.ts";
import { EVENT_KEPT_MS } from "../../../domain/events/event.ts";
import {
  EXPORT_KEPT_MS,
  planned,
} from "../../../domain/privacy/data_requests.ts";
import {
  IDEMPOTENCY_LONG_MS,
  IDEMPOTENCY_SHORT_MS,
} from "../../../domain/idempotency/replay.ts";
import { CARD_REMOVAL_KEPT_MS } from "../../../domain/cards/card_removal.ts";
import { MAIL_KEPT_MS } from "../../../domain/mail/outbox_mail.ts";
import {
  AUTHORIZATION_REQUEST_MS,
  CODE_KEPT_MS,
} from "../../../domain/oauth/authorization_request.ts";
import { PASSKEY_CHALLENGE_MS } from "../../../domain/passkeys/passkey_challenge.ts";
import { SANDBOX_JOB_MS } from "../../../domain/sandbox/job.ts";
import { CODE_MS } from "../../../domain/hold/has_code.ts";
import { CHECKOUT_KEPT_MS } from "../../../domain/checkout/limits.ts";
import { ENDED_KEPT_MS } from "../../../domain/oauth/ended_callback.ts";
import {
  METRICS_MADE_UP_KEPT_MS,
  METRICS_REFUSED_KEPT_MS,
} from "../../../domain/paid_metrics/limits.ts";
import { WEBHOOK_KEPT_MS } from "../../../domain/webhooks/webhook_event.ts";
import type { Families } from "../../../domain/ports.ts";
import { expiryOf, isExpired } from "../../../kv/refs.ts";
import { familyOf, tables } from "../../../kv/tables.ts";
import { openAuctionWorld } from "../../support/auction_world.ts";
import { fillWithCanaries } from "../../support/canary_account.ts";
import { saveCanaryRows } from "../../support/canary_rows.ts";
import { ManualClock } from "../../support/clock.ts";
import { ExpiringKv } from "../../support/expiring_kv.ts";
import { openTestStore } from "../../support/store.ts";

const MINUTE_MS = 60_000;
const UNITS: Readonly<Record<string, number>> = {
  second: 1_000,
  minute: MINUTE_MS,
  hour: 60 * MINUTE_MS,
  day: DAY_MS,
};

/** A row of the page's table: the family, and how long it is kept. */
const ROW = /^\| `(\w+)` \| `\[.*?\]` \| [^|]* \| ([^|]*) \|/gm;
const TIME = /\b(\d+|an?) (second|minute|hour|day)s?\b/;

/** For how long an erasure that was called off counts, as its row says. */
const REQUEST_COUNTED_MS = planned({
  accountId: "acc_1",
  exports: [],
  erasuresAskedAtMs: [0],
  dueAtMs: null,
  leaseOwner: null,
  failures: 0,
  expiresAtMs: null,
}, 0).expiresAtMs ?? 0;

/** For how long each family's rows are kept, and how its page writes it. */
const KEPT: readonly [family: string, ms: number, written: string][] = [
  ["account_events", EVENT_KEPT_MS, "30 days"],
  ["ad_reports", REPORT_KEPT_MS, "180 days"],
  ["authorization_codes", CODE_KEPT_MS, "30 days"],
  ["authorization_requests", AUTHORIZATION_REQUEST_MS, "10 minutes"],
  ["callbacks", ENDED_KEPT_MS, "30 days"],
  ["card_removals", CARD_REMOVAL_KEPT_MS, "7 days"],
  ["checkout_sessions", CHECKOUT_KEPT_MS, "30 days"],
  ["click_bookings", BOOKING_MARK_MS, "30 minutes"],
  ["click_visitors", REPEAT_WITHIN_MS + BOOKING_MARK_MS, "an hour"],
  ["clients", UNUSED_CLIENT_MS, "30 days"],
  ["commit_marks", MARK_KEPT_MS, "30 days"],
  ["data_requests", REQUEST_COUNTED_MS, "a day"],
  ["export_parts", EXPORT_KEPT_MS, "7 days"],
  ["fetched_documents", KEPT_MIN_S * 1_000, "5 minutes"],
  ["fetched_documents", KEPT_MAX_S * 1_000, "24 hours"],
  ["idempotency", IDEMPOTENCY_LONG_MS, "30 days"],
  ["idempotency", IDEMPOTENCY_SHORT_MS, "24 hours"],
  ["idempotency", IN_FLIGHT_MS, "45 seconds"],
  ["logged_changes", LOG_KEPT_MS, "3 days"],
  // From the beginning of its own day on.
  ["mandate_uses", USE_KEPT_MS - DAY_MS, "a day"],
  ["metrics_payments", METRICS_REFUSED_KEPT_MS, "30 days"],
  ["metrics_payments", METRICS_MADE_UP_KEPT_MS, "15 minutes"],
  ["outbox", MAIL_KEPT_MS, "7 days"],
  ["passkey_challenges", PASSKEY_CHALLENGE_MS, "5 minutes"],
  ["refund_requests", REFUND_REQUEST_MS, "24 hours"],
  ["rehearsals", REHEARSAL_MS, "an hour"],
  ["sandbox_jobs", SANDBOX_JOB_MS, "24 hours"],
  ["sessions", SESSION_IDLE_MS, "7 days"],
  ["sign_in_challenges", CODE_MS, "10 minutes"],
  ["webhook_events", WEBHOOK_KEPT_MS, "30 days"],
];

/** Families whose time is no constant, and the tests that hold it. */
const ELSEWHERE: Readonly<
  Record<string, readonly [file: string, test: string]>
> = {
  alerts: [
    "tests/domain/alerts/send_alerts_test.ts",
    "operators are mailed every morning of the day before and of what waits, once",
  ],
  click_salts: [
    "tests/domain/clicks/click_salt_test.ts",
    "rotateClickSalts() destroys the salts of days that are over, an outage of days long",
  ],
  used_assertions: [
    "tests/domain/oauth/clients/use_assertion_test.ts",
    "useAssertion() takes an assertion once, and knows it until a minute after its end",
  ],
};

const PAGE = await Deno.readTextFile(
  new URL("../../../docs/kv_schema.md", import.meta.url),
);

/** What the page says of how long a family is kept. */
function lifeOf(family: string): string {
  const row = new RegExp(
    `^\\| \`${family}\` \\| \`\\[.*?\\]\` \\| [^|]* \\| ([^|]*) \\|`,
    "m",
  ).exec(PAGE);
  return row?.[1] ?? "";
}

/** A time as the page writes it. */
function msOf(written: string): number {
  const [count = "", unit = ""] = written.split(" ");
  const one = UNITS[unit.replace(/s$/, "")];
  assert(one !== undefined, written);
  return one * (/^an?$/.test(count) ? 1 : Number(count));
}

Deno.test("docs/kv_schema.md states no time of a family that no test holds", () => {
  const stated = [...PAGE.matchAll(ROW)]
    .filter(([, , life = ""]) => TIME.test(life) || life === "its day")
    .map(([, family = ""]) => family);
  const held = [...KEPT.map(([family]) => family), ...Object.keys(ELSEWHERE)];
  assertEquals(stated.toSorted(), [...new Set(held)].toSorted());
});

Deno.test("the tests that hold the times that are no constants are there", async () => {
  for (const [file, test] of Object.values(ELSEWHERE)) {
    const path = new URL(`../../../${file}`, import.meta.url);
    assert((await Deno.readTextFile(path)).includes(`"${test}"`), test);
  }
});

for (const [family, ms, written] of KEPT) {
  Deno.test(`rows of ${family} are kept for ${written}, as docs/kv_schema.md says`, () => {
    assertMatch(lifeOf(family), new RegExp(`\\b${written}\\b`), family);
    assertEquals(ms, msOf(written));
    // The store is told, whichever commit writes the row.
    const nowMs = Date.parse("2026-11-20T12:00:00.000Z");
    const row = { expiresAtMs: nowMs + ms };
    assertEquals(expiryOf(row, nowMs), { expireIn: ms });
    assert(!isExpired(row, nowMs + ms - 1), "a moment before");
    assert(isExpired(row, nowMs + ms), "from its moment on");
  });
}

/** What a row is found by, in families of which the canaries have none. */
const IDS = {
  ...{ id: "i", hash: "h", urlHash: "u", day: "2026-11-20", number: 1 },
  ...{ jobId: "j", exportId: "e", index: 0, accountId: "acc_1", dueAtMs: null },
  ...{ reportedAtMs: 1, closedAtMs: null },
};

/** A row of each family that the account of all canaries has, as it is stored. */
async function sampleRows(): Promise<Map<string, object>> {
  await using world = await openAuctionWorld();
  const { services, clock } = world;
  const ada = await world.advertiser("ada");
  const { id: accountId } = ada.account;
  await fillWithCanaries(services, ada, { companyName: "Canary Person" });
  const [grant] = await services.store.listGrants(accountId, { limit: 1 });
  await saveCanaryRows(services, {
    accountId,
    grantId: grant?.id ?? "",
    bidId: "bid_1",
    invoiceId: "in_1",
    paymentId: "pi_1",
    nowMs: clock.now(),
  });
  const rows = new Map<string, object>();
  for await (
    const { key, value } of world.testStore.realKv.list({ prefix: [] })
  ) {
    rows.set(String(key[0]), value as object);
  }
  return rows;
}

/** Families that are records of the store, by the name that it has for each. */
const TABLES = new Map(
  Object.entries(tables).map(([name, { key }]) => [
    familyOf(key as (...parts: never[]) => Deno.KvKey),
    name as keyof Families,
  ]),
);

Deno.test("by the clock nothing is left of a row, indexes included, once its family's time is over, and all of it a moment before", async (t) => {
  const samples = await sampleRows();
  for (const [family, ms] of KEPT) {
    const name = TABLES.get(family);
    // Marks of commits and logged changes are no records.
    if (name === undefined) continue;
    await t.step(`${family}: ${ms} ms`, async () => {
      const clock = new ManualClock("2026-11-20T12:00:00.000Z");
      const kv = new ExpiringKv(clock);
      await using test = await openTestStore({ kv, clock });
      const row = { ...samples.get(family) ?? IDS };
      await test.store.transact((tx) => {
        const table = tx[name] as unknown as { save(row: object): void };
        table.save({ ...row, expiresAtMs: clock.now() + ms });
      });
      const left = async () => {
        await kv.expire();
        const found = await Array.fromAsync(kv.list({ prefix: [] }));
        return found.map(({ key }) => key);
      };
      const written = await left();
      assert(written.some(([each]) => each === family), family);
      clock.advance(ms - 1);
      assertEquals(await left(), written, "a moment before");
      clock.advance(1);
      assertEquals(await left(), [], "from its moment on");
    });
  }
});
