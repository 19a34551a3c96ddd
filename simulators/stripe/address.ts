/**
 * Postal addresses as parameters.
 *
 * @module
 */

import type { Address } from "./objects.ts";
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
