/** What clients may be told of a tool's effects: all four, always. */
export interface Effects {
  readOnlyHint: boolean;
  destructiveHint: boolean;
  idempotentHint: boolean;
  openWorldHint: boolean;
}

/** Reads what is here, and changes nothing anywhere. */
export const READS: Effects = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

/** Adds or changes something; doing it again changes nothing more. */
export const CHANGES: Effects = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

/** Spends or takes away, which can't be undone; again, nothing more. */
export const DESTROYS: Effects = { ...CHANGES, destructiveHint: true };
