/**
 * The bodies of the checkout. What is wrong is named by its place and never
 * repeated: a token may stand in the wrong one.
 *
 * @module
 */
import { z } from "zod";
import { refuseCheckout } from "../../../domain/checkout/acp_error.ts";
import {
  CREDENTIAL_TYPE,
  HANDLER_ID,
  INSTRUMENT_TYPE,
} from "../../../domain/checkout/payment_handler.ts";
import { ITEM_PREFIX } from "../../../domain/checkout/session_body.ts";
import { unsupportedAmong } from "../../../domain/checkout/unsupported_members.ts";
import { type Day, DAY_LENGTH, parseDay } from "../../../domain/day.ts";
import type { Json } from "../../../domain/idempotency/canonical_json.ts";
import { METRICS_TOKEN_MAX } from "../../../domain/paid_metrics/limits.ts";
import { isPaymentToken } from "../../../domain/paid_metrics/payment_token.ts";
import { judgedText } from "../../http/bounded_text.ts";
import { everyIssue } from "../../http/every_issue.ts";

const anObject = z.record(z.string(), z.unknown(), "must be an object");

/** The id of a line item (contract §6.2). */
const item = judgedText(ITEM_PREFIX.length + DAY_LENGTH).transform(
  (text, context) => {
    const day = text.startsWith(ITEM_PREFIX)
      ? parseDay(text.slice(ITEM_PREFIX.length))
      : null;
    if (day !== null) return day;
    context.addIssue({
      code: "custom",
      message: `must be ${ITEM_PREFIX} and a calendar date written YYYY-MM-DD`,
      params: { code: "invalid_item_id" },
    });
    return z.NEVER;
  },
);

/** The line items, exactly one (contract §6.3). */
const lineItems = z.array(
  z.strictObject({ id: item }, "must be an object with a member id"),
  "must be a list of one item",
).length(1, "must be a list of one item");

const cart = z.strictObject({ line_items: lineItems }, "must be an object");

const creation = z.strictObject({
  line_items: lineItems,
  currency: z.literal("eur", "must be eur"),
  capabilities: anObject,
}, "must be an object");

const instrument = z.strictObject({
  type: z.literal(INSTRUMENT_TYPE, `must be ${INSTRUMENT_TYPE}`),
  credential: z.strictObject({
    type: z.literal(CREDENTIAL_TYPE, `must be ${CREDENTIAL_TYPE}`),
    token: judgedText(METRICS_TOKEN_MAX).refine(
      isPaymentToken,
      "must be a shared payment token, which begins with spt_",
    ),
    allowance: z.unknown().optional(),
  }, "must be an object"),
  id: z.unknown().optional(),
  handler_id: z.unknown().optional(),
  billing_address: z.unknown().optional(),
  metadata: z.unknown().optional(),
}, "must be an object");

/** Members that the protocol knows and nothing here needs are taken unread. */
const payment = z.strictObject({
  payment_data: z.strictObject({
    handler_id: z.literal(HANDLER_ID, `must be ${HANDLER_ID}`),
    instrument,
    billing_address: z.unknown().optional(),
    purchase_order_number: z.unknown().optional(),
    payment_terms: z.unknown().optional(),
    due_date: z.unknown().optional(),
    approval_required: z.unknown().optional(),
  }, "must be an object"),
  buyer: z.unknown().optional(),
  authentication_result: z.unknown().optional(),
  affiliate_attribution: z.unknown().optional(),
  risk_signals: z.unknown().optional(),
  marketing_consents: z.unknown().optional(),
  order_notes: z.unknown().optional(),
}, "must be an object");

const nothing = z.strictObject({}, "must be an empty object");

/** The day whose report a new session is for. */
export function parseCreation(body: Json): Day {
  return onlyDay(parse(creation, body).line_items);
}

/** The day whose report a session is for from now on. */
export function parseCart(body: Json): Day {
  return onlyDay(parse(cart, body).line_items);
}

/** The token that a session is paid with. */
export function parsePayment(body: Json): string {
  return parse(payment, body).payment_data.instrument.credential.token;
}

/** The body of a cancellation: an empty object (contract §6.5). */
export function parseNothing(body: Json): void {
  parse(nothing, body);
}

function onlyDay(items: readonly { id: Day }[]): Day {
  const [only] = items;
  if (only === undefined) throw new TypeError("One item was asked for");
  return only.id;
}

function parse<T>(schema: z.ZodType<T>, body: Json): T {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const { issues } = parsed.error;
  const [first] = issues;
  if (first === undefined) throw new TypeError("A refusal has a reason");
  const said = everyIssue(issues, (issue) => sayOf(issue, body));
  const { param, isMissing } = placeOf(first, body);
  // The protocol has room for one place; the message has all of them.
  return refuseCheckout({
    kind: "malformed",
    code: codeOf(first) ?? (isMissing ? "missing" : "invalid"),
    message: `Cannot read the body: ${said}`,
    param,
  });
}

/** Where in the body a problem is, and whether anything stands there. */
function placeOf(issue: z.core.$ZodIssue, body: Json) {
  const path = [...issue.path, ...unsupportedIn(issue).slice(0, 1)];
  return {
    param: jsonPath(path),
    isMissing: valueAt(body, path) === undefined,
  };
}

function sayOf(issue: z.core.$ZodIssue, body: Json): string {
  const { param, isMissing } = placeOf(issue, body);
  return unsupportedText(issue) ?? `${param} ${wantedOf(issue, isMissing)}`;
}

/** The members of the protocol that this shop takes none of. */
function unsupportedIn(issue: z.core.$ZodIssue): string[] {
  return issue.code === "unrecognized_keys" ? unsupportedAmong(issue.keys) : [];
}

function unsupportedText(issue: z.core.$ZodIssue): string | null {
  const named = unsupportedIn(issue).map((key) => `no \`${key}\``);
  return named.length > 0 ? `this shop takes ${named.join(", ")}` : null;
}

function wantedOf(issue: z.core.$ZodIssue, isMissing: boolean): string {
  if (issue.code === "unrecognized_keys") {
    return `must have no other members than those that are documented`;
  }
  return isMissing ? "must be given" : issue.message;
}

function codeOf(issue: z.core.$ZodIssue): string | null {
  if (issue.code !== "custom") return null;
  const code = issue.params?.["code"];
  return typeof code === "string" ? code : null;
}

/** RFC 9535; all names in these bodies are plain. */
function jsonPath(path: readonly PropertyKey[]): string {
  return `$${
    path.map((part) =>
      typeof part === "number" ? `[${part}]` : `.${String(part)}`
    ).join("")
  }`;
}

function valueAt(body: unknown, path: readonly PropertyKey[]): unknown {
  let value = body;
  for (const part of path) {
    if (typeof value !== "object" || value === null) return undefined;
    value = (value as Record<PropertyKey, unknown>)[part];
  }
  return value;
}
