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

/** A public problem (contract §12.1). */
const publicProblem = z.strictObject({
  ...problem,
  detail: z.string(),
  docs: uri.optional(),
});

const paymentProblem = z.looseObject({ ...problem, detail: z.string() });

/** An AgentProblem (contract §12.1). */
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

/** An ApiError (contract §12.1). */
const apiError = z.strictObject({
  error: z.strictObject({
    code: z.string(),
    message: z.string(),
    retryable: z.boolean(),
  }),
});

/** An OAuthBearerError (contract §12.1). */
const bearerError = z.strictObject({
  error: z.string().optional(),
  error_description: z.string().optional(),
});

/** An EngineProblem (contract §12.1). */
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

/** A retrieval failure (contract §12.1). */
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

/** An error of a rehearsal (contract §3.8): an AgentProblem and its like. */
const rehearsedProblem = z.looseObject({
  sandbox: z.literal(true),
  type: uri.optional(),
  title: z.string().optional(),
  status: z.int().optional(),
  code: z.string().optional(),
  detail: z.string().optional(),
  error: apiError.shape.error.optional(),
}).describe("The error of the agent API, marked as practice");

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
  RehearsedProblem: rehearsedProblem,
} as const;
