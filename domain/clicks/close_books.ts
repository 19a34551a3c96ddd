import type { Services } from "../ports.ts";

/**
 * Closes the figures that are final by now: from this commit on no booking
 * changes them, not even one that was sent before it. A repeat changes nothing.
 *
 * @throws {Contention} when the store is too busy
 */
export async function closeBooks(
  { store, clock }: Pick<Services, "store" | "clock">,
): Promise<void> {
  await store.transact(async (tx) => {
    const closedThroughMs = clock.now();
    const books = await tx.clickBooks.find();
    if (books !== null && books.closedThroughMs >= closedThroughMs) return;
    tx.clickBooks.save({ closedThroughMs });
  });
}
