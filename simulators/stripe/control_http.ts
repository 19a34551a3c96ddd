/**
 * The control over HTTP, in JSON below `/_simulator/`.
 *
 * @module
 */

import { z } from "zod";
import { ACCOUNT_TURNS, type AccountTurn } from "./connect.ts";
import type { Control } from "./control.ts";
import { ApiError } from "./errors.ts";
import { IDENTITY_ERRORS, type IdentityOutcome } from "./identity.ts";
import { MAX_CONCURRENCY } from "./webhooks.ts";
import { jsonAnswer, type WireAnswer, type WireRequest } from "./wire.ts";

/** What every path of the control begins with. */
export const CONTROL_PREFIX = "/_simulator/";

const PROBABILITY = z.number().min(0).max(1);

const FAULT = z.strictObject({
  kind: z.enum([
    "lock_timeout",
    "rate_limit",
    "reset_before_effect",
    "error_before_effect",
    "hold",
    "slow",
    "timeout_after_effect",
    "error_after_effect",
    "reset_after_effect",
    "decline",
    "requires_action",
    "processing",
  ]),
  method: z.enum(["GET", "POST", "DELETE"]).exactOptional(),
  path: z.string().max(200).exactOptional(),
  times: z.int().min(1).nullable().exactOptional(),
  probability: PROBABILITY.exactOptional(),
  delay_ms: z.int().min(0).max(600_000).exactOptional(),
  saved: z.boolean().exactOptional(),
  before_head: z.boolean().exactOptional(),
  decline_code: z.string().max(60).exactOptional(),
});

const WEBHOOK_FAULTS = z.strictObject({
  shuffle: PROBABILITY.exactOptional(),
  duplicate: PROBABILITY.exactOptional(),
  delay: PROBABILITY.exactOptional(),
  delay_ms: z.int().min(0).max(600_000).exactOptional(),
  lose: PROBABILITY.exactOptional(),
});

const TARGET = z.strictObject({
  url: z.url(),
  secret: z.string().min(1),
  oldSecret: z.string().min(1).exactOptional(),
  concurrency: z.int().min(1).max(MAX_CONCURRENCY).exactOptional(),
}).nullable();

const RELEASE = z.strictObject({ shuffle: z.boolean().exactOptional() });
const PADDING = z.strictObject({
  padding_bytes: z.int().min(0).max(16 * 1024 * 1024),
});
const DISPUTE = z.strictObject({
  charge: z.string().max(255),
  kind: z.enum(["chargeback", "inquiry", "prevented"]).exactOptional(),
  amount: z.int().min(1).exactOptional(),
  reason: z.string().max(60).exactOptional(),
});
const DISPUTE_TURN = z.strictObject({
  turn: z.enum([
    "won",
    "lost",
    "partly_won",
    "under_review",
    "warning_closed",
    "escalated",
  ]),
});
const FEES = z.strictObject({
  chargeBasisPoints: z.int().min(0).max(10_000).exactOptional(),
  chargeCents: z.int().min(0).max(100_000).exactOptional(),
  disputeCents: z.int().min(0).max(100_000).exactOptional(),
});
const IDENTITY = z.strictObject({
  outcome: z.enum([
    "processing",
    "verified",
    ...Object.keys(IDENTITY_ERRORS) as IdentityOutcome[],
  ]),
});
const ACCOUNT = z.strictObject({
  turn: z.enum(Object.keys(ACCOUNT_TURNS) as AccountTurn[]),
});
const REVERSAL = z.strictObject({ amount: z.int().min(1).exactOptional() });
const TOP_UP = z.strictObject({ amount: z.int() });
const INVOICE = z.strictObject({ how: z.enum(["void_anyway", "pay_late"]) });
const SAVED_CARD = z.strictObject({ card: z.string().max(60) });
const CARD = z.strictObject({ behaviour: z.string() });
const RESOLUTION = z.strictObject({ how: z.enum(["succeed", "fail"]) });

type Command = (control: Control, body: unknown, id: string) => unknown;

/** Commands by method and path; `:id` stands for an id. */
const COMMANDS: Record<string, Command> = {
  "GET faults": (control) => control.faults(),
  "POST faults": (control, body) => ({
    id: control.addFault(FAULT.parse(body)),
  }),
  "DELETE faults": (control) => control.clearFaults(),
  "DELETE faults/:id": (control, _, id) => ({
    removed: control.removeFault(id),
  }),
  "GET requests": (control) => control.requests(),
  "DELETE requests": (control) => control.clearRequests(),
  "POST requests/release": (control) => control.releaseRequests(),
  "GET state": (control) => control.state(),
  "PUT webhooks": (control, body) =>
    control.webhooks.setTarget(TARGET.parse(body)),
  "POST webhooks/hold": (control) => control.webhooks.hold(),
  "POST webhooks/release": (control, body) =>
    control.webhooks.release(RELEASE.parse(body ?? {})),
  "POST webhooks/faults": (control, body) =>
    control.webhooks.setFaults(WEBHOOK_FAULTS.parse(body)),
  "POST webhooks/retry": (control) => control.webhooks.retryNow(),
  "GET webhooks/lost": (control) => control.webhooks.lost(),
  "POST webhooks/lost": (control) => ({ sent: control.webhooks.resendLost() }),
  "POST events/:id": (control, _, id) => control.webhooks.resend(id),
  "PUT fees": (control, body) => control.setFees(FEES.parse(body)),
  "POST accounts/:id": (control, body, id) =>
    control.partners.turn(id, ACCOUNT.parse(body).turn),
  "POST transfers/:id": (control, body, id) =>
    control.partners.reverse(id, REVERSAL.parse(body ?? {}).amount),
  "POST balance": (control, body) => {
    control.partners.topUp(TOP_UP.parse(body).amount);
    return { balance: control.partners.balance };
  },
  "POST disputes": (control, body) => {
    const { charge, ...order } = DISPUTE.parse(body);
    return control.disputes.open(charge, order);
  },
  "POST disputes/:id": (control, body, id) =>
    control.disputes.turn(id, DISPUTE_TURN.parse(body).turn),
  "DELETE refunds/:id": (control, _, id) => control.failRefund(id),
  "POST invoices/:id": (control, body, id) =>
    INVOICE.parse(body).how === "pay_late"
      ? control.invoices.payLate(id)
      : control.invoices.voidAnyway(id),
  "POST checkout_sessions/:id": (control, body, id) =>
    control.people.saveCard(id, SAVED_CARD.parse(body).card),
  "DELETE checkout_sessions/:id": (control, _, id) =>
    control.people.expireCheckout(id),
  "POST setup_intents/:id": (control, body, id) =>
    control.people.resolveSetup(id, RESOLUTION.parse(body).how),
  "POST verification_sessions/:id": (control, body, id) =>
    control.people.checkIdentity(id, IDENTITY.parse(body).outcome),
  "POST invoices": (control, body) => {
    control.invoicePaddingBytes = PADDING.parse(body).padding_bytes;
  },
  "POST payment_methods/:id": (control, body, id) =>
    control.setCard(id, CARD.parse(body).behaviour),
  "POST payment_intents/:id": (control, body, id) => ({
    status: control.resolvePayment(id, RESOLUTION.parse(body).how),
  }),
};

/**
 * Answers a control request. A body must be marked as JSON, which keeps web
 * pages of others out: no browser sends that across origins unasked.
 */
export function answerControl(
  control: Control,
  request: WireRequest,
): WireAnswer {
  const found = findCommand(request);
  if (found === null) return problem(404, "Unknown control command");
  try {
    const body = readBody(request);
    return jsonAnswer(200, found.run(control, body, found.id) ?? { ok: true });
  } catch (error) {
    if (error instanceof z.ZodError) {
      return problem(400, z.prettifyError(error));
    }
    const isRefusal = error instanceof RangeError ||
      error instanceof SyntaxError || error instanceof ApiError;
    if (isRefusal) {
      return problem(400, error.message);
    }
    throw error;
  }
}

function findCommand(
  { method, path }: WireRequest,
): { run: Command; id: string } | null {
  const [first = "", second] = path.slice(CONTROL_PREFIX.length).split("/");
  const whole = second === undefined ? first : `${first}/${second}`;
  const exact = COMMANDS[`${method} ${whole}`];
  if (exact !== undefined) return { run: exact, id: "" };
  const withId = COMMANDS[`${method} ${first}/:id`];
  if (withId === undefined || second === undefined) return null;
  return { run: withId, id: second };
}

function readBody({ body, method, header }: WireRequest): unknown {
  if (method === "GET") return undefined;
  const isJson = header("content-type")?.startsWith("application/json");
  if (body !== "" && !isJson) {
    throw new SyntaxError("Cannot read the body: send application/json");
  }
  return body === "" ? undefined : JSON.parse(body);
}

function problem(status: number, message: string): WireAnswer {
  return jsonAnswer(status, { error: message });
}
