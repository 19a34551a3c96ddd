import { ProcessorUncertain } from "../failure.ts";

/**
 * Does the work for each, whatever the processor says of another of them: none
 * waits for what it does not do.
 *
 * @throws {ProcessorUncertain} once all had their turn, what the first came to in
 *   vain; anything else at once
 */
export async function eachInTurn<T>(
  items: Iterable<T>,
  work: (item: T) => Promise<void>,
): Promise<void> {
  let first: ProcessorUncertain | null = null;
  for (const item of items) {
    try {
      await work(item);
    } catch (thrown) {
      if (!(thrown instanceof ProcessorUncertain)) throw thrown;
      first ??= thrown;
    }
  }
  if (first !== null) throw first;
}
