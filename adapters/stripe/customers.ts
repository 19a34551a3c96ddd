import type Stripe from "stripe";
import type {
  CustomerDetails,
  CustomerProcessor,
} from "../../domain/payments/processor.ts";
import type { ProcessorCard } from "../../domain/payments/processor_cards.ts";
import { outcomeOf } from "./outcome.ts";
import { PAGE_MAX } from "./pages.ts";

/** Tax ids a customer may have at the processor. */
const TAX_IDS_MAX = 5;

/** Customers and their saved cards behind the domain's port. */
export function customerCalls(stripe: Stripe): CustomerProcessor {
  return {
    createCustomer: (details, idempotencyKey) =>
      outcomeOf(async () => {
        const { id } = await stripe.customers.create(
          { ...customerParams(details), ...taxIdParams(details) },
          { idempotencyKey },
        );
        return { id };
      }),
    updateCustomer: (customerId, details, idempotencyKey) =>
      outcomeOf(async () => {
        const { id } = await stripe.customers.update(
          customerId,
          customerParams(details),
          { idempotencyKey },
        );
        await replaceTaxId(stripe, id, details.vatId, idempotencyKey);
        return { id };
      }),
    listCustomers: (accountId, cursor, limit) =>
      outcomeOf(
        () =>
          stripe.customers.search({
            query: `metadata["account_id"]:${JSON.stringify(accountId)}`,
            limit: Math.min(limit, PAGE_MAX),
            ...cursor !== null && { page: cursor },
          }),
        ({ data, next_page }) => ({
          items: data.map(({ id }) => ({ id })),
          nextCursor: next_page,
        }),
      ),
    deleteCustomer: (customerId, idempotencyKey) =>
      outcomeOf(async () => {
        const { id } = await stripe.customers.del(customerId, undefined, {
          idempotencyKey,
        });
        return { id };
      }),
    attachCard: (customer, paymentMethodId, idempotencyKey) =>
      outcomeOf(
        () =>
          stripe.paymentMethods.attach(paymentMethodId, { customer }, {
            idempotencyKey,
          }),
        toCard,
      ),
  };
}

function customerParams(
  details: CustomerDetails,
): Stripe.CustomerUpdateParams {
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
    metadata: { account_id: details.accountId },
  };
}

function taxIdParams(
  { vatId }: CustomerDetails,
): Pick<Stripe.CustomerCreateParams, "tax_id_data"> {
  if (vatId === null) return {};
  return { tax_id_data: [{ type: "eu_vat", value: vatId }] };
}

/** Leaves the customer with this tax id and no other. */
async function replaceTaxId(
  stripe: Stripe,
  customerId: string,
  vatId: string | null,
  idempotencyKey: string,
): Promise<void> {
  const { data } = await stripe.customers.listTaxIds(customerId, {
    limit: TAX_IDS_MAX,
  });
  for (const { id, value } of data) {
    if (value !== vatId) await stripe.customers.deleteTaxId(customerId, id);
  }
  if (vatId === null || data.some(({ value }) => value === vatId)) return;
  await stripe.customers.createTaxId(
    customerId,
    { type: "eu_vat", value: vatId },
    { idempotencyKey: `${idempotencyKey}:tax_id` },
  );
}

/** A card as the domain sees it. */
export function toCard(method: Stripe.PaymentMethod): ProcessorCard {
  return {
    id: method.id,
    brand: method.card?.brand ?? "card",
    last4: method.card?.last4 ?? "0000",
    expMonth: method.card?.exp_month ?? 0,
    expYear: method.card?.exp_year ?? 0,
    fingerprint: method.card?.fingerprint ?? null,
  };
}
