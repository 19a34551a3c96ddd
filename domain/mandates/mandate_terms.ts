import { DAY_MS } from "../day.ts";
import { MAX_BID_CENTS, MAX_MANDATE_DAYS, MIN_BID_CENTS } from "../limits.ts";
import type { Mandate } from "../oauth/grant.ts";
import { refuse } from "../refusal.ts";

/**
 * Stops unless a user may approve these terms at this moment.
 *
 * @throws {Refused} `invalid_input`
 */
export function checkMandateTerms(mandate: Mandate, nowMs: number): void {
  checkCents("max_bid_cents", mandate.maxBidCents);
  checkCents("daily_cap_cents", mandate.dailyCapCents);
  if (mandate.totalCapCents !== undefined) {
    checkCents("total_cap_cents", mandate.totalCapCents);
  }
  const { validUntilMs } = mandate;
  const latestMs = nowMs + MAX_MANDATE_DAYS * DAY_MS;
  if (
    Number.isSafeInteger(validUntilMs) && validUntilMs > nowMs &&
    validUntilMs <= latestMs
  ) return;
  refuse({
    code: "invalid_input",
    message: `Cannot approve the mandate: valid_until must lie in the next ` +
      `${MAX_MANDATE_DAYS} days`,
  });
}

function checkCents(name: string, cents: number): void {
  const { isSafeInteger } = Number;
  if (
    isSafeInteger(cents) && cents >= MIN_BID_CENTS && cents <= MAX_BID_CENTS
  ) return;
  refuse({
    code: "invalid_input",
    message: `Cannot approve the mandate: ${name} must be an integer from ` +
      `${MIN_BID_CENTS} to ${MAX_BID_CENTS}, current value is ${cents}`,
  });
}
