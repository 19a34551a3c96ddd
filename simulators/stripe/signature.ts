/**
 * The `Stripe-Signature` header of a webhook.
 *
 * @module
 */

import { createHmac } from "node:crypto";

/**
 * Signs a payload: `t=<epoch seconds>,v1=<hex HMAC-SHA256 of "t.payload">`,
 * with one `v1` a secret while an endpoint's secret is being changed.
 *
 * @param secrets the endpoint's secrets, `whsec_…`
 */
export function signPayload(
  payload: string,
  secrets: readonly string[],
  nowSeconds: number,
): string {
  const macs = secrets.map((secret) => {
    const mac = createHmac("sha256", secret).update(`${nowSeconds}.${payload}`);
    return `v1=${mac.digest("hex")}`;
  });
  return [`t=${nowSeconds}`, ...macs].join(",");
}
