import type { Examples } from "./example_shape.ts";

const SPOTLIGHT = {
  day: "2026-11-19",
  headline: "Learn to throw a pot in one Saturday",
  description: "Six places, six wheels, one patient potter in Nantes.",
  advertiser: "Atelier Brume SARL",
  canonicalUrl: "{base_url}/spotlights/2026-11-19",
  contentType: "paid_advertisement",
} as const;

const SAMPLE = { sandbox: true, data: SPOTLIGHT } as const;
const SESSION_ID = "cs_97b0fa100025a4b4bda661fd43993fc0";
const ITEM_ID = "metrics:2026-11-19";

const AMOUNTS = [
  { type: "items_base_amount", display_text: "Report", amount: 100 },
  { type: "subtotal", display_text: "Subtotal", amount: 100 },
  { type: "total", display_text: "Total", amount: 100 },
];

const CARD_HANDLER = {
  id: "card_spt",
  name: "dev.acp.tokenized.card",
  display_name: "Card",
  version: "2026-01-22",
  spec: "{base_url}/docs/acp/card_spt",
  requires_delegate_payment: true,
  requires_pci_compliance: false,
  psp: "stripe",
  config_schema: "{base_url}/schemas/acp/card_spt.config.json",
  instrument_schemas: ["{base_url}/schemas/acp/card_spt.instrument.json"],
  config: {
    merchant_id: "profile_4Xk2vR5whKn3d",
    psp: "stripe",
    accepted_brands: ["visa", "mastercard", "amex"],
    accepted_funding_types: ["credit", "debit", "prepaid"],
    environment: "production",
  },
};

/** Of public reads, the sandbox and `/ask`. */
const READS: Examples<
  | "Spotlight"
  | "OneSpotlight"
  | "SpotlightPage"
  | "SpotlightBatch"
  | "SandboxSample"
  | "SandboxJob"
  | "Metrics"
  | "AskRequest"
  | "AskAnswer"
  | "AskStream"
> = {
  Spotlight: SPOTLIGHT,
  OneSpotlight: { data: SPOTLIGHT },
  SpotlightPage: {
    data: [SPOTLIGHT],
    nextOffset: 1,
    nextCursor: "2026-11-19",
  },
  SpotlightBatch: {
    results: [
      { day: "2026-11-19", status: 200, data: SPOTLIGHT },
      { day: "2026-11-18", status: 404, data: null },
    ],
  },
  SandboxSample: SAMPLE,
  SandboxJob: {
    sandbox: true,
    jobId: "sbx_0123456789abcdef",
    status: "completed",
    statusUrl: "{base_url}/api/v1/sandbox/jobs/sbx_0123456789abcdef",
    result: SAMPLE,
  },
  Metrics: {
    data: { day: "2026-11-19", clicks: 412, human_clicks: 305, countries: 17 },
    paid: { cents: 100, currency: "eur" },
  },
  AskRequest: {
    query: { text: "pottery courses" },
    prefer: { mode: "list", streaming: false },
  },
  AskAnswer: {
    _meta: {
      version: "0.55",
      response_type: "answer",
      response_format: "conversational_search",
    },
    results: [{
      "@type": "CreativeWork",
      url: "{base_url}/spotlights/2026-11-19",
      name: SPOTLIGHT.headline,
      text: SPOTLIGHT.description,
      description: "Advertisement by Atelier Brume SARL",
      datePublished: "2026-11-19",
      additionalType: "paid_advertisement",
    }],
  },
  AskStream: "event: start\n" +
    'data: {"_meta":{"version":"0.55","response_type":"answer",' +
    '"response_format":"conversational_search","mode":"list",' +
    '"site":"{base_url}"},"streaming":true}\n\n' +
    "event: result\n" +
    'data: {"index":0,"item":{"@type":"CreativeWork",' +
    '"url":"{base_url}/developers"}}\n\n' +
    'event: complete\ndata: {"_meta":{"version":"0.55"}}\n\n',
};

/** Of the checkout. */
const CHECKOUT: Examples<
  | "CheckoutCreate"
  | "CheckoutUpdate"
  | "CheckoutComplete"
  | "CheckoutCancel"
  | "CheckoutSession"
> = {
  CheckoutCreate: {
    line_items: [{ id: ITEM_ID }],
    currency: "eur",
    capabilities: {},
  },
  CheckoutUpdate: { line_items: [{ id: ITEM_ID }] },
  CheckoutComplete: {
    payment_data: {
      handler_id: "card_spt",
      instrument: {
        type: "card",
        credential: { type: "spt", token: "spt_1Q8mXk2vR5whKn3d" },
      },
    },
  },
  CheckoutCancel: {},
  CheckoutSession: {
    id: SESSION_ID,
    protocol: { version: "2026-04-17" },
    status: "ready_for_payment",
    currency: "eur",
    capabilities: {
      payment: { handlers: [CARD_HANDLER] },
      interventions: {
        supported: [],
        required: [],
        enforcement: "optional",
      },
    },
    line_items: [{
      id: ITEM_ID,
      item: { id: ITEM_ID },
      quantity: 1,
      name: "Spotlight metrics report 2026-11-19",
      unit_amount: 100,
      totals: AMOUNTS,
    }],
    fulfillment_options: [{
      type: "digital",
      id: "digital_report",
      title: "Report over the API",
      totals: [{ type: "total", display_text: "Delivery", amount: 0 }],
    }],
    selected_fulfillment_options: [{
      type: "digital",
      option_id: "digital_report",
      item_ids: [ITEM_ID],
    }],
    totals: AMOUNTS,
    messages: [],
    links: [
      { type: "terms_of_use", url: "{base_url}/terms" },
      { type: "privacy_policy", url: "{base_url}/privacy" },
    ],
    created_at: "2026-11-24T08:00:00.000Z",
    updated_at: "2026-11-24T08:00:00.000Z",
    expires_at: "2026-11-24T09:00:00.000Z",
  },
};

/** Of what is public, and of the checkout. */
export const PUBLIC_EXAMPLES = { ...READS, ...CHECKOUT } as const;
