/**
 * The `Stripe-Signature` header of a webhook.
 *
 * @module
 */

import { createHmac } from "node:crypto";

/**
 * Signs a payload: `t=<epoch seconds>,v1=<hex HMAC-SHA256 of "t.payload">`.
 *
 * @param secret the endpoint's secret, `whsec_…`
 */
export function signPayload(
  payload: string,
  secret: string,
  nowSeconds: number,
): string {
  const mac = createHmac("sha256", secret)
    .update(`${nowSeconds}.${payload}`).digest("hex");
  return `t=${nowSeconds},v1=${mac}`;
}
