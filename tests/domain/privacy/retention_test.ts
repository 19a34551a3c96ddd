/**
 * How long rows are kept that go by themselves: what docs/kv_schema.md says of a
 * family, what the code keeps them for, and what the store is told are one.
 */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { EVENT_KEPT_MS } from "../../../domain/events/event.ts";
import { EXPORT_KEPT_MS } from "../../../domain/privacy/data_requests.ts";
import { IDEMPOTENCY_LONG_MS } from "../../../domain/idempotency/replay.ts";
import { CARD_REMOVAL_KEPT_MS } from "../../../domain/cards/card_removal.ts";
import { MAIL_KEPT_MS } from "../../../domain/mail/outbox_mail.ts";
import { CODE_KEPT_MS } from "../../../domain/oauth/authorization_request.ts";
import { PASSKEY_CHALLENGE_MS } from "../../../domain/passkeys/passkey_challenge.ts";
import { SANDBOX_JOB_MS } from "../../../domain/sandbox/job.ts";
import { CODE_MS } from "../../../domain/sign_in/challenge.ts";
import { CHECKOUT_KEPT_MS } from "../../../domain/checkout/limits.ts";
import { ENDED_KEPT_MS } from "../../../domain/callbacks/callback.ts";
import { METRICS_REFUSED_KEPT_MS } from "../../../domain/paid_metrics/limits.ts";
import { WEBHOOK_KEPT_MS } from "../../../domain/webhooks/webhook_event.ts";
import { expiryOf, isExpired } from "../../../kv/refs.ts";

const MINUTE_MS = 60_000;
const UNITS = {
  minutes: MINUTE_MS,
  hours: 60 * MINUTE_MS,
  days: 24 * 60 * MINUTE_MS,
} as const;

/** For how long each family's rows are kept, and how its page writes it. */
const KEPT: readonly [family: string, ms: number, written: string][] = [
  ["account_events", EVENT_KEPT_MS, "30 days"],
  ["authorization_codes", CODE_KEPT_MS, "30 days"],
  ["callbacks", ENDED_KEPT_MS, "30 days"],
  ["card_removals", CARD_REMOVAL_KEPT_MS, "7 days"],
  ["checkout_sessions", CHECKOUT_KEPT_MS, "30 days"],
  ["export_parts", EXPORT_KEPT_MS, "7 days"],
  ["idempotency", IDEMPOTENCY_LONG_MS, "30 days"],
  ["metrics_payments", METRICS_REFUSED_KEPT_MS, "30 days"],
  ["outbox", MAIL_KEPT_MS, "7 days"],
  ["passkey_challenges", PASSKEY_CHALLENGE_MS, "5 minutes"],
  ["sandbox_jobs", SANDBOX_JOB_MS, "24 hours"],
  ["sign_in_challenges", CODE_MS, "10 minutes"],
  ["webhook_events", WEBHOOK_KEPT_MS, "30 days"],
];

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

for (const [family, ms, written] of KEPT) {
  Deno.test(`rows of ${family} are kept for ${written}, as docs/kv_schema.md says`, () => {
    assertMatch(lifeOf(family), new RegExp(`\\b${written}\\b`), family);
    const [count, unit] = written.split(" ") as [string, keyof typeof UNITS];
    assertEquals(ms, Number(count) * UNITS[unit]);
    // The store is told, whichever commit writes the row.
    const nowMs = Date.parse("2026-11-20T12:00:00.000Z");
    const row = { expiresAtMs: nowMs + ms };
    assertEquals(expiryOf(row, nowMs), { expireIn: ms });
    assert(!isExpired(row, nowMs + ms - 1), "a moment before");
    assert(isExpired(row, nowMs + ms), "from its moment on");
  });
}
