import type Stripe from "stripe";
import type {
  CustomerDetails,
  Processor,
  ProcessorCard,
} from "../domain/payments/processor.ts";
import { outcomeOf } from "./outcome.ts";

type CustomerCalls = Pick<Processor, "createCustomer" | "attachCard">;

/** Customers and their saved cards behind the domain's port. */
export function customerCalls(stripe: Stripe): CustomerCalls {
  return {
    createCustomer: (details, idempotencyKey) =>
      outcomeOf(async () => {
        const { id } = await stripe.customers.create(
          customerParams(details),
          { idempotencyKey },
        );
        return { id };
      }),
    attachCard: (customer, paymentMethodId, idempotencyKey) =>
      outcomeOf(async () =>
        toCard(
          await stripe.paymentMethods.attach(paymentMethodId, { customer }, {
            idempotencyKey,
          }),
        )
      ),
  };
}

function customerParams(
  details: CustomerDetails,
): Stripe.CustomerCreateParams {
  return {
    email: details.email,
    name: details.name,
    address: {
      line1: details.line1,
      city: details.city,
      postal_code: details.postalCode,
      country: details.country,
    },
    tax_exempt: details.reverseCharge ? "reverse" : "none",
    ...(details.vatId === null
      ? {}
      : { tax_id_data: [{ type: "eu_vat", value: details.vatId }] }),
    metadata: { account_id: details.accountId },
  };
}

function toCard(method: Stripe.PaymentMethod): ProcessorCard {
  return {
    id: method.id,
    brand: method.card?.brand ?? "card",
    last4: method.card?.last4 ?? "0000",
    expMonth: method.card?.exp_month ?? 0,
    expYear: method.card?.exp_year ?? 0,
  };
}
