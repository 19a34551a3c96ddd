import type Stripe from "stripe";
import type { ContainedVat } from "../../domain/payments/processor.ts";

/** Most rates read to find one that is there already. */
const RATES_LOOKED_AT = 100;

/** The tax in an amount, over all rates; cents. */
export function taxCentsOf(taxes: { amount: number }[] | null): number {
  return (taxes ?? []).reduce((sum, { amount }) => sum + amount, 0);
}

/**
 * The processor's name of a rate, made when it is not there yet. A rate is never
 * changed there: another percentage is another rate.
 *
 * @returns its id
 */
export async function taxRateOf(
  { taxRates }: Stripe,
  { country, rate }: ContainedVat,
): Promise<string> {
  const percentage = rate / 100;
  const { data } = await taxRates.list({
    active: true,
    inclusive: true,
    limit: RATES_LOOKED_AT,
  });
  const found = data.find((each) =>
    each.country === country && each.percentage === percentage &&
    each.tax_type === "vat"
  );
  if (found !== undefined) return found.id;
  const made = await taxRates.create({
    display_name: "VAT",
    country,
    inclusive: true,
    percentage,
    tax_type: "vat",
  }, { idempotencyKey: `tax_rate:${country}:${rate}` });
  return made.id;
}
