/** What is known of the stores of a life beside the last one. */
export interface Losses {
  /** Stores that were lost so far. */
  lost: number;
  isOnHold: boolean;
  /** Accounts that a lost store had erased. */
  erased: Set<string>;
  /** Names of what the operator took note of. */
  noted: Set<string>;
}
