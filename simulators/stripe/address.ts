/**
 * Postal addresses and billing details as parameters.
 *
 * @module
 */

import type { Address, BillingDetails } from "./objects.ts";
import { emptyable, nested, type Read, type Rule, text } from "./params.ts";

const LINE = emptyable(text(500));

const SHAPE = {
  city: LINE,
  country: LINE,
  line1: LINE,
  line2: LINE,
  postal_code: LINE,
  state: LINE,
};

/** Reads an address; members not sent are `null`. */
export function address(): Rule<Address | null> {
  const whole = nested(SHAPE);
  return emptyable({
    read(value, name) {
      const given: Read<typeof SHAPE> = whole.read(value, name);
      return {
        city: given.city ?? null,
        country: given.country ?? null,
        line1: given.line1 ?? null,
        line2: given.line2 ?? null,
        postal_code: given.postal_code ?? null,
        state: given.state ?? null,
      };
    },
  });
}

const BILLING_SHAPE = {
  address: address(),
  email: LINE,
  name: LINE,
  phone: LINE,
  tax_id: LINE,
};

/** Reads billing details; members not sent are `null`. */
export function billingDetails(): Rule<BillingDetails> {
  const whole = nested(BILLING_SHAPE);
  return {
    read(value, name) {
      const given = whole.read(value, name);
      return {
        address: given.address ?? null,
        email: given.email ?? null,
        name: given.name ?? null,
        phone: given.phone ?? null,
        tax_id: given.tax_id ?? null,
      };
    },
  };
}
