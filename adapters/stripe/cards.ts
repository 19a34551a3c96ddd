import type Stripe from "stripe";
import type {
  CardProcessor,
  CardSetup,
  SetupIntent,
} from "../../domain/payments/processor_cards.ts";
import { toCard } from "./customers.ts";
import { oneOf } from "./one_of.ts";
import { outcomeOf } from "./outcome.ts";
import { idOrNull, pageByPage } from "./pages.ts";

const SETUP_STATUSES = ["open", "complete", "expired"] as const;
const INTENT_STATUSES = [
  "requires_payment_method",
  "requires_confirmation",
  "requires_action",
  "processing",
  "canceled",
  "succeeded",
] as const;

/** Saved cards behind the domain's port. */
export function cardCalls(stripe: Stripe): CardProcessor {
  return {
    createCardSetup: (input, idempotencyKey) =>
      outcomeOf(() => createSetup(stripe, input, idempotencyKey)),
    retrieveCardSetup: (id) =>
      outcomeOf(() => stripe.checkout.sessions.retrieve(id), toSetup),
    retrieveSetupIntent: (id) =>
      outcomeOf(() =>
        stripe.setupIntents.retrieve(id, {
          expand: ["payment_method"],
        }), toIntent),
    listCards: (customer) =>
      outcomeOf(() =>
        // A part of them would be taken for all.
        Array.fromAsync(
          pageByPage(
            (page) =>
              stripe.paymentMethods.list({ ...page, customer, type: "card" }),
            "More cards than can be read",
          ),
          toCard,
        )
      ),
    detachCard: (id, idempotencyKey) => detach(stripe, id, idempotencyKey),
    createBillingPortal: ({ customerId, returnUrl }, idempotencyKey) =>
      outcomeOf(async () => {
        const { url } = await stripe.billingPortal.sessions.create({
          customer: customerId,
          return_url: returnUrl,
        }, { idempotencyKey });
        return { url };
      }),
  };
}

/** Cards alone: nothing else can be charged at the end of a day. */
async function createSetup(
  { checkout }: Stripe,
  input: Parameters<CardProcessor["createCardSetup"]>[0],
  idempotencyKey: string,
): Promise<{ id: string; url: string; expiresAtMs: number }> {
  const { id, url, expires_at } = await checkout.sessions.create({
    mode: "setup",
    allowed_payment_method_types: ["card"],
    customer: input.customerId,
    client_reference_id: input.accountId,
    setup_intent_data: { metadata: { account_id: input.accountId } },
    success_url: input.successUrl,
    cancel_url: input.cancelUrl,
  }, { idempotencyKey });
  if (url === null) throw new TypeError(`${id} has no page`);
  return { id, url, expiresAtMs: expires_at * 1_000 };
}

/**
 * A refusal may come because the card is detached already, after a lost answer
 * or by the payer's own hand.
 */
async function detach(
  { paymentMethods }: Stripe,
  id: string,
  idempotencyKey: string,
): ReturnType<CardProcessor["detachCard"]> {
  const asked = await outcomeOf(async () => {
    await paymentMethods.detach(id, {}, { idempotencyKey });
    return { id };
  });
  if (asked.ok || asked.code === "resource_missing") return asked;
  const now = await outcomeOf(() => paymentMethods.retrieve(id));
  const isDetached = now.ok && now.value.customer === null;
  return isDetached ? { ok: true, value: { id } } : asked;
}

function toSetup(session: Stripe.Checkout.Session): CardSetup {
  return {
    id: session.id,
    status: oneOf(SETUP_STATUSES, session.status),
    setupIntentId: idOrNull(session.setup_intent),
  };
}

function toIntent(intent: Stripe.SetupIntent): SetupIntent {
  const method = intent.payment_method;
  const isCard = typeof method === "object" && method?.type === "card";
  return {
    id: intent.id,
    status: oneOf(INTENT_STATUSES, intent.status),
    accountId: intent.metadata?.["account_id"] ?? null,
    customerId: idOrNull(intent.customer),
    card: isCard ? toCard(method) : null,
  };
}
