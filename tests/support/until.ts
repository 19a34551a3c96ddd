/** Between two looks: some of them cost a token of a bucket. */
const PAUSE_MS = 100;

/**
 * Waits until something is so, however slow the machine is. What never becomes
 * so ends with the test's time limit, by the test's name (`tools/overdue.ts`).
 */
export async function until(
  isSo: () => boolean | Promise<boolean>,
): Promise<void> {
  while (!await isSo()) {
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}
