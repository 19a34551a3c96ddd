/**
 * The errors of the protocol: flat objects, of a closed set of types and an
 * open set of codes. Some are stored and repeated, so they are made here.
 *
 * @module
 */
import { unreachable } from "../invariant.ts";
import { refuse } from "../refusal.ts";
import { CHECKOUT_RETRY_S } from "./limits.ts";
import type { CheckoutRefusal } from "./refusal.ts";
import type { CheckoutStatus } from "./session.ts";

/** The one version of the protocol that is spoken (contract §6.1). */
export const ACP_VERSION = "2026-04-17";

/** Every version that is spoken, newest first. */
export const ACP_VERSIONS: readonly string[] = [ACP_VERSION];

/** The body of an error, as the protocol's schema has it. */
export interface AcpErrorBody {
  type: "invalid_request" | "processing_error" | "service_unavailable";
  code: string;
  message: string;
  param?: string;
  supported_versions?: readonly string[];
}

/** An error with what HTTP says of it. */
export interface AcpError {
  status: number;
  body: AcpErrorBody;
  /** Set where the same request may be repeated; such a no is never stored. */
  retryAfterS?: number;
}

type RefusalOf<Kind extends CheckoutRefusal["kind"]> = Extract<
  CheckoutRefusal,
  { kind: Kind }
>;

/** Ends the request with a no of the checkout. */
export function refuseCheckout(why: CheckoutRefusal): never {
  refuse({ code: "checkout_refused", why });
}

/** An error for a request that is not to be repeated as it is. */
export function invalidRequest(
  status: number,
  code: string,
  message: string,
  param: string | null = null,
): AcpError {
  const body = { type: "invalid_request" as const, code, message };
  return { status, body: param === null ? body : { ...body, param } };
}

/** A transient error: the same request may succeed when it is repeated. */
export function unavailable(
  status: number,
  code: string,
  message: string,
  retryAfterS: number,
): AcpError {
  return {
    status,
    body: { type: "service_unavailable", code, message },
    retryAfterS,
  };
}

/** What each no of the checkout is answered with. */
export function acpErrorOf(why: CheckoutRefusal): AcpError {
  switch (why.kind) {
    case "version_missing":
    case "version_unsupported":
      return versionError(why.kind);
    case "malformed":
      return invalidRequest(400, why.code, why.message, why.param);
    case "session_not_found":
      return invalidRequest(
        404,
        "checkout_session_not_found",
        "Cannot find the checkout session",
      );
    case "not_allowed":
      return notAllowed(why);
    case "item_unknown":
    case "item_gone":
      return noItem(why);
    case "attempts_exhausted":
      return invalidRequest(
        409,
        "too_many_attempts",
        "Cannot try another payment: create a new checkout session",
      );
    case "action_required":
      return invalidRequest(
        409,
        "requires_3ds",
        "Cannot complete the payment: the buyer has to authenticate, which " +
          "is not possible here, pay with another token",
        "$.authentication_result",
      );
    case "payment_uncertain":
      return unavailable(
        503,
        "payment_uncertain",
        "Cannot tell yet whether the payment was made: repeat the request " +
          "with the same body and Idempotency-Key, start no other payment",
        CHECKOUT_RETRY_S,
      );
    case "unpaid":
      return conflict(
        why.status,
        "payment_required",
        "Cannot read the report: it is not paid for, ",
      );
    case "report_gone":
      return invalidRequest(
        404,
        "report_not_found",
        `Cannot find the report of ${why.day}: its day was removed and the ` +
          "payment is given back",
      );
    default:
      return unreachable(why);
  }
}

function versionError(kind: "version_missing" | "version_unsupported") {
  const [code, what] = kind === "version_missing"
    ? ["missing_api_version", "the header API-Version must be given"]
    : ["unsupported_api_version", "its API-Version is not supported"];
  const message = `Cannot answer the request: ${what}, ` +
    `supported is ${ACP_VERSIONS.join(", ")}`;
  const error = invalidRequest(400, code, message);
  const body = { ...error.body, supported_versions: ACP_VERSIONS };
  return { ...error, body };
}

function noItem(why: RefusalOf<"item_unknown" | "item_gone">): AcpError {
  if (why.kind === "item_unknown") {
    return invalidRequest(
      400,
      "invalid_item_id",
      `Cannot sell the report of ${why.day}: the day has no settled Spotlight`,
      "$.line_items[0].id",
    );
  }
  return invalidRequest(
    409,
    "item_unavailable",
    `Cannot sell the report of ${why.day} any more: its day was removed, ` +
      "replace line_items or cancel the session",
  );
}

const ACTIONS = {
  update: "Cannot replace line_items: ",
  complete: "Cannot complete the checkout session: ",
  cancel: "Cannot cancel the checkout session: ",
} as const;

const REASONS: Readonly<Record<CheckoutStatus, string>> = {
  ready_for_payment: "it waits for payment",
  complete_in_progress: "a payment is under way",
  completed: "it is completed",
  canceled: "it is canceled",
  expired: "it has expired",
};

/**
 * While a payment is under way the answer may be another one soon; a session
 * that has ended stays as it is.
 */
function notAllowed(
  { action, status }: RefusalOf<"not_allowed">,
): AcpError {
  const isPaying = status === "complete_in_progress";
  const code = action === "update"
    ? "session_frozen"
    : isPaying
    ? "payment_in_progress"
    : action === "cancel"
    ? "session_not_cancelable"
    : "session_not_payable";
  return conflict(status, code, ACTIONS[action]);
}

/** What the session's status stands in the way of. */
function conflict(
  status: CheckoutStatus,
  code: string,
  what: string,
): AcpError {
  const error = invalidRequest(409, code, `${what}${REASONS[status]}`);
  return status === "complete_in_progress"
    ? { ...error, retryAfterS: CHECKOUT_RETRY_S }
    : error;
}
