import type { StartTimer } from "../ports.ts";

/** Waits for work to end, so long at most; the work itself goes on. */
export async function waitAtMost(
  work: Promise<unknown>,
  ms: number,
  startTimer: StartTimer,
): Promise<void> {
  const { promise: over, resolve } = Promise.withResolvers<void>();
  const cancel = startTimer(resolve, ms);
  await Promise.race([work, over]);
  cancel();
}
