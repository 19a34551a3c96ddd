import type { Services } from "../ports.ts";
import { withStore } from "../with_store.ts";

/** Runs work when it is its turn. */
export type InTurn = <T>(work: () => Promise<T>) => Promise<T>;

/** Whose turns transactions take. */
export interface Turns {
  /** To read for the first time; it is over when that has been read. */
  first: InTurn;
  /** To try again, which lasts until the end. */
  again: InTurn;
}

/**
 * The same services, whose transactions read in turn, since what is refused would
 * cost the store a read all the same, and run again in turn once they have lost a
 * race: done at the same time over and over, all but one would be for nothing.
 * None has both turns at once, so that neither turn waits for the other.
 */
export function transactInTurn(
  services: Services,
  { first, again }: Turns,
): Services {
  const { store } = services;
  return withStore(services, {
    async transact(verb) {
      const read = Promise.withResolvers<void>();
      const ended = Promise.withResolvers<void>();
      let attempts = 0;
      await turnUntil(read.promise, first);
      try {
        return await store.transact(async (tx) => {
          attempts += 1;
          if (attempts === 2) await turnUntil(ended.promise, again);
          try {
            return await verb(tx);
          } finally {
            read.resolve();
          }
        });
      } finally {
        read.resolve();
        ended.resolve();
      }
    },
  });
}

/** Resolves when the turn begins, which lasts until then. */
export function turnUntil(
  ended: Promise<void>,
  inTurn: InTurn,
): Promise<void> {
  return new Promise((begin, refuse) => {
    inTurn(() => {
      begin();
      return ended;
    }).catch(refuse);
  });
}
