import type { Services } from "../../../domain/ports.ts";
import { refuse } from "../../../domain/refusal.ts";
import type { EventPump } from "../../../domain/webhooks/event_pump.ts";
import {
  receiveEvent,
  type Reception,
} from "../../../domain/webhooks/receive_event.ts";
import type {
  RejectionReason,
  VerifiedEvent,
  WebhookVerifier,
} from "../../../domain/webhooks/verifier.ts";
import { publicProblem } from "../../errors/public_problem.ts";
import { renderPublic } from "../../errors/public_surface.ts";
import { readBody } from "../../http/body.ts";
import { route, type RouteContext, type Surface } from "../../route_table.ts";
import { respondJson } from "../../http/respond.ts";

/** What the surface is made with. */
export interface WebhookParts {
  services: Services;
  verifier: WebhookVerifier;
  reception: Reception;
  /** Looks into what was stored, at once. */
  pump: Pick<EventPump, "offer">;
}

/** Many times what the processor sends; a longer body is read no further. */
export const WEBHOOK_BODY_MAX_BYTES = 256 * 1024;

/**
 * Where the processor's notifications arrive (contract §10.1).
 * It costs no token of any bucket: only the signature lets anyone in. The
 * answer is given as soon as the event is stored, before anything comes of it.
 */
export function webhookSurface(parts: WebhookParts): Surface {
  return {
    prefix: "/webhooks",
    routes: [
      route("POST", "/webhooks/stripe", (context) => receive(parts, context)),
    ],
    answers: { refused: renderPublic },
  };
}

async function receive(
  parts: WebhookParts,
  context: RouteContext,
): Promise<Response> {
  const body = await readBody(context, WEBHOOK_BODY_MAX_BYTES);
  if (body === "too_long") return tooLong(parts, context);
  if (body === "cut_off") {
    invalid("the body must arrive whole");
  }
  const event = await verified(parts, context, body);
  const { services, reception, pump } = parts;
  const stored = await receiveEvent(services, reception, event);
  if (stored !== null) pump.offer(stored);
  return respondJson({ received: true }, {
    headers: { "cache-control": "no-store" },
  });
}

async function verified(
  { services, verifier }: WebhookParts,
  context: RouteContext,
  body: Uint8Array,
): Promise<VerifiedEvent> {
  const signature = context.req.header("stripe-signature") ?? null;
  const verification = await verifier.verify(body, signature);
  if (verification.ok) return verification.event;
  const { reason } = verification;
  services.log.info("webhook.refused", { reason });
  invalid(WANTED[reason]);
}

/** What each kind of refusal would have wanted instead. */
const WANTED: Readonly<Record<RejectionReason, string>> = {
  signature_missing:
    "the header Stripe-Signature must hold one timestamp and a signature",
  signature_wrong:
    "the signature must be that of these very bytes under the endpoint's secret",
  too_old: "it must have been signed no longer than 300 seconds ago",
  too_new: "it must not have been signed at a moment that is still to come",
  unreadable: "the body must be a snapshot event in JSON",
};

function invalid(wanted: string): never {
  refuse({
    code: "invalid_input",
    message: `Cannot take the notification: ${wanted}`,
  });
}

function tooLong(
  { services }: WebhookParts,
  context: RouteContext,
): Response {
  const answerContext = {
    settings: services.settings,
    requestId: context.env.trace.requestId,
    headers: context.get("rateHeaders"),
  };
  return publicProblem({
    slug: "content-too-large",
    status: 413,
    detail: "Cannot take the notification: the body must be of " +
      `${WEBHOOK_BODY_MAX_BYTES} bytes at most`,
  }, answerContext);
}
