import type { z } from "zod";

/** Problems of one body that are told; who mends these is told the rest. */
const ISSUES_TOLD = 10;
/** Unknown members that are repeated to who sent them, and how much of each. */
const KEYS_TOLD = 5;
const KEY_MAX = 64;

/**
 * All that is wrong with a body or query in one sentence, so that nobody has to
 * mend and send it once for each fault.
 *
 * @param say what is said of one, without a full stop
 */
export function everyIssue(
  issues: readonly z.core.$ZodIssue[],
  say: (issue: z.core.$ZodIssue) => string,
): string {
  const said = new Set(issues.slice(0, ISSUES_TOLD).map(say));
  return [...said].join("; ");
}

/** The members that nobody asked for, as an answer repeats them. */
export function unknownKeys(
  { keys }: z.core.$ZodIssueUnrecognizedKeys,
): string {
  return keys.slice(0, KEYS_TOLD)
    .map((key) => JSON.stringify(key.slice(0, KEY_MAX))).join(", ");
}
