/**
 * What the operations of a surface have in common: what they are called, what
 * every answer carries, and the errors that each of them may give.
 *
 * @module
 */
import type {
  Answer,
  OperationKind,
  Parameter,
} from "../../shapes/operation.ts";
import type { SchemaName } from "../../shapes/schemas.ts";

/** A surface, as the document describes it. */
export interface Kind {
  tag: string;
  description: string;
  host: "site" | "auth";
  /** Headers of every answer. */
  headers: Readonly<Record<string, string>>;
  /** Headers of every request. */
  parameters: readonly Parameter[];
  /** Failures of any of its operations, by status. */
  errors: Readonly<Record<number, Answer>>;
  /** The shape of failures that an operation names without one. */
  failure: { mediaType: string; schema: SchemaName };
}

const RATE = {
  "RateLimit-Policy": 'The bucket, such as "agent";q=120;svc-refill=2',
  RateLimit: 'What is left in it, such as "agent";r=119',
};
const RETRY = { "Retry-After": "Seconds after which to ask again" };
const PROBLEM = "application/problem+json";
const JSON_TYPE = "application/json";

function error(
  description: string,
  mediaType: string,
  schema: SchemaName,
  headers?: Readonly<Record<string, string>>,
): Answer {
  const content = { [mediaType]: schema };
  return { description, content, ...headers && { headers } };
}

/** The same as the agent API answers, marked. */
function practised(
  description: string,
  headers?: Readonly<Record<string, string>>,
): Answer {
  const schema = "RehearsedProblem";
  const content = { [PROBLEM]: schema, [JSON_TYPE]: schema } as const;
  return { description, content, ...headers && { headers } };
}

const RATE_LIMITED = error(
  "The bucket of this address is empty",
  PROBLEM,
  "PublicProblem",
  RETRY,
);

const TOKEN_MISSING = error(
  "No valid token; without Authorization the body is empty",
  JSON_TYPE,
  "OAuthBearerError",
  { "WWW-Authenticate": "Bearer, with the address of resource metadata" },
);

const INTERNAL = error("A fault of ours", PROBLEM, "PublicProblem");

const OF_EVERYONE: Omit<Kind, "tag" | "description"> = {
  host: "site",
  headers: RATE,
  parameters: [],
  errors: {
    400: error("The input is invalid", PROBLEM, "PublicProblem"),
    429: RATE_LIMITED,
    500: INTERNAL,
    503: error("Ask again later", PROBLEM, "PublicProblem", RETRY),
  },
  failure: { mediaType: PROBLEM, schema: "PublicProblem" },
};

/** The surfaces by their names in code. */
export const KINDS: Readonly<Record<OperationKind, Kind>> = {
  public: {
    tag: "Public reads",
    description: "Settled Spotlights and a sandbox, for anyone",
    ...OF_EVERYONE,
  },
  rehearsal: {
    tag: "Rehearsals",
    description: "The agent API to practise with, without account or money",
    host: "site",
    headers: RATE,
    parameters: [],
    errors: {
      400: practised("The request is invalid"),
      403: practised("The mandate does not allow it, or a human has to act"),
      404: practised("There is none in the rehearsal"),
      409: practised("It conflicts with what stands"),
      429: {
        description: "The bucket of this address is empty, or that of the " +
          "rehearsed grant",
        content: { [PROBLEM]: ["RehearsedProblem", "PublicProblem"] },
        headers: RETRY,
      },
      500: practised("A fault of ours"),
      503: practised("Ask again later", RETRY),
    },
    failure: { mediaType: PROBLEM, schema: "RehearsedProblem" },
  },
  metrics: {
    tag: "Paid metrics",
    description: "Click figures of a day, paid in the request",
    ...OF_EVERYONE,
  },
  ask: {
    tag: "Retrieval",
    description: "NLWeb 0.55, list mode",
    host: "site",
    headers: RATE,
    parameters: [],
    errors: {
      400: error("The question is invalid", JSON_TYPE, "RetrievalFailure"),
      404: error("No such path below /ask", JSON_TYPE, "RetrievalFailure"),
      429: RATE_LIMITED,
      500: error("A fault of ours", JSON_TYPE, "RetrievalFailure"),
      503: error("Ask again later", JSON_TYPE, "RetrievalFailure", RETRY),
    },
    failure: { mediaType: JSON_TYPE, schema: "RetrievalFailure" },
  },
  checkout: {
    tag: "Checkout",
    description: "Agentic checkout of one report, owned by an OAuth grant",
    host: "site",
    headers: {},
    parameters: [{
      name: "API-Version",
      in: "header",
      required: true,
      description: "The version of the protocol",
      schema: { type: "string", const: "2026-04-17" },
    }],
    errors: {
      400: {
        description: "The request is invalid, or carries two tokens",
        content: { [JSON_TYPE]: ["CheckoutError", "OAuthBearerError"] },
      },
      401: TOKEN_MISSING,
      403: error("The scope is missing", PROBLEM, "AgentProblem"),
      404: error("There is no such session", JSON_TYPE, "CheckoutError"),
      409: error("It conflicts with what was done", JSON_TYPE, "CheckoutError"),
      429: {
        description: "The grant's bucket is empty, or without a valid token " +
          "that of the address",
        content: { [JSON_TYPE]: "CheckoutError", [PROBLEM]: "PublicProblem" },
        headers: RETRY,
      },
      500: error("A fault of ours", JSON_TYPE, "CheckoutError"),
      503: error(
        "Uncertain: repeat the same body and key",
        JSON_TYPE,
        "CheckoutError",
        RETRY,
      ),
    },
    failure: { mediaType: JSON_TYPE, schema: "CheckoutError" },
  },
  agent: {
    tag: "Agent API",
    description: "An advertiser's account, with a token the user approved",
    host: "auth",
    headers: {},
    parameters: [],
    errors: {
      400: {
        description: "The request is invalid, or carries two tokens",
        content: { [PROBLEM]: "AgentProblem", [JSON_TYPE]: "OAuthBearerError" },
      },
      401: TOKEN_MISSING,
      403: error(
        "The scope is missing, the mandate does not allow it, or a human has " +
          "to act",
        PROBLEM,
        "AgentProblem",
      ),
      404: error("There is none of yours", PROBLEM, "AgentProblem"),
      409: error("It conflicts with what stands", PROBLEM, "EngineProblem"),
      429: {
        description: "The grant's bucket is empty, or without a valid token " +
          "that of the address",
        content: { [PROBLEM]: ["AgentProblem", "PublicProblem"] },
        headers: RETRY,
      },
      500: INTERNAL,
      503: error("Ask again later", PROBLEM, "PublicProblem", RETRY),
    },
    failure: { mediaType: PROBLEM, schema: "AgentProblem" },
  },
};
