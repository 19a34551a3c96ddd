/** The tax in an amount, over all rates; cents. */
export function taxCentsOf(taxes: { amount: number }[] | null): number {
  return (taxes ?? []).reduce((sum, { amount }) => sum + amount, 0);
}
