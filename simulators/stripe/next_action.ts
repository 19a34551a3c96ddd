/**
 * What a payer must do before a payment or a set-up goes on.
 *
 * @module
 */

import type { Call } from "./call.ts";
import type { NextAction } from "./objects.ts";

/**
 * Sends the payer to his bank.
 *
 * @param intentId what waits for it
 * @param returnUrl where the payer comes back to; null in the SDK's own frame
 */
export function nextAction(
  { setting }: Call,
  intentId: string,
  returnUrl: string | null,
): NextAction {
  const url = `${setting.baseUrl}/authenticate/${intentId}`;
  return returnUrl === null
    ? {
      type: "use_stripe_sdk",
      use_stripe_sdk: { type: "three_d_secure_redirect", stripe_js: url },
    }
    : {
      type: "redirect_to_url",
      redirect_to_url: { return_url: returnUrl, url },
    };
}
