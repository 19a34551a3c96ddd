/**
 * Every shape that goes over the wire. What tools answer is what the APIs
 * answer, so that those schemas are used here too.
 *
 * @module
 */
import { z } from "zod";
import { DAY_LENGTH } from "../../domain/day.ts";
import { ASK_QUERY_MAX } from "../../domain/limits.ts";
import { METRICS_TOKEN_MAX } from "../../domain/paid_metrics/limits.ts";
import { updateAccountBody } from "./account_body.ts";
import { bidBody } from "./bid_body.ts";
import { callbackBody } from "./callback_body.ts";
import { createCreativeBody, updateCreativeBody } from "./creative_body.ts";
import {
  accountEvent,
  accountSettings,
  accountSummary,
  affiliateStats,
  auctionState,
  bid,
  bids,
  card,
  connection,
  creativeRecord,
  dataExport,
  erasure,
  eventCallback,
  eventList,
  invoice,
  listOf,
  passkey,
  payout,
  referralLink,
  removal,
  report,
  reportLine,
  revokedConnection,
} from "./records.ts";
import {
  askAnswer,
  oneSpotlight,
  sandboxJob,
  sandboxSample,
  spotlightBatch,
  spotlightPage,
  spotlightRecord,
} from "./public_outputs.ts";
import { ERROR_SCHEMAS } from "./error_schemas.ts";

const day = z.string().length(DAY_LENGTH).meta({ format: "date" });
const url = z.string().meta({ format: "uri" });

const metrics = z.strictObject({
  data: z.strictObject({
    day,
    clicks: z.int(),
    human_clicks: z.int(),
    countries: z.int(),
  }),
  paid: z.strictObject({ cents: z.int(), currency: z.string() }),
});

const askText = z.string().min(1).max(ASK_QUERY_MAX).describe(
  "1 to 500 characters, one of them at least no whitespace",
);

const askRequest = z.looseObject({
  query: z.union([askText, z.looseObject({ text: askText })]),
  prefer: z.looseObject({
    mode: z.literal("list").optional(),
    streaming: z.boolean().default(false),
    response_format: z.literal("conversational_search").optional(),
  }).optional().describe("Wins over mode and streaming beside it"),
  mode: z.literal("list").optional().describe("Legacy: use prefer.mode"),
  streaming: z.boolean().optional().describe("Legacy: use prefer.streaming"),
});

const askStream = z.string().describe(
  "Server-sent events, then the end: start with {_meta: {version, " +
    "response_type, response_format, mode, site}, streaming: true}; result " +
    "with {index, item}, index from 0; complete with {_meta: {version}}",
);

const lineItems = z.array(z.strictObject({
  id: z.string().max(18).regex(/^metrics:\d{4}-\d{2}-\d{2}$/),
})).length(1);

const checkoutCreate = z.strictObject({
  line_items: lineItems,
  currency: z.literal("eur"),
  capabilities: z.looseObject({}),
});

const checkoutUpdate = z.strictObject({ line_items: lineItems });

const checkoutComplete = z.strictObject({
  payment_data: z.strictObject({
    handler_id: z.string().max(64),
    instrument: z.strictObject({
      type: z.literal("card"),
      credential: z.strictObject({
        type: z.literal("spt"),
        token: z.string().startsWith("spt_").max(METRICS_TOKEN_MAX).meta({
          writeOnly: true,
        }),
      }),
    }),
  }),
});

const checkoutSession = z.looseObject({
  id: z.string().regex(/^cs_[0-9a-f]{32}$/),
  status: z.string(),
  currency: z.string(),
}).describe("A checkout session of the Agentic Commerce Protocol");

/** What every answer of a rehearsal has besides. */
const inSandbox = { sandbox: z.literal(true) };

/** The shapes of rehearsals: those of the agent API, marked as practice. */
export const REHEARSED = {
  AccountSummary: "RehearsedAccount",
  AuctionState: "RehearsedAuction",
  BidList: "RehearsedBids",
  Bid: "RehearsedBid",
} as const;

/** The shapes by the names they have in the document. */
export const SCHEMAS = {
  Spotlight: spotlightRecord,
  OneSpotlight: oneSpotlight,
  SpotlightPage: spotlightPage,
  SpotlightBatch: spotlightBatch,
  SandboxSample: sandboxSample,
  SandboxJob: sandboxJob,
  Metrics: metrics,
  AskRequest: askRequest,
  AskAnswer: askAnswer,
  AskStream: askStream,
  CheckoutCreate: checkoutCreate,
  CheckoutUpdate: checkoutUpdate,
  CheckoutComplete: checkoutComplete,
  CheckoutCancel: z.strictObject({}),
  CheckoutSession: checkoutSession,
  AccountSummary: accountSummary,
  AccountSettings: accountSettings,
  UpdateAccount: updateAccountBody,
  Event: accountEvent,
  EventList: eventList,
  EventCallback: eventCallback,
  SetEventCallback: callbackBody,
  AuctionState: auctionState,
  Bid: bid,
  BidList: bids,
  PlaceBid: bidBody,
  RehearsedAccount: accountSummary.extend(inSandbox),
  RehearsedAuction: auctionState.extend(inSandbox),
  RehearsedBids: bids.extend(inSandbox),
  RehearsedBid: bid.extend(inSandbox),
  Creative: creativeRecord,
  CreativeList: listOf(creativeRecord),
  CreateCreative: createCreativeBody,
  UpdateCreative: updateCreativeBody,
  Card: card,
  CardList: listOf(card),
  Report: report,
  ReportLine: reportLine,
  ReportList: listOf(reportLine),
  Csv: z.string().meta({ contentMediaType: "text/csv" }),
  Removal: removal,
  Passkey: passkey,
  PasskeyList: listOf(passkey),
  Connection: connection,
  ConnectionList: listOf(connection),
  RevokedConnection: revokedConnection,
  Portal: z.looseObject({ url }),
  DataExport: dataExport,
  DataExportDocument: z.looseObject({
    format: z.literal("spotlight-data-export"),
    // A number, not the literal 1: of literals alone some generators make a value.
    version: z.int(),
  }).describe("Everything that is kept of an account; more members may come"),
  Erasure: erasure,
  AffiliateStats: affiliateStats,
  ReferralLinkList: listOf(referralLink),
  Payout: payout,
  PayoutList: listOf(payout),
  Invoice: invoice,
  InvoiceList: listOf(invoice),
  Pdf: z.string().meta({ contentMediaType: "application/pdf" }),
  ...ERROR_SCHEMAS,
} as const satisfies Record<string, z.ZodType>;

/** The name of a shape. */
export type SchemaName = keyof typeof SCHEMAS;

/**
 * Bodies of requests, where a member that nobody knows is refused, and shapes
 * that never get another one (docs/versioning.md).
 */
const CLOSED: ReadonlySet<string> = new Set<SchemaName>([
  "CheckoutCreate",
  "CheckoutUpdate",
  "CheckoutComplete",
  "CheckoutCancel",
  "UpdateAccount",
  "PlaceBid",
  "CreateCreative",
  "UpdateCreative",
  "SetEventCallback",
  "Spotlight",
  "Metrics",
]);

/**
 * The shapes as JSON Schemas that name each other by `$ref`. Answers may get new
 * members at any time, so those schemas are open: a client that was generated
 * from them goes on.
 */
export function componentSchemas(): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(exactSchemas()).map(([name, schema]) => [
      name,
      CLOSED.has(name) ? schema : opened(schema),
    ]),
  );
}

/** The same with no member but those of today. */
export function exactSchemas(): Record<string, unknown> {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(SCHEMAS)) {
    registry.add(schema, { id });
  }
  const { schemas } = z.toJSONSchema(registry, {
    io: "input",
    unrepresentable: "any",
    // The pattern beside it says the same in JSON Schema's own words.
    override({ jsonSchema }) {
      if (jsonSchema.format === "starts_with") delete jsonSchema.format;
    },
    uri: (id) => `#/components/schemas/${id}`,
  });
  return Object.fromEntries(
    Object.entries(schemas).map(([name, { $schema: _, $id: __, ...rest }]) => [
      name,
      rest,
    ]),
  );
}

function opened(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(opened);
  if (typeof schema !== "object" || schema === null) return schema;
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([name, value]) =>
        name !== "additionalProperties" || value !== false
      )
      .map(([name, value]) => [name, opened(value)]),
  );
}
