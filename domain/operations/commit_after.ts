import type { Services } from "../ports.ts";
import { withStore } from "../with_store.ts";

/**
 * The same services, whose transactions read at once and commit only when they
 * are allowed to. What does not allow it is thrown by the transaction.
 */
export function commitAfter(
  services: Services,
  allowed: Promise<unknown>,
): Services {
  const { store } = services;
  return withStore(services, {
    transact: (verb) =>
      store.transact(async (tx) => {
        const result = await verb(tx);
        await allowed;
        return result;
      }),
  });
}
