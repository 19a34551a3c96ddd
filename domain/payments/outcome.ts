import { ProcessorUncertain } from "../failure.ts";

/** A call's definite answer. */
export type Outcome<T> =
  | { ok: true; value: T }
  | { ok: false; code: string; message: string };

/** What a call answers; null when the processor gave no definite answer. */
export async function unlessUncertain<T>(
  call: () => Promise<T>,
): Promise<T | null> {
  try {
    return await call();
  } catch (error) {
    if (error instanceof ProcessorUncertain) return null;
    throw error;
  }
}

/**
 * The value of a call about an object that the processor should know: when it
 * says no, nothing is known of the object yet.
 *
 * @throws {ProcessorUncertain}
 */
export function certainValue<T>(outcome: Outcome<T>): T {
  if (outcome.ok) return outcome.value;
  throw new ProcessorUncertain(`The processor refused: ${outcome.code}`);
}

/** A span of time, epoch ms, both ends included. */
export interface TimeSpan {
  from: number;
  until: number;
}

/** A part of a list; null ends it. */
export interface Page<T> {
  items: T[];
  nextCursor: string | null;
}
