import {
  ACP_VERSION,
  ACP_VERSIONS,
} from "../../../domain/checkout/acp_error.ts";
import {
  ACCEPTED_BRANDS,
  ACCEPTED_FUNDING_TYPES,
  CREDENTIAL_TYPE,
  HANDLER_PATHS,
  INSTRUMENT_TYPE,
} from "../../../domain/checkout/payment_handler.ts";
import { ITEM_PREFIX } from "../../../domain/checkout/session_body.ts";
import {
  type NarrowedBody,
  UNSUPPORTED_MEMBERS,
} from "../../../domain/checkout/unsupported_members.ts";
import { METRICS_TOKEN_MAX } from "../../../domain/paid_metrics/limits.ts";
import type { Settings } from "../../../domain/ports.ts";
import type { Route } from "../../route_table.ts";
import { jsonAsset } from "../../assets.ts";

/** Where the narrower requests are described. */
const REQUEST_SCHEMA_PATH = "/schemas/acp/requests.json";

type Address = Pick<Settings, "baseUrl">;
type Document = Readonly<Record<string, unknown>>;

const JSON_SCHEMA = "https://json-schema.org/draft/2020-12/schema";

/**
 * Where agents learn that there is a checkout: `/.well-known/acp.json`. It
 * names nobody who is paid, as the protocol demands.
 */
export function acpDiscovery({ baseUrl }: Address): Route {
  return jsonAsset("/.well-known/acp.json", "application/json", {
    protocol: {
      name: "acp",
      version: ACP_VERSION,
      // Oldest first here, newest first in errors.
      supported_versions: ACP_VERSIONS.toReversed(),
      documentation_url: `${baseUrl}/developers.md`,
    },
    api_base_url: baseUrl,
    transports: ["rest"],
    capabilities: {
      services: ["checkout"],
      // The protocol's closed document has no other place for it.
      extensions: [{
        name: "narrowed_requests",
        spec: `${baseUrl}/developers.md#what-the-checkout-does-not-take`,
        schema: `${baseUrl}${REQUEST_SCHEMA_PATH}`,
      }],
      supported_currencies: ["eur"],
    },
  });
}

/** The schemas that the payment handler and the discovery document name. */
export function acpSchemas({ baseUrl }: Address): Route[] {
  const schema = (path: string, content: Document) =>
    jsonAsset(path, "application/schema+json", {
      $schema: JSON_SCHEMA,
      $id: `${baseUrl}${path}`,
      ...content,
    });
  return [
    schema(HANDLER_PATHS.configSchema, CONFIG_SCHEMA),
    schema(HANDLER_PATHS.instrumentSchema, INSTRUMENT_SCHEMA),
    schema(REQUEST_SCHEMA_PATH, REQUEST_SCHEMA),
  ];
}

/** A body of which the protocol's other members are refused by name. */
function narrowed(body: NarrowedBody, taken: Document): Document {
  return {
    type: "object",
    required: Object.keys(taken),
    additionalProperties: false,
    properties: {
      ...taken,
      ...Object.fromEntries(
        UNSUPPORTED_MEMBERS[body].map((name) => [name, false]),
      ),
    },
  };
}

const LINE_ITEMS: Document = {
  type: "array",
  minItems: 1,
  maxItems: 1,
  items: narrowed("item", {
    id: {
      type: "string",
      pattern: `^${ITEM_PREFIX}[0-9]{4}-[0-9]{2}-[0-9]{2}$`,
    },
  }),
};

const REQUEST_SCHEMA: Document = {
  title: "Requests of the checkout, narrower than the protocol's",
  description: "A member whose schema is false is one that the protocol " +
    "names and this shop does not take.",
  $defs: {
    CheckoutSessionCreateRequest: narrowed("create", {
      line_items: LINE_ITEMS,
      currency: { const: "eur" },
      capabilities: { type: "object" },
    }),
    CheckoutSessionUpdateRequest: narrowed("update", {
      line_items: LINE_ITEMS,
    }),
    CancelSessionRequest: narrowed("cancel", {}),
  },
};

const CONFIG_SCHEMA: Document = {
  title: "Configuration of the handler card_spt",
  type: "object",
  required: [
    "merchant_id",
    "psp",
    "accepted_brands",
    "accepted_funding_types",
    "environment",
  ],
  additionalProperties: false,
  properties: {
    merchant_id: {
      type: "string",
      maxLength: 256,
      description: "The seller's profile at the processor, to which the " +
        "shared payment token has to be granted",
    },
    psp: { const: "stripe" },
    accepted_brands: { type: "array", items: { enum: ACCEPTED_BRANDS } },
    accepted_funding_types: {
      type: "array",
      items: { enum: ACCEPTED_FUNDING_TYPES },
    },
    environment: {
      enum: ["test", "live"],
      description: "Whether tokens take real money",
    },
  },
};

const INSTRUMENT_SCHEMA: Document = {
  title: "Instrument of the handler card_spt",
  type: "object",
  required: ["type", "credential"],
  additionalProperties: false,
  properties: {
    type: { const: INSTRUMENT_TYPE },
    credential: {
      type: "object",
      required: ["type", "token"],
      additionalProperties: false,
      properties: {
        type: { const: CREDENTIAL_TYPE },
        token: {
          type: "string",
          pattern: "^spt_[\\x21-\\x7e]+$",
          maxLength: METRICS_TOKEN_MAX,
          writeOnly: true,
        },
        allowance: { description: "Taken and not used" },
      },
    },
    id: { description: "Taken and not used" },
    handler_id: { description: "Taken and not used" },
    billing_address: { description: "Taken and not used" },
    metadata: { description: "Taken and not used" },
  },
};
