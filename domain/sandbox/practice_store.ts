import type { Bid } from "../bids/bid.ts";
import type { IdempotencyRecord } from "../idempotency/record.ts";
import type { MandateUse } from "../oauth/grant.ts";
import type { Auction } from "../auction/auction.ts";
import type { Store, Transaction } from "../ports.ts";

/** The record of a family that is there before anything was changed. */
export type Beginning = (family: string, id: readonly unknown[]) => unknown;

/** Names a record of a rehearsal. */
interface PracticeRef {
  family: string;
  id: readonly unknown[];
}

/** What is kept of the families that rehearsed operations change. */
const IDS: Readonly<Record<string, (record: never) => readonly unknown[]>> = {
  auctions: ({ day }: Auction) => [day],
  bids: ({ day, accountId }: Bid) => [day, accountId],
  mandateUses: ({ grantId, day }: MandateUse) => [grantId, day],
  idempotency: ({ owner, operation, key }: IdempotencyRecord) => [
    owner,
    operation,
    key,
  ],
};

/** The text by which a record of a rehearsal is kept. */
function keyOf({ family, id }: PracticeRef): string {
  return JSON.stringify([family, ...id]);
}

/** Whether a key is that of an answer that is kept for repeats. */
export function isKeptAnswer(key: string): boolean {
  return key.startsWith('["idempotency",');
}

/**
 * A store that holds one rehearsal and nothing else, for the very verbs that
 * agents call. Of a family that no rehearsal has there is nothing, and what is
 * written to it is forgotten: no verb reaches the real store from here.
 */
export function practiceStore(
  rows: Map<string, unknown>,
  beginning: Beginning,
): Store {
  const read = (ref: PracticeRef): unknown =>
    rows.get(keyOf(ref)) ?? beginning(ref.family, ref.id) ?? null;

  function placeOf(bidId: unknown): unknown {
    return [...rows.values()].map((row) => row as Partial<Bid>)
      .filter(({ id }) => id === bidId)
      .map(({ day, accountId }) => ({ bidId, day, accountId }))[0] ?? null;
  }

  function tableOf(family: string) {
    const ref = (...id: unknown[]): PracticeRef => ({ family, id });
    const find = (...id: unknown[]) =>
      family === "bidPlaces" ? placeOf(id[0]) : read(ref(...id));
    return {
      ref,
      find: (...id: unknown[]) => Promise.resolve(find(...id)),
      save(record: never) {
        const id = IDS[family]?.(record);
        if (id !== undefined) rows.set(keyOf(ref(...id)), record);
      },
      remove() {},
      add(count: number, ...id: unknown[]) {
        rows.set(keyOf(ref(...id)), Number(find(...id)) + count);
      },
    };
  }

  const calls = {
    getMany: (refs: readonly PracticeRef[]) => Promise.resolve(refs.map(read)),
    transact: async <T>(run: (tx: Transaction) => T | Promise<T>) =>
      await run(store as unknown as Transaction),
    noteChange() {},
  };
  const store = new Proxy(calls, {
    get: (target, name) => Reflect.get(target, name) ?? tableOf(String(name)),
  });
  return store as unknown as Store;
}
