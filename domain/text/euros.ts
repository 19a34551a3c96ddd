/** Cents as a form's field holds them: `1250.00`. */
export function typedEuros(cents: number): string {
  const fraction = String(cents % 100).padStart(2, "0");
  return `${Math.trunc(cents / 100)}.${fraction}`;
}

/** Cents as pages and mails show them: `EUR 1,250.00`. */
export function showEuros(cents: number): string {
  return `EUR ${showAmount(cents)}`;
}

/** Cents that may be negative: `−EUR 12.50`. */
export function signedEuros(cents: number): string {
  return cents < 0 ? `\u2212${showEuros(-cents)}` : showEuros(cents);
}

/** The same where the currency is said already, as at the head of a table. */
export function showAmount(cents: number): string {
  const [whole = "", fraction = ""] = typedEuros(cents).split(".");
  return `${thousands(whole)}.${fraction}`;
}

/** Digits in groups of three: `1,250`. No safe integer has more than six. */
export function thousands(digits: string): string {
  return digits.replace(/\B(?=(?:\d{3}){1,5}$)/g, ",");
}
