import {
  BATCH_PARAMETER_MAX,
  LIST_OFFSET_MAX,
} from "../../../domain/limits.ts";
import {
  DATE,
  idempotencyKey,
  json,
  LIMIT_PARAMETER,
  METRICS_FINAL,
  type Operation,
  type Parameter,
  query,
} from "../../shapes/operation.ts";

const WITHOUT_DAY = "The day has no settled Spotlight, or it was removed";

/** It is sent with the credential, and says nothing without one. */
const PAYERS_KEY: Parameter = {
  ...idempotencyKey(false),
  description: "1 to 255 visible ASCII characters, beside Authorization: " +
    "Payment. The same credential with the same key is answered again for 24 " +
    "hours, should the answer have been lost.",
};

/** The operations of public reads and the sandbox (contract §3). */
export const PUBLIC_OPERATIONS: readonly Operation[] = [
  {
    kind: "public",
    id: "readCurrentSpotlight",
    method: "get",
    path: "/api/v1/spotlight",
    summary: "Read the current Spotlight",
    description: "The Spotlight of the newest settled day.",
    parameters: [
      query(
        "includeHouseAds",
        { type: "boolean", default: true },
        "Whether a house advertisement counts; without, it is 404",
      ),
    ],
    answers: {
      200: json("OneSpotlight"),
      404: { description: "No Spotlight is shown now" },
    },
  },
  {
    kind: "public",
    id: "listSpotlights",
    method: "get",
    path: "/api/v1/spotlights",
    summary: "List Spotlights, newest first",
    description: "Read on with nextCursor, or with nextOffset up to 10000.",
    parameters: [
      LIMIT_PARAMETER,
      query("cursor", DATE, "nextCursor of the page before; excludes offset"),
      query("offset", {
        type: "integer",
        minimum: 0,
        maximum: LIST_OFFSET_MAX,
        default: 0,
      }, "nextOffset of the page before; excludes cursor"),
    ],
    answers: { 200: json("SpotlightPage") },
  },
  {
    kind: "public",
    id: "readSpotlight",
    method: "get",
    path: "/api/v1/spotlights/{day}",
    summary: "Read the Spotlight of a day",
    description: "Of a day that has settled.",
    answers: { 200: json("OneSpotlight"), 404: { description: WITHOUT_DAY } },
  },
  {
    kind: "public",
    id: "readSpotlightBatch",
    method: "get",
    path: "/api/v1/spotlights/batch",
    summary: "Read several days at once",
    description: "In the order asked; a day without a Spotlight is an item " +
      "with status 404 and data null.",
    parameters: [
      query(
        "days",
        { type: "string", minLength: 10, maxLength: BATCH_PARAMETER_MAX },
        "1 to 10 days, YYYY-MM-DD, with commas between",
        true,
      ),
    ],
    answers: { 200: json("SpotlightBatch") },
  },
  {
    kind: "public",
    id: "readSandbox",
    method: "get",
    path: "/api/v1/sandbox",
    summary: "Read the sandbox's made-up Spotlight",
    description:
      "Always the same record. Nothing in the sandbox has an effect.",
    answers: { 200: json("SandboxSample") },
  },
  {
    kind: "public",
    id: "createSandboxJob",
    method: "post",
    path: "/api/v1/sandbox/jobs",
    summary: "Create a job in the sandbox",
    description: "The same key is always the same job.",
    parameters: [idempotencyKey(true)],
    answers: {
      202: {
        ...json("SandboxJob", "The job, queued"),
        headers: { Location: "The job's address" },
      },
    },
  },
  {
    kind: "public",
    id: "readSandboxJob",
    method: "get",
    path: "/api/v1/sandbox/jobs/{jobId}",
    summary: "Read a job of the sandbox, which completes it",
    description: "A job can be read for 24 hours.",
    answers: {
      200: json("SandboxJob"),
      404: { description: "There is no such job, or it is a day old" },
    },
  },
  {
    kind: "metrics",
    id: "readMetrics",
    method: "get",
    path: "/api/v1/spotlights/{day}/metrics",
    summary: "Buy the click figures of a day for EUR 1",
    description: "Without a credential it is answered with 402 and a " +
      "challenge; repeat it with Authorization: Payment. Yesterday's day is " +
      "on show until its closing time today: figures are final 48 hours " +
      "after a day was replaced, as Metrics-Final says before you pay.",
    parameters: [PAYERS_KEY],
    answers: {
      200: {
        ...json("Metrics"),
        headers: {
          "Payment-Receipt": "The receipt, base64url",
          "Metrics-Final": METRICS_FINAL,
          "Idempotent-Replayed": "true: an answer that was written before",
        },
      },
      402: {
        description: "A payment is needed, or was not accepted",
        content: { "application/problem+json": "PaymentProblem" },
        headers: {
          "WWW-Authenticate": "Payment, with a fresh challenge",
          "Metrics-Final": METRICS_FINAL,
        },
      },
      404: { description: WITHOUT_DAY },
    },
  },
];

const ASK_ANSWER = {
  description: "What was found, best first: 20 results at most",
  content: {
    "application/json": "AskAnswer",
    "text/event-stream": "AskStream",
  },
} as const;

/** The operations of retrieval (contract §5). */
export const ASK_OPERATIONS: readonly Operation[] = [
  {
    kind: "ask",
    id: "ask",
    method: "get",
    path: "/ask",
    summary: "Look up Spotlights and documentation",
    description: "The same question gets the same answer until something new " +
      "is published.",
    parameters: [
      query(
        "query",
        { type: "string", minLength: 1, maxLength: 500 },
        "What to look for; one character at least is no whitespace",
        true,
      ),
      query(
        "mode",
        { type: "string", const: "list", default: "list" },
        "The only mode",
      ),
      query(
        "streaming",
        { type: "boolean", default: false },
        "Whether to answer with a stream of events",
      ),
    ],
    answers: { 200: ASK_ANSWER },
  },
  {
    kind: "ask",
    id: "askWithBody",
    method: "post",
    path: "/ask",
    summary: "Look up Spotlights and documentation",
    description: "The body has 4,096 bytes at most.",
    body: "AskRequest",
    answers: {
      200: ASK_ANSWER,
      413: {
        description: "The body is too long",
        content: { "application/json": "RetrievalFailure" },
      },
    },
  },
];
