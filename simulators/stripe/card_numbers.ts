/**
 * Test cards by the number a person types.
 *
 * @module
 */

/** A number that stands for no test card, and why. */
export type NumberRefusal = "incorrect_number" | "test_mode_live_card";

/** Documented numbers and the test card behind each. */
const NUMBERS: Record<string, string> = {
  "4242424242424242": "visa",
  "4000056655665556": "visa_debit",
  "5555555555554444": "mastercard",
  "371449635398431": "amex",
  "378282246310005": "amex",
  "4000000400000008": "at",
  "4000002760000016": "de",
  "4000002500000003": "fr",
  "4000008260000000": "gb",
  "4000003800000008": "it",
  "4000006160000005": "pl",
  "4000007240000007": "es",
  "4000002500003155": "authenticationRequiredOnSetup",
  "4000002760003184": "authenticationRequired",
  "4000000000003220": "threeDSecure2Required",
  "4000000000000341": "chargeCustomerFail",
  "4000000000000002": "chargeDeclined",
  "4000000000009995": "chargeDeclinedInsufficientFunds",
  "4000000000009987": "chargeDeclinedLostCard",
  "4000000000009979": "chargeDeclinedStolenCard",
  "4100000000000019": "chargeDeclinedFraudulent",
  "4000000000000069": "chargeDeclinedExpiredCard",
  "4000000000000127": "chargeDeclinedIncorrectCvc",
  "4000000000000119": "chargeDeclinedProcessingError",
  "4000000000000259": "createDispute",
  "4000000000001976": "createDisputeInquiry",
  "4000000000002685": "createDisputeProductNotReceived",
};

/**
 * The test card of a number, however it is spaced.
 *
 * @returns its name, or why the number is of no use
 */
export function cardByNumber(
  typed: string,
): { card: string } | { refusal: NumberRefusal } {
  const number = typed.replace(/[\s-]/g, "");
  const card = NUMBERS[number];
  if (card !== undefined) return { card };
  const isNumber = /^\d{12,19}$/.test(number) && hasCheckDigit(number);
  return { refusal: isNumber ? "test_mode_live_card" : "incorrect_number" };
}

/** Luhn's check over all digits. */
function hasCheckDigit(number: string): boolean {
  let sum = 0;
  for (const [at, digit] of [...number].reverse().entries()) {
    const value = Number(digit) * (at % 2 === 0 ? 1 : 2);
    sum += value > 9 ? value - 9 : value;
  }
  return sum % 10 === 0;
}
