import type { Scope } from "../../../domain/oauth/grant.ts";
import {
  AD_ID_SHAPE,
  LIST_LIMIT_DEFAULT,
  LIST_LIMIT_MAX,
  MAX_BID_CENTS,
} from "../../../domain/limits.ts";
import {
  type Answer,
  DATE,
  idempotencyKey,
  json,
  type Operation,
  query,
} from "./operation.ts";
import { CURSOR_MAX } from "../../http/list_query.ts";
import { ID_MAX } from "../../http/bounded_text.ts";
import type { SchemaName } from "./schemas.ts";

const PAGE = [
  query("limit", {
    type: "integer",
    minimum: 1,
    maximum: LIST_LIMIT_MAX,
    default: LIST_LIMIT_DEFAULT,
  }, "How many"),
  query(
    "cursor",
    { type: "string", maxLength: CURSOR_MAX },
    "next_cursor of the page before",
  ),
];

/** What an operation has beside its name, its path and its scope. */
type Rest = Pick<Operation, "parameters" | "body"> & {
  answers: Operation["answers"];
};

/** An operation by `METHOD /path`, below `/v1/agent`. */
function agent(
  id: string,
  operation: `${Uppercase<Operation["method"]>} /${string}`,
  scope: Scope,
  summary: string,
  rest: Rest,
): Operation {
  const [method = "", path = ""] = operation.split(" ");
  return {
    kind: "agent",
    id,
    method: method.toLowerCase() as Operation["method"],
    path: `/v1/agent${path}`,
    scope,
    summary,
    ...rest,
  };
}

const reads = (schema: SchemaName): Rest => ({
  answers: { 200: json(schema) },
});
const lists = (schema: SchemaName): Rest => ({
  parameters: PAGE,
  ...reads(schema),
});
/** A change that may be repeated with its key. */
const changes = (schema: SchemaName, body?: SchemaName): Rest => ({
  parameters: [idempotencyKey(false)],
  ...body !== undefined && { body },
  ...reads(schema),
});
/** What `Accept: text/csv` gets as a table. */
const orTable = (schema: SchemaName): Answer => ({
  description: "Success",
  content: { "application/json": schema, "text/csv": "Csv" },
});
/** EngineProblem has a row of `errors` for each problem of the copy. */
const BAD_COPY: Answer = {
  description: "The request is invalid, or its copy is not acceptable",
  content: {
    "application/problem+json": ["AgentProblem", "EngineProblem"],
    "application/json": "OAuthBearerError",
  },
};
const PDF: Answer = {
  description: "The document",
  content: { "application/pdf": "Pdf" },
};

/** The operations of the agent API (contract §7). */
export const AGENT_OPERATIONS: readonly Operation[] = [
  agent(
    "readAccount",
    "GET /me",
    "account:read",
    "Read the account and whether a first bid would stand",
    {
      parameters: [
        query("day", DATE, "The day of the bid"),
        query(
          "ad_id",
          { type: "string", maxLength: ID_MAX, pattern: AD_ID_SHAPE.source },
          "The creative of the bid",
        ),
        query(
          "amount_cents",
          { type: "integer", minimum: 0, maximum: MAX_BID_CENTS },
          "The amount of the bid",
        ),
      ],
      ...reads("AccountSummary"),
    },
  ),
  agent(
    "updateAccount",
    "PATCH /me",
    "account:write",
    "Change the company's name and address, and which mails are sent",
    changes("AccountSettings", "UpdateAccount"),
  ),
  agent("readAuction", "GET /auction", "account:read", "Read an auction", {
    parameters: [query("day", DATE, "Whose auction", true)],
    ...reads("AuctionState"),
  }),
  agent("listBids", "GET /bids", "bids:read", "List your bids of a day", {
    parameters: [query("day", DATE, "Which day", true)],
    ...reads("BidList"),
  }),
  agent("readBid", "GET /bids/{id}", "bids:read", "Read a bid of yours", {
    ...reads("Bid"),
  }),
  agent("placeBid", "POST /bids", "bids:write", "Place or raise a bid", {
    parameters: [idempotencyKey(true)],
    body: "PlaceBid",
    answers: {
      200: json("AuctionState"),
      400: {
        description: "The request is invalid, or its body is of another shape",
        content: {
          "application/problem+json": "AgentProblem",
          "application/json": ["ApiError", "OAuthBearerError"],
        },
      },
    },
  }),
  agent(
    "listCreatives",
    "GET /creatives",
    "creatives:read",
    "List your creatives",
    lists("CreativeList"),
  ),
  agent(
    "readCreative",
    "GET /creatives/{id}",
    "creatives:read",
    "Read a creative of yours",
    reads("Creative"),
  ),
  agent(
    "createCreative",
    "POST /creatives",
    "creatives:write",
    "Write a draft of a creative",
    {
      parameters: [idempotencyKey(true)],
      body: "CreateCreative",
      answers: { 201: json("Creative", "The draft"), 400: BAD_COPY },
    },
  ),
  agent(
    "updateCreative",
    "PATCH /creatives/{id}",
    "creatives:write",
    "Change a draft, or draft a new version of what is approved",
    {
      ...changes("Creative", "UpdateCreative"),
      answers: {
        200: json("Creative", "The draft"),
        201: json("Creative", "A new draft"),
        400: BAD_COPY,
      },
    },
  ),
  agent(
    "submitCreative",
    "POST /creatives/{id}/submit",
    "creatives:write",
    "Submit a draft for review",
    changes("Creative"),
  ),
  agent(
    "archiveCreative",
    "POST /creatives/{id}/archive",
    "creatives:write",
    "Archive a creative",
    changes("Creative"),
  ),
  agent(
    "listInvoices",
    "GET /invoices",
    "invoices:read",
    "List your invoices",
    lists("InvoiceList"),
  ),
  agent(
    "readInvoice",
    "GET /invoices/{number}",
    "invoices:read",
    "Read an invoice of yours",
    reads("Invoice"),
  ),
  agent(
    "readInvoicePdf",
    "GET /invoices/{number}/pdf",
    "invoices:read",
    "Download an invoice",
    { answers: { 200: PDF } },
  ),
  agent(
    "readCreditNotePdf",
    "GET /invoices/{number}/credit_notes/{note}/pdf",
    "invoices:read",
    "Download a credit note",
    { answers: { 200: PDF } },
  ),
  agent(
    "listPaymentMethods",
    "GET /payment_methods",
    "billing:read",
    "List your saved cards",
    lists("CardList"),
  ),
  agent(
    "setDefaultPaymentMethod",
    "POST /payment_methods/{id}/default",
    "billing:write",
    "Make a card the default",
    changes("Card"),
  ),
  agent(
    "removePaymentMethod",
    "DELETE /payment_methods/{id}",
    "billing:write",
    "Remove a saved card",
    changes("Removal"),
  ),
  agent(
    "openBillingPortal",
    "POST /billing_portal",
    "billing:write",
    "Get a link at which the user adds cards",
    changes("Portal"),
  ),
  agent(
    "listReports",
    "GET /reports",
    "reports:read",
    "List the days you won, with clicks and spend",
    {
      parameters: [
        query("from", DATE, "The first day; 89 days before to if left out"),
        query("to", DATE, "The last day; today if left out"),
        ...PAGE,
      ],
      answers: { 200: orTable("ReportList") },
    },
  ),
  agent(
    "readReport",
    "GET /reports/{day}",
    "reports:read",
    "Read clicks and spend of a day you won",
    { answers: { 200: orTable("Report") } },
  ),
  agent(
    "listConnections",
    "GET /connections",
    "connections:read",
    "List the agents that are connected to your account",
    lists("ConnectionList"),
  ),
  agent(
    "revokeConnection",
    "DELETE /connections/{id}",
    "connections:write",
    "Disconnect an agent",
    changes("RevokedConnection"),
  ),
  agent(
    "listPasskeys",
    "GET /passkeys",
    "security:read",
    "List your passkeys",
    lists("PasskeyList"),
  ),
  agent(
    "removePasskey",
    "DELETE /passkeys/{id}",
    "security:write",
    "Remove a passkey, never the last way to sign in",
    changes("Removal"),
  ),
];
