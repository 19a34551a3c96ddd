/**
 * The shapes of errors, one a surface or reason.
 *
 * @module
 */
import { z } from "zod";

const uri = z.string().meta({ format: "uri" });
const uriReference = z.string().meta({ format: "uri-reference" });

const problem = {
  type: uri,
  title: z.string(),
  status: z.int(),
};

/** "Public problem: type, title, status, detail (all required); docs." */
const publicProblem = z.strictObject({
  ...problem,
  detail: z.string(),
  docs: uri.optional(),
});

const paymentProblem = z.looseObject({ ...problem, detail: z.string() });

/** "AgentProblem: type, title, status, code, detail (required)." */
const agentProblem = z.strictObject({
  ...problem,
  code: z.string(),
  detail: z.string(),
  limit: z.int().optional(),
  used: z.int().optional(),
  requested: z.int().optional(),
  reasons: z.array(z.string()).optional(),
  action_url: uriReference.optional(),
});

/** "ApiError: error object with code, message, retryable." */
const apiError = z.strictObject({
  error: z.strictObject({
    code: z.string(),
    message: z.string(),
    retryable: z.boolean(),
  }),
});

/** "OAuthBearerError: optional error, error_description." */
const bearerError = z.looseObject({
  error: z.string().optional(),
  error_description: z.string().optional(),
});

/** "EngineProblem: type, title, status, code (required); detail, …" */
const engineProblem = z.strictObject({
  ...problem,
  code: z.string(),
  detail: z.string().optional(),
  instance: z.string().optional(),
  errors: z.array(z.strictObject({
    field: z.string(),
    code: z.string(),
    message: z.string(),
  })).optional(),
});

/** "Retrieval failure: _meta {version, response_type}; error." */
const retrievalFailure = z.strictObject({
  _meta: z.strictObject({
    version: z.literal("0.55"),
    response_type: z.literal("failure"),
  }),
  error: z.strictObject({ code: z.int(), message: z.string() }),
});

const checkoutError = z.looseObject({
  type: z.string(),
  code: z.string(),
  message: z.string(),
});

/** Every error shape by its name. */
export const ERROR_SCHEMAS = {
  PublicProblem: publicProblem,
  PaymentProblem: paymentProblem,
  AgentProblem: agentProblem,
  ApiError: apiError,
  OAuthBearerError: bearerError,
  EngineProblem: engineProblem,
  RetrievalFailure: retrievalFailure,
  CheckoutError: checkoutError,
} as const;
