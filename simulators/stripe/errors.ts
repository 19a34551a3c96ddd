/**
 * The error envelope of the Stripe API.
 *
 * @module
 */

/** The members of `error` in an answer, as far as the simulator sets them. */
export interface ErrorBody {
  /** The kind of error, which decides the SDK's error class. */
  type:
    | "api_error"
    | "card_error"
    | "idempotency_error"
    | "invalid_request_error";
  /** Stable name of the cause. */
  code?: string;
  /** The issuer's reason when a card is declined. */
  decline_code?: string;
  /** The parameter at fault. */
  param?: string;
  /** Text for people. */
  message: string;
  /** The failed charge. */
  charge?: string;
  /** The intent of the failed payment, whole. */
  payment_intent?: unknown;
  /** The intent of the failed set-up, whole. */
  setup_intent?: unknown;
  /** The card of the failed payment, whole. */
  payment_method?: unknown;
  /** Page that explains the code. */
  doc_url?: string;
}

/** An answer other than 200, thrown by whatever finds the reason. */
export class ApiError extends Error {
  /**
   * An answer with this status and body.
   *
   * @param status the HTTP status
   * @param body the members of `error`
   * @param keepsEffect whether what was written before stands, as the failed
   * payment of a declined card does
   */
  constructor(
    readonly status: number,
    readonly body: ErrorBody,
    readonly keepsEffect: boolean = false,
  ) {
    super(body.message);
  }

  /** The body as it goes out. */
  toJSON(): { error: ErrorBody } {
    const { code } = this.body;
    if (code === undefined) return { error: this.body };
    const page = code.replaceAll("_", "-");
    const doc_url = `https://stripe.com/docs/error-codes/${page}`;
    return { error: { ...this.body, doc_url } };
  }
}

/** 400: the request can not be carried out. */
export function invalidRequest(
  message: string,
  more: { code?: string; param?: string } = {},
): ApiError {
  return new ApiError(400, { type: "invalid_request_error", message, ...more });
}

/** 404: no object has this id; 400 when the id came as a parameter. */
export function resourceMissing(
  what: string,
  id: string,
  param: string,
): ApiError {
  return new ApiError(param === "id" ? 404 : 400, {
    type: "invalid_request_error",
    code: "resource_missing",
    param,
    message: `No such ${what}: '${id}'`,
  });
}

/** 500: something broke on the processor's side. */
export function serverError(): ApiError {
  return new ApiError(500, {
    type: "api_error",
    message: "An unknown error occurred",
  });
}
