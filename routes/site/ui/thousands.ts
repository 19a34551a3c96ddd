/** Digits in groups of three: `1,250`. No safe integer has more than six. */
export function thousands(digits: string): string {
  return digits.replace(/\B(?=(?:\d{3}){1,5}$)/g, ",");
}
