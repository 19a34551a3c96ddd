import type { Services } from "../ports.ts";

/** Runs work when it is its turn. */
export type InTurn = (work: () => Promise<void>) => Promise<void>;

/**
 * The same services, whose transactions run again in turn once they have lost a
 * race: done at the same time over and over, all but one would be for nothing.
 * Whoever races with nobody waits for nobody.
 */
export function retryInTurn(services: Services, inTurn: InTurn): Services {
  const { store } = services;
  return {
    ...services,
    store: {
      ...store,
      async transact(verb) {
        const { promise: ended, resolve: end } = Promise.withResolvers<void>();
        let attempts = 0;
        try {
          return await store.transact(async (tx) => {
            attempts += 1;
            if (attempts === 2) await turnUntil(ended, inTurn);
            return await verb(tx);
          });
        } finally {
          end();
        }
      },
    },
  };
}

/** Resolves when the turn begins, which lasts until then. */
function turnUntil(ended: Promise<void>, inTurn: InTurn): Promise<void> {
  return new Promise((begin, refuse) => {
    inTurn(() => {
      begin();
      return ended;
    }).catch(refuse);
  });
}
