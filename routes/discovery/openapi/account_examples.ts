import type { Examples } from "./example_shape.ts";

const AD_ID = "ad_9tqm4x7kc2vr8whzn3ds";
const NUMBER = "SPOT-0042";

const BID = {
  id: "bid_4zq8m2x7tc9vr5whkn3d",
  day: "2026-11-24",
  ad_id: AD_ID,
  amount_cents: 2500,
  currency: "EUR",
  status: "active",
  placed_at: "2026-11-24T09:30:00.000Z",
} as const;

const CREATIVE = {
  ad_id: AD_ID,
  headline: "Bread that takes its time",
  description: "Forty hours of sourdough, baked before you are up.",
  target_url: "https://bakery.example.com/",
  state: "approved",
  revises: null,
  revised_by: null,
  created_at: "2026-11-20T08:00:00.000Z",
  updated_at: "2026-11-20T10:00:00.000Z",
  submitted_at: "2026-11-20T08:05:00.000Z",
  reviewed_at: "2026-11-20T10:00:00.000Z",
  rejection: null,
} as const;

const CARD = {
  id: "pm_1Q8mXk2vR5whKn3d",
  brand: "visa",
  last4: "4242",
  exp_month: 12,
  exp_year: 2029,
  is_default: true,
  created_at: "2026-11-20T08:00:00.000Z",
};

const LINE = {
  day: "2026-11-19",
  clicks: 412,
  human_clicks: 305,
  countries: 17,
  spend_cents: 2500,
  refunded_cents: 0,
  currency: "EUR",
  invoice_number: NUMBER,
  removed: false,
  final: true,
} as const;

const PASSKEY = {
  id: "pk_7hm3x9qtc2vr8wznk4ds",
  name: "Laptop",
  synced: true,
  created_at: "2026-11-20T08:00:00.000Z",
  last_used_at: "2026-11-24T07:00:00.000Z",
};

const MANDATE = {
  max_bid_cents: 5000,
  daily_cap_cents: 10_000,
  valid_until: "2026-12-24T00:00:00.000Z",
};

const SCOPES = ["account:read", "bids:read", "bids:write"];

const CONNECTION = {
  grant_id: "grant_5kq8m2x7tc9vr4whzn3",
  client: { name: "Example Agent", host: "agent.example" },
  scopes: SCOPES,
  state: "live",
  mandate: {
    ...MANDATE,
    used_cents: 2500,
    left_cents: 7500,
    total_cap_cents: 60_000,
    total_used_cents: 12_500,
    total_left_cents: 47_500,
  },
  created_at: "2026-11-24T08:00:00.000Z",
  last_used_at: "2026-11-24T09:30:00.000Z",
  is_current: true,
} as const;

const INVOICE = {
  number: NUMBER,
  day: "2026-11-19",
  status: "paid",
  total_cents: 2500,
  tax_cents: 399,
  currency: "EUR" as const,
  finalized_at: "2026-11-19T23:56:00.000Z",
  paid_at: "2026-11-19T23:56:02.000Z",
  credit_notes: [],
  pdf: `{auth_url}/v1/agent/invoices/${NUMBER}/pdf`,
};

/** Of the account and its bids. */
const BIDDING: Examples<
  | "AccountSummary"
  | "AccountSettings"
  | "UpdateAccount"
  | "AuctionState"
  | "Bid"
  | "BidList"
  | "PlaceBid"
> = {
  AccountSummary: {
    user_id: "acc_8wqm4x7kc2vr9thzn3ds",
    company_name: "Backhaus Lindner GmbH",
    country: "DE",
    tier: "standard",
    eligibility: { can_bid: true, reasons: [] },
    first_bid: {
      checked_at: "2026-11-24T09:30:00.000Z",
      status: "ready",
      requirements: [{
        id: "account",
        status: "satisfied",
        code: "ok",
        detail: "The account is onboarded",
      }],
      next_action: {
        actor: "agent",
        label: "Place the bid with POST",
        url: "{auth_url}/v1/agent/bids",
        tool: "place_bid",
        arguments: {
          day: "2026-11-24",
          ad_id: AD_ID,
          amount_cents: 2500,
          currency: "EUR",
        },
        required_scopes: ["bids:write"],
        required_inputs: ["idempotency_key"],
      },
      recovery: {
        on_uncertain: "After an uncertain write read the bids of the " +
          "original day before you reuse the original request and " +
          "Idempotency-Key. What is not there yet may still be on its way: " +
          "read again a moment later, or send the same request with the " +
          "same key. An accepted bid is neither a win nor a delivery.",
        read: { tool: "list_my_bids", arguments: { day: "2026-11-24" } },
      },
    },
    mandate: MANDATE,
    scopes: SCOPES,
  },
  AccountSettings: {
    company_name: "Backhaus Lindner GmbH",
    requested_company_name: null,
    address: {
      line1: "Mühlenweg 4",
      city: "Leipzig",
      postal_code: "04109",
    },
    contact_preferences: {
      review_mails: true,
      lost_bid_mails: true,
      card_expiry_mails: true,
    },
  },
  UpdateAccount: { contact_preferences: { card_expiry_mails: true } },
  AuctionState: {
    day: "2026-11-24",
    phase: "OPEN",
    bidCount: 3,
    openedAt: "2026-11-24T00:00:00.000Z",
    closesAt: "2026-11-24T23:55:00.000Z",
    closedAt: null,
  },
  Bid: BID,
  BidList: { bids: [BID] },
  PlaceBid: {
    day: "2026-11-24",
    ad_id: AD_ID,
    amount_cents: 2500,
    currency: "EUR",
  },
};

/** Of what else an account has. */
const BELONGINGS: Examples<
  | "Creative"
  | "CreativeList"
  | "CreateCreative"
  | "UpdateCreative"
  | "Card"
  | "CardList"
  | "Report"
  | "ReportLine"
  | "ReportList"
  | "Csv"
  | "Removal"
  | "Passkey"
  | "PasskeyList"
  | "Connection"
  | "ConnectionList"
  | "RevokedConnection"
  | "Portal"
  | "DataExport"
  | "DataExportDocument"
  | "Erasure"
  | "Invoice"
  | "InvoiceList"
  | "Pdf"
> = {
  Creative: CREATIVE,
  CreativeList: { items: [CREATIVE], next_cursor: null },
  CreateCreative: {
    headline: CREATIVE.headline,
    description: CREATIVE.description,
    target_url: CREATIVE.target_url,
  },
  UpdateCreative: { headline: "Bread that took its time" },
  Card: CARD,
  CardList: { items: [CARD], next_cursor: null },
  Report: {
    ...LINE,
    clicks_by_reason: [
      { reason: "human", clicks: 305 },
      { reason: "bot", clicks: 107 },
    ],
    human_clicks_by_hour: {
      items: [{ hour: "2026-11-20T08:00:00.000Z", clicks: 305 }],
      other: 0,
    },
    human_clicks_by_country: {
      items: [{ country: "FR", clicks: 201 }],
      other: 104,
    },
  },
  ReportLine: LINE,
  ReportList: { items: [LINE], next_cursor: null },
  Csv: "day,clicks,human_clicks,countries,spend_cents,refunded_cents," +
    "currency,invoice_number,removed,final\r\n" +
    `2026-11-19,412,305,17,2500,0,EUR,${NUMBER},false,true\r\n`,
  Removal: { id: CARD.id, removed: true },
  Passkey: PASSKEY,
  PasskeyList: { items: [PASSKEY], next_cursor: null },
  Connection: CONNECTION,
  ConnectionList: { items: [CONNECTION], next_cursor: null },
  RevokedConnection: {
    grant_id: CONNECTION.grant_id,
    state: "revoked",
    revoked_at: "2026-11-24T10:00:00.000Z",
  },
  DataExport: {
    id: "exp_4tq8x2m7kc9vr5whzn3d",
    status: "ready",
    requested_at: "2026-11-24T10:00:00.000Z",
    ready_at: "2026-11-24T10:00:03.000Z",
    expires_at: "2026-12-01T10:00:03.000Z",
    bytes: 18_204,
    document: "{auth_url}/v1/agent/privacy/exports/" +
      "exp_4tq8x2m7kc9vr5whzn3d/document",
  },
  Erasure: {
    status: "waiting",
    requested_at: "2026-11-24T10:00:00.000Z",
    confirm_until: "2026-11-25T10:00:00.000Z",
    erase_at: null,
  },
  DataExportDocument: {
    format: "spotlight-data-export",
    version: 1,
    account: { id: "acc_7Qm2ZcW8LkN0PxYbV1Ra", email: "ada@example.com" },
  },
  Portal: { url: "https://billing.stripe.com/p/session/live_YWNjdA" },
  Invoice: INVOICE,
  InvoiceList: { items: [INVOICE], next_cursor: null },
  Pdf: "%PDF-1.7 and the rest of the document",
};

const EVENT = {
  id: "evt_8wqm4x7kc2vr9thzn3ds_1795218960000",
  type: "bid.won",
  timestamp: "2026-11-20T23:56:00.000Z",
  data: { day: "2026-11-20", bid_id: BID.id, ad_id: AD_ID },
} as const;

const CALLBACK_URL = "https://agent.example/hooks";

/** Of what agents are told. */
const TELLING: Examples<
  "Event" | "EventList" | "EventCallback" | "SetEventCallback"
> = {
  Event: EVENT,
  EventList: { items: [EVENT], after: "MTc5NTIxODk2MDAwMA", has_more: false },
  EventCallback: {
    url: CALLBACK_URL,
    state: "on",
    secret: null,
    last_deliveries: [{
      event_id: EVENT.id,
      type: EVENT.type,
      at: "2026-11-20T23:56:01.000Z",
      status: 204,
      taken: true,
    }],
  },
  SetEventCallback: { url: CALLBACK_URL },
};

const PAYOUT = {
  id: "po_6tq8m2x7kc9vr4whzn3d",
  status: "paid",
  amount_cents: 48_210,
  currency: "EUR",
  requested_at: "2026-11-24T10:00:00.000Z",
  paid_at: "2026-11-24T10:00:04.000Z",
} as const;

/** Of a partner. */
const PARTNERS: Examples<
  "AffiliateStats" | "ReferralLinkList" | "Payout" | "PayoutList"
> = {
  AffiliateStats: {
    balance: {
      payable_cents: 12_750,
      requested_cents: 0,
      paid_cents: 48_210,
      minimum_payout_cents: 5_000,
      currency: "EUR",
    },
    items: [
      {
        month: "2026-10",
        sign_ups: 2,
        status: "pending",
        commission_cents: null,
        commission_since: null,
        reported_in: null,
      },
      {
        month: "2026-09",
        sign_ups: 3,
        status: "reported",
        commission_cents: 12_750,
        commission_since: "2026-08",
        reported_in: "2026-09",
      },
    ],
    next_cursor: null,
  },
  ReferralLinkList: {
    items: [{
      code: "k3qd9vtzmwpx",
      url: "{base_url}/r/k3qd9vtzmwpx",
      name: "Newsletter",
      state: "active",
      created_at: "2026-08-03T09:00:00.000Z",
    }],
    next_cursor: null,
  },
  Payout: PAYOUT,
  PayoutList: { items: [PAYOUT], next_cursor: null },
};

/** Of an advertiser's account. */
export const ACCOUNT_EXAMPLES = {
  ...BIDDING,
  ...BELONGINGS,
  ...TELLING,
  ...PARTNERS,
} as const;
