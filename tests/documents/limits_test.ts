/** The published documents say every limit with the number it has. */
import { assertStringIncludes } from "@std/assert";
import { CARD_REMOVAL_KEPT_MS } from "../../domain/cards/card_removal.ts";
import { OPEN_AHEAD_DAYS } from "../../domain/auction/open_auction.ts";
import { REFUSED_MAX } from "../../domain/cards/mark_refused.ts";
import {
  CHECKOUT_ATTEMPTS_MAX,
  CHECKOUT_KEPT_MS,
  CHECKOUT_OPEN_MS,
} from "../../domain/checkout/limits.ts";
import { FINAL_AFTER_MS } from "../../domain/clicks/click.ts";
import { REPEAT_WITHIN_MS } from "../../domain/clicks/visitor.ts";
import { DESCRIPTION, HEADLINE } from "../../domain/creatives/read_copy.ts";
import {
  CREATIVES_A_DAY,
  CREATIVES_KEPT_MAX,
} from "../../domain/creatives/creative_quota.ts";
import { TARGET_URL_MAX } from "../../domain/creatives/target_url.ts";
import {
  IDEMPOTENCY_LONG_MS,
  IDEMPOTENCY_SHORT_MS,
} from "../../domain/idempotency/replay.ts";
import { MAIL_KEPT_MS } from "../../domain/mail/outbox_mail.ts";
import * as limits from "../../domain/limits.ts";
import {
  AUTHORIZATION_CODE_MS,
  AUTHORIZATION_REQUEST_MS,
} from "../../domain/oauth/authorization_request.ts";
import { REFRESH_GRACE_MS } from "../../domain/oauth/refresh_line.ts";
import { METRICS_TOKEN_MAX } from "../../domain/paid_metrics/limits.ts";
import {
  ASK_RESULTS_MAX,
  DOCS_SEARCH_DEFAULT,
  DOCS_SEARCH_MAX,
} from "../../domain/retrieval/limits.ts";
import {
  SESSION_IDLE_MS,
  SESSION_MAX_MS,
} from "../../domain/sessions/session.ts";
import { CODE_MS } from "../../domain/hold/has_code.ts";
import { WEBHOOK_KEPT_MS } from "../../domain/webhooks/webhook_event.ts";
import { MESSAGE_BYTES_MAX } from "../../routes/mcp/read_message.ts";
import { sectionOf } from "../support/documents.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const DEVELOPERS = "/developers.md";

/** A limit, and the words that say it; null where another one says it. */
type Said = string | null;

/** What the table of limits says of each limit of the contract. */
const CONTRACT: Record<keyof typeof limits, Said> = {
  MIN_BID_CENTS: `${limits.MIN_BID_CENTS}–${limits.MAX_BID_CENTS} cents`,
  MAX_BID_CENTS: null,
  CHARGE_MAX_CENTS: `more than ${limits.CHARGE_MAX_CENTS} cents can't be paid`,
  MAX_MANDATE_DAYS: `at most ${limits.MAX_MANDATE_DAYS} days`,
  ACCESS_TOKEN_MS: `${limits.ACCESS_TOKEN_MS / HOUR} hour`,
  REFRESH_TOKEN_MS: `${limits.REFRESH_TOKEN_MS / DAY} days, never beyond`,
  PUBLIC_BUCKET_CAPACITY: `${limits.PUBLIC_BUCKET_CAPACITY} tokens, ` +
    `${limits.PUBLIC_BUCKET_REFILL_PER_S} more every second`,
  PUBLIC_BUCKET_REFILL_PER_S: null,
  GRANT_BUCKET_CAPACITY: `Bucket of a grant | ` +
    `${limits.GRANT_BUCKET_CAPACITY} tokens, ` +
    `${limits.GRANT_BUCKET_REFILL_PER_S} more every second`,
  GRANT_BUCKET_REFILL_PER_S: null,
  LIST_LIMIT_MAX:
    `\`limit\` 1–${limits.LIST_LIMIT_MAX} (${limits.LIST_LIMIT_DEFAULT})`,
  LIST_LIMIT_DEFAULT: null,
  LIST_OFFSET_MAX: `\`offset\` 0–${limits.LIST_OFFSET_MAX}`,
  BATCH_DAYS_MAX: `1–${limits.BATCH_DAYS_MAX} days`,
  BATCH_PARAMETER_MAX: `at most ${limits.BATCH_PARAMETER_MAX} characters`,
  ASK_QUERY_MAX: `1–${limits.ASK_QUERY_MAX} characters`,
  ASK_BODY_MAX_BYTES: `at most ${limits.ASK_BODY_MAX_BYTES} bytes`,
  IDEMPOTENCY_KEY_MAX: `1–${limits.IDEMPOTENCY_KEY_MAX} characters`,
  AD_ID_SHAPE: "1–64 letters, digits, underscores and hyphens",
  AGENT_BODY_MAX_BYTES: `${limits.AGENT_BODY_MAX_BYTES / 1_024} KiB`,
  SETTLEMENT_CANDIDATES_MAX: `settles | ${limits.SETTLEMENT_CANDIDATES_MAX} |`,
  // Of the service's own work; nobody outside can meet it.
  SETTLEMENT_UNCERTAIN_MS: null,
};

Deno.test("the table of limits says every limit of the contract", () => {
  const table = sectionOf(DEVELOPERS, "Limits");
  for (const [name, said] of Object.entries(CONTRACT)) {
    if (said !== null) assertStringIncludes(table, said, name);
  }
});

Deno.test("the table of limits says those of creatives, checkout and search", () => {
  const table = sectionOf(DEVELOPERS, "Limits");
  for (
    const said of [
      `${HEADLINE.min}–${HEADLINE.max}, ` +
      `${DESCRIPTION.min}–${DESCRIPTION.max} characters`,
      `at most ${TARGET_URL_MAX} characters`,
      `${CREATIVES_KEPT_MAX} that are not archived, ` +
      `${CREATIVES_A_DAY} new ones a day`,
      `one checkout | ${CHECKOUT_ATTEMPTS_MAX} |`,
      `open checkout | 5 minutes, ${CHECKOUT_OPEN_MS / HOUR} hour`,
      `at most ${METRICS_TOKEN_MAX} characters`,
      `at most ${ASK_RESULTS_MAX} |`,
      `tool server | ${MESSAGE_BYTES_MAX / 1_024} KiB`,
      `1–${DOCS_SEARCH_MAX} (${DOCS_SEARCH_DEFAULT}) passages`,
    ]
  ) assertStringIncludes(table, said);
});

Deno.test("the documents say how long keys, codes and sessions are kept", () => {
  const keys = sectionOf(DEVELOPERS, "Repeat a request safely");
  const checkout = sectionOf(DEVELOPERS, "How long a session lives");
  const tokens = sectionOf("/auth.md", "Token lifetimes");
  const privacy = sectionOf("/privacy.md", "How long data is kept");
  const cases: [string, string][] = [
    [keys, `required | ${IDEMPOTENCY_LONG_MS / DAY} days`],
    [keys, `recommended | ${IDEMPOTENCY_SHORT_MS / HOUR} hours`],
    [checkout, `forgotten ${CHECKOUT_KEPT_MS / DAY} days`],
    [tokens, `code | ${AUTHORIZATION_CODE_MS / 1_000} seconds`],
    [tokens, `request | ${AUTHORIZATION_REQUEST_MS / MINUTE} minutes`],
    [
      sectionOf(DEVELOPERS, "Opening and closing time"),
      `by up\nto ${OPEN_AHEAD_DAYS} days`,
    ],
    [
      sectionOf("/auth.md", "Refresh"),
      `within ${REFRESH_GRACE_MS / 1_000} seconds`,
    ],
    [
      sectionOf(DEVELOPERS, "What the figures count"),
      `within ${REPEAT_WITHIN_MS / MINUTE} minutes`,
    ],
    [
      sectionOf(DEVELOPERS, "What the figures count"),
      `final ${FINAL_AFTER_MS / HOUR} hours`,
    ],
    [
      privacy,
      `${SESSION_IDLE_MS / DAY} days unused, ${SESSION_MAX_MS / DAY} at most`,
    ],
    [privacy, `codes | ${CODE_MS / MINUTE} minutes`],
    [privacy, `Mails to you | ${MAIL_KEPT_MS / DAY} days`],
    [privacy, `Cards you removed | ${CARD_REMOVAL_KEPT_MS / DAY} days`],
    [privacy, `Codes of the last ${REFUSED_MAX} cards`],
    [privacy, `without their text | ${WEBHOOK_KEPT_MS / DAY} days`],
    [
      privacy,
      `requests | ${IDEMPOTENCY_SHORT_MS / HOUR} hours to ` +
      `${IDEMPOTENCY_LONG_MS / DAY} days`,
    ],
  ];
  for (const [section, said] of cases) assertStringIncludes(section, said);
});
