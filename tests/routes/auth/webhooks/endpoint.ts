import type { Services } from "../../../../domain/ports.ts";
import type { EventPump } from "../../../../domain/webhooks/event_pump.ts";
import type { WebhookHandler } from "../../../../domain/webhooks/handlers.ts";
import { createWebhookVerifier } from "../../../../adapters/stripe/webhook_verifier.ts";
import { webhookSurface } from "../../../../routes/auth/webhooks/webhook_surface.ts";
import { renderPublic } from "../../../../routes/errors/public_surface.ts";
import { routeTable } from "../../../../routes/route_table.ts";
import { askHost, bindings } from "../../../support/bindings.ts";
import { signatureOf } from "../../../support/stripe_event.ts";

/** The endpoint's secrets: the new one, and the old one that still signs. */
export const SECRETS = ["whsec_new_of_the_test", "whsec_old_of_the_test"];

/** How a delivery is sent; signed at this moment with the first secret. */
export interface Delivery {
  secret?: string;
  /** When it was signed, seconds from now. */
  signedS?: number;
  /** Instead of the signature; null sends none. */
  signature?: string | null;
  /** What is sent instead of what was signed. */
  sent?: BodyInit;
}

/** The address of the processor's notifications, asked without a network. */
export interface Endpoint {
  /** Signs a body and posts it. */
  deliver(body: string, delivery?: Delivery): Promise<Response>;
  ask(path: string, init?: RequestInit): Promise<Response>;
}

/** The real route over services. */
export function openEndpoint(
  services: Services,
  handlers: readonly WebhookHandler[],
  pump: Pick<EventPump, "offer">,
): Endpoint {
  const { clock, log, settings } = services;
  const host = routeTable({ settings, log }, [
    webhookSurface({
      services,
      verifier: createWebhookVerifier({
        secrets: SECRETS,
        nowMs: () => clock.now(),
      }),
      reception: { handlers, livemode: false },
      pump,
    }),
    { prefix: "", routes: [], answers: { refused: renderPublic } },
  ]);
  const ask: Endpoint["ask"] = (path, init) =>
    askHost(host, `${settings.authUrl}${path}`, init, bindings());
  return {
    ask,
    async deliver(body, delivery = {}) {
      const { secret = SECRETS[0] ?? "", signedS = 0, sent = body } = delivery;
      const atMs = clock.now() + signedS * 1_000;
      const signature = delivery.signature === undefined
        ? await signatureOf(body, secret, atMs)
        : delivery.signature;
      const headers = new Headers({ "content-type": "application/json" });
      if (signature !== null) headers.set("stripe-signature", signature);
      return await ask("/webhooks/stripe", {
        method: "POST",
        headers,
        body: sent,
      });
    },
  };
}
