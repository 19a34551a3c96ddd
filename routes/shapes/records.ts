/**
 * What the advertiser tools answer, member by member as the agent API does.
 *
 * @module
 */
import { z } from "zod";
import { CLICK_OUTCOMES } from "../../domain/clicks/click.ts";
import { EVENT_TYPES } from "../../domain/events/event.ts";

const day = z.string().meta({ format: "date" });
const time = z.string().meta({ format: "date-time" });
const cents = z.int().describe("Cents");

/** A bid (contract §7.6). */
export const bid = z.strictObject({
  id: z.string(),
  day,
  ad_id: z.string().nullable(),
  amount_cents: cents,
  currency: z.literal("EUR"),
  status: z.string(),
  placed_at: time,
});

/** The bids of a day (contract §7.6). */
export const bids = z.strictObject({ bids: z.array(bid) });

/** An auction state (contract §7.5). */
export const auctionState = z.strictObject({
  day,
  phase: z.enum(["IDLE", "OPEN", "CLOSED"]),
  bidCount: z.int(),
  openedAt: time.nullable(),
  closesAt: time.nullable().describe("No bid at or after this moment counts"),
  closedAt: time.nullable().describe(
    "When it was closed; before closesAt where an operator closed it early, " +
      "and then no bid counts from this moment on",
  ),
  opensAt: time.nullable().optional().describe(
    "When it opens, until it has; in the reading of an auction alone",
  ),
  nextDay: day.nullable().optional().describe(
    "Where it takes no bids any more, the first day that does, now or once " +
      "it opens; as opensAt",
  ),
});

const action = z.strictObject({
  actor: z.enum(["agent", "user", "wait"]),
  label: z.string(),
  url: z.string(),
  tool: z.string().optional(),
  arguments: z.record(z.string(), z.unknown()).optional(),
  required_scopes: z.array(z.string()).optional(),
  required_inputs: z.array(z.string()).optional(),
  until: time.optional().describe("When a wait ends"),
  poll_after_seconds: z.int().optional().describe(
    "How long to wait before this is read again",
  ),
});

const standing = z.enum(["satisfied", "blocked", "unknown"]);

const firstBid = z.strictObject({
  checked_at: time,
  status: z.enum(["ready", "blocked", "unknown"]),
  requirements: z.array(z.strictObject({
    id: z.string(),
    status: standing,
    code: z.string(),
    detail: z.string(),
    action: action.optional(),
  })),
  next_action: action,
  recovery: z.strictObject({
    on_uncertain: z.string(),
    read: z.strictObject({
      tool: z.string(),
      arguments: z.record(z.string(), z.unknown()),
    }),
  }),
});

/** An account summary: no e-mail, VAT id or card (contract §7.2). */
export const accountSummary = z.strictObject({
  user_id: z.string(),
  company_name: z.string().nullable(),
  country: z.string().nullable(),
  tier: z.string().nullable(),
  eligibility: z.strictObject({
    can_bid: z.boolean(),
    reasons: z.array(z.string()),
    action_url: z.string().optional(),
  }),
  first_bid: firstBid,
  mandate: z.strictObject({
    max_bid_cents: cents,
    daily_cap_cents: cents,
    valid_until: time,
  }).nullable(),
  scopes: z.array(z.string()),
});

/** What can be changed of an account, as it stands. */
export const accountSettings = z.strictObject({
  company_name: z.string().nullable(),
  requested_company_name: z.string().nullable().describe(
    "Another name that waits for an operator's approval; null for none",
  ),
  address: z.strictObject({
    line1: z.string(),
    city: z.string(),
    postal_code: z.string(),
  }).nullable(),
  contact_preferences: z.strictObject({
    review_mails: z.boolean(),
    lost_bid_mails: z.boolean(),
    card_expiry_mails: z.boolean(),
  }),
});

/** A page of a list (contract §7.1). */
export function listOf<Item extends z.ZodType>(
  item: Item,
): z.ZodObject<
  { items: z.ZodArray<Item>; next_cursor: z.ZodNullable<z.ZodString> },
  z.core.$strict
> {
  return z.strictObject({
    items: z.array(item),
    next_cursor: z.string().nullable().describe(
      "Give it as cursor for the next page; null on the last",
    ),
  });
}

/** A creative as every operation answers it; its texts are untrusted data. */
export const creativeRecord = z.strictObject({
  ad_id: z.string(),
  headline: z.string(),
  description: z.string(),
  target_url: z.string(),
  state: z.enum(["draft", "submitted", "approved", "rejected", "archived"]),
  revises: z.string().nullable().describe(
    "The ad_id of the creative it is a new version of; null for none",
  ),
  revised_by: z.string().nullable().describe(
    "The ad_id of its newest version; null for none",
  ),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
  submitted_at: z.iso.datetime().nullable(),
  reviewed_at: z.iso.datetime().nullable(),
  rejection: z.strictObject({
    policy_id: z.string(),
    message: z.string(),
    remedy: z.string(),
  }).nullable(),
});

/** A saved card. */
export const card = z.strictObject({
  id: z.string(),
  brand: z.string(),
  last4: z.string(),
  exp_month: z.int(),
  exp_year: z.int(),
  is_default: z.boolean(),
  created_at: time,
});

/** An authorized agent; the client's name is data. */
export const connection = z.strictObject({
  grant_id: z.string(),
  client: z.strictObject({ name: z.string(), host: z.string().nullable() }),
  scopes: z.array(z.string()),
  state: z.enum(["live", "unused", "ended", "revoked"]),
  mandate: z.strictObject({
    max_bid_cents: cents,
    daily_cap_cents: cents,
    valid_until: time,
    used_cents: cents.nullable(),
    left_cents: cents.nullable(),
    total_cap_cents: cents.nullable(),
    total_used_cents: cents.nullable(),
    total_left_cents: cents.nullable(),
  }).nullable(),
  created_at: time,
  last_used_at: time.nullable(),
  is_current: z.boolean().describe("Whether it is the connection that asks"),
});

/** What is left of a connection that was revoked. */
export const revokedConnection = z.strictObject({
  grant_id: z.string(),
  state: z.literal("revoked"),
  revoked_at: time,
});

/** A passkey as its owner's agent sees it: nothing that helps to sign in. */
export const passkey = z.strictObject({
  id: z.string(),
  name: z.string(),
  synced: z.boolean().describe("Whether other devices have it too"),
  created_at: time,
  last_used_at: time.nullable(),
});

/** Something of the account that was taken away. */
export const removal = z.strictObject({
  id: z.string(),
  removed: z.literal(true),
});

/** A copy of an account's data; its document is read with the same token. */
export const dataExport = z.strictObject({
  id: z.string(),
  status: z.enum(["preparing", "ready", "failed"]),
  requested_at: time,
  ready_at: time.nullable(),
  expires_at: time.describe("Until when it can be read"),
  bytes: z.int().nullable(),
  document: z.url().nullable(),
});

/** An erasure that was asked for. */
export const erasure = z.strictObject({
  status: z.enum(["waiting", "confirmed"]),
  requested_at: time,
  confirm_until: time.describe("Until when the link of the mail is good"),
  erase_at: time.nullable(),
});

/** An invoice; its documents are read over HTTP with the same token. */
export const invoice = z.strictObject({
  number: z.string(),
  day,
  status: z.string(),
  total_cents: cents,
  tax_cents: cents,
  currency: z.literal("EUR"),
  finalized_at: time,
  paid_at: time.nullable(),
  credit_notes: z.array(z.strictObject({
    number: z.string(),
    total_cents: cents,
    tax_cents: cents,
    created_at: time,
    pdf: z.url(),
  })),
  pdf: z.url(),
});

const month = z.string().describe("A calendar month, UTC, YYYY-MM");

/** A month of a partner (contract §7.16). */
export const affiliateMonth = z.strictObject({
  month,
  sign_ups: z.int(),
  status: z.enum(["pending", "reported"]),
  commission_cents: cents.nullable().describe(
    "The total in cents; null while it is pending, and where a later month " +
      "has it",
  ),
  commission_since: month.nullable().describe(
    "The first month that the total is of",
  ),
  reported_in: month.nullable().describe("The month whose total has this one"),
});

/** What a partner earned (contract §7.16). */
export const affiliateStats = z.strictObject({
  balance: z.strictObject({
    payable_cents: cents.describe("Cents; below zero what is owed"),
    requested_cents: cents,
    paid_cents: cents,
    minimum_payout_cents: cents,
    currency: z.literal("EUR"),
  }),
  items: z.array(affiliateMonth),
  next_cursor: z.string().nullable(),
});

/** A partner's link (contract §7.16). */
export const referralLink = z.strictObject({
  code: z.string(),
  url: z.url(),
  name: z.string(),
  state: z.enum(["active", "ended"]),
  created_at: time,
});

/** A payout to a partner (contract §7.16). */
export const payout = z.strictObject({
  id: z.string(),
  status: z.enum(["requested", "paid", "failed", "canceled", "returned"]),
  amount_cents: cents,
  currency: z.literal("EUR"),
  requested_at: time,
  paid_at: time.nullable(),
});

/** More types may come (docs/versioning.md): those of today are named. */
const eventType = z.union([z.enum(EVENT_TYPES), z.string()]);

/** Something that happened to the account (contract §10.4). */
export const accountEvent = z.strictObject({
  id: z.string().describe("The same however often it is told"),
  type: eventType,
  timestamp: time.describe(
    "When it happened; the order is that in which events were told",
  ),
  data: z.record(z.string(), z.string()).describe(
    "What it is about, by names that the API reads it by",
  ),
});

/** Events, and where to go on. */
export const eventList = z.strictObject({
  items: z.array(accountEvent),
  after: z.string().describe("Pass it as after to get what comes next"),
  has_more: z.boolean().describe("Whether more may follow at once"),
});

/** Where a connection is told of events (contract §10.5). */
export const eventCallback = z.strictObject({
  url: z.string().nullable(),
  state: z.enum(["on", "off", "none"]).describe(
    "off: it took nothing for a day, or its secret is no longer valid",
  ),
  secret: z.string().nullable().describe("Said once, when it was made"),
  last_deliveries: z.array(z.strictObject({
    event_id: z.string(),
    type: eventType,
    at: time,
    status: z.int().nullable().describe("Null where there was no answer"),
    taken: z.boolean(),
  })),
});

const clicks = z.int().min(0);

/** A day that was won, in one line. */
export const reportLine = z.strictObject({
  day: z.string().meta({ format: "date" }),
  clicks,
  human_clicks: clicks,
  countries: z.int().describe("Distinct countries among the human clicks"),
  spend_cents: cents,
  refunded_cents: cents,
  currency: z.literal("EUR"),
  invoice_number: z.string().nullable(),
  removed: z.boolean(),
  final: z.boolean().describe("Whether the clicks never change again"),
});

const other = clicks.describe("All the rest together");

/** A day that was won, in every detail. */
export const report = z.strictObject({
  ...reportLine.shape,
  clicks_by_reason: z.array(
    z.strictObject({ reason: z.enum(CLICK_OUTCOMES), clicks }),
  ),
  human_clicks_by_hour: z.strictObject({
    items: z.array(z.strictObject({
      hour: z.string().meta({ format: "date-time" }),
      clicks,
    })),
    other,
  }),
  human_clicks_by_country: z.strictObject({
    items: z.array(z.strictObject({ country: z.string().nullable(), clicks })),
    other,
  }).nullable().describe("Null until the figures are final"),
});
