/** Where an account is among those about which something waits for an operator. */
export interface CasePlace {
  sinceMs: number;
  accountId: string;
}
