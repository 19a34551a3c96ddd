import {
  type AcpError,
  invalidRequest,
  unavailable,
} from "../../../domain/checkout/acp_error.ts";
import { AGENT_CODES, ENGINE_CODES } from "../../errors/coded_problem.ts";
import { PROBLEM_TYPES, type ProblemSlug } from "../../errors/problem_types.ts";
import { emptyBucketText, keyConflict } from "../../errors/refusal_answers.ts";
import type { ERROR_SCHEMAS } from "../../shapes/error_schemas.ts";
import type { Operation } from "../../shapes/operation.ts";

/** An example of an error. */
export interface ErrorExample {
  schema: keyof typeof ERROR_SCHEMAS;
  /** What it is called among the examples of an answer. */
  name: string;
  value: unknown;
}

/** One, with the status that it has and the operations that give it. */
interface Told extends ErrorExample {
  status: number;
  of?: (operation: Operation) => boolean;
}

type Code = keyof typeof AGENT_CODES | keyof typeof ENGINE_CODES;

const isBid = ({ id }: Operation) =>
  id === "placeBid" || id === "rehearsePlaceBid";
const isAgent = ({ kind }: Operation) => kind === "agent";

/** A problem of a kind of ours. */
function problemOf(slug: ProblemSlug, status: number, members: object) {
  const { title } = PROBLEM_TYPES[slug];
  return { type: `{base_url}/problems/${slug}`, title, status, ...members };
}

function publicTold(slug: ProblemSlug, status: number, detail: string): Told {
  const docs = `{base_url}/developers#${PROBLEM_TYPES[slug].section}`;
  const value = problemOf(slug, status, { detail, docs });
  return { schema: "PublicProblem", name: slug, status, value };
}

function codedTold(
  code: Code,
  detail: string,
  { slug, ...members }: { slug?: ProblemSlug; [name: string]: unknown } = {},
  of: (operation: Operation) => boolean = () => true,
): Told {
  const usual = { ...AGENT_CODES, ...ENGINE_CODES }[code];
  const { status } = usual;
  const isEngine = code in ENGINE_CODES;
  const kind = slug ?? usual.slug;
  const value = problemOf(kind, status, { code, detail, ...members });
  const schema = isEngine ? "EngineProblem" : "AgentProblem";
  return { schema, name: code, status, value, of };
}

function checkoutTold({ status, body }: AcpError): Told {
  return { schema: "CheckoutError", name: body.code, status, value: body };
}

function retrievalTold(status: number, message: string): Told {
  const _meta = { version: "0.55", response_type: "failure" };
  const value = { _meta, error: { code: status, message } };
  return { schema: "RetrievalFailure", name: "failure", status, value };
}

function bearerTold(status: number, error: string, description: string): Told {
  const value = { error, error_description: description };
  return { schema: "OAuthBearerError", name: error, status, value };
}

const AGAIN = "retry in 5 seconds with the same body and Idempotency-Key";
const BUCKET_EMPTY = emptyBucketText({
  code: "rate_limited",
  retryAfterS: 1,
});
const FAULT = 'the fault is recorded as "req_7hm3x9qt"';

const PUBLIC: readonly Told[] = [
  publicTold(
    "invalid-input",
    400,
    "Cannot read the Spotlight: day must be a calendar date written YYYY-MM-DD",
  ),
  publicTold(
    "spotlight-not-found",
    404,
    "Cannot find the Spotlight of 2026-11-18: the day has " +
      "no settled Spotlight; GET /api/v1/spotlight has the one on show now",
  ),
  publicTold(
    "rate-limited",
    429,
    "Cannot answer now: the bucket of this address is empty, retry in 1 second",
  ),
  publicTold("internal-error", 500, `Cannot answer the request: ${FAULT}`),
  publicTold(
    "temporarily-unavailable",
    503,
    `Cannot complete the request now: ${AGAIN}`,
  ),
  {
    schema: "PaymentProblem",
    name: "payment-required",
    status: 402,
    value: {
      type: "https://paymentauth.org/problems/payment-required",
      title: "Payment Required",
      status: 402,
      detail: "Cannot show the figures of 2026-11-19: they cost EUR 1, " +
        "answer the challenge in WWW-Authenticate with a shared payment " +
        "token and send an Idempotency-Key. After a lost answer send the " +
        "same Authorization and Idempotency-Key again: another credential " +
        "is another purchase, with the same key, too",
      docs: "{base_url}/developers/buy-click-figures-over-http-402" +
        "#pay-from-a-program",
      challengeId: "chl_5kq8m2x7tc9vr4whzn3d",
    },
  },
];

const RETRIEVAL: readonly Told[] = [
  retrievalTold(400, "Cannot search: query must have 1 to 500 characters"),
  retrievalTold(404, "Cannot find this address"),
  retrievalTold(413, "Cannot search: the body must be at most 4096 bytes"),
  retrievalTold(500, `Cannot search: ${FAULT}`),
  retrievalTold(503, "Cannot search now: retry in 5 seconds"),
];

const BEARER: readonly Told[] = [
  bearerTold(
    400,
    "invalid_request",
    "Cannot authorize the request: it must carry one Authorization",
  ),
  bearerTold(
    401,
    "invalid_token",
    "Cannot authorize the request: the access token is not valid, refresh " +
      "it; where that is refused, ask the user to connect this agent again",
  ),
];

const CHECKOUT_ERRORS: readonly AcpError[] = [
  invalidRequest(400, "invalid_body", "Cannot read the body: it must be JSON"),
  invalidRequest(
    404,
    "checkout_session_not_found",
    "Cannot find the checkout session",
  ),
  invalidRequest(409, "idempotency_conflict", keyConflict()),
  unavailable(429, "rate_limited", BUCKET_EMPTY, 1),
  {
    status: 500,
    body: {
      type: "processing_error",
      code: "internal_error",
      message: `Cannot answer the request: ${FAULT}`,
    },
  },
  unavailable(
    503,
    "service_unavailable",
    `Cannot complete the request now: ${AGAIN}, start no other payment`,
    5,
  ),
];

const AGENT: readonly Told[] = [
  codedTold(
    "agent.bad-request",
    "Cannot read the account: day must be a calendar date written YYYY-MM-DD",
  ),
  codedTold(
    "agent.scope-missing",
    "Cannot do this: the user has not allowed bids:write, so ask them to " +
      "allow it to this agent at {base_url}/agents; then, or if they have " +
      "since, refresh the token and try again",
  ),
  codedTold(
    "agent.human-step-required",
    "Cannot place the bid (no_payment_method): next_action of GET " +
      "{auth_url}/v1/agent/me?day=2026-11-20&ad_id=ad_1&" +
      "amount_cents=2500 says who acts first; the page for a person is " +
      "{base_url}/billing",
    { reasons: ["no_payment_method"], action_url: "/billing" },
    isAgent,
  ),
  codedTold(
    "agent.mandate-exceeded",
    "Cannot place the bid of 6000 cents: the mandate allows 5000 cents for " +
      "one bid; amount_cents can be 5000 at most",
    { limit: 5000, used: 0, requested: 6000 },
    isBid,
  ),
  codedTold("agent.not-found", 'Cannot find creative "ad_1"', {
    slug: "creative-not-found",
  }),
  codedTold("agent.rate-limited", BUCKET_EMPTY),
  codedTold("CONFLICT", keyConflict(), { slug: "key-reused" }),
  codedTold(
    "VALIDATION_FAILED",
    "Cannot save the creative: its copy has problems",
    {
      errors: [{
        field: "headline",
        code: "too_long",
        message: "The headline has more than 60 characters.",
      }],
    },
  ),
  {
    schema: "ApiError",
    name: "auction.bad-body",
    status: 400,
    value: {
      error: {
        code: "auction.bad-body",
        message: "Cannot place the bid: currency must be EUR",
        retryable: false,
      },
    },
  },
];

const ALL: readonly Told[] = [
  ...PUBLIC,
  ...RETRIEVAL,
  ...BEARER,
  ...CHECKOUT_ERRORS.map(checkoutTold),
  ...AGENT,
];

/** Examples of what an operation is answered with a status. */
export function errorExamples(
  status: number,
  operation: Operation,
): readonly ErrorExample[] {
  const told = ALL.filter((told) =>
    told.status === status && (told.of?.(operation) ?? true)
  );
  return operation.kind === "rehearsal" ? told.flatMap(rehearsed) : told;
}

/** The shapes of errors that rehearsals answer, each marked. */
const REHEARSED: readonly ErrorExample["schema"][] = [
  "AgentProblem",
  "ApiError",
  "EngineProblem",
  "PublicProblem",
];

/** The same in a rehearsal, beside what is answered in front of it. */
function rehearsed(told: ErrorExample): ErrorExample[] {
  if (!REHEARSED.includes(told.schema)) return [];
  const value = { sandbox: true, ...told.value as object };
  const name = `rehearsed ${told.name}`;
  return [told, { schema: "RehearsedProblem", name, value }];
}
