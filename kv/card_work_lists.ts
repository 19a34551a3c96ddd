import { type CardRemoval, isUnderWay } from "../domain/cards/card_removal.ts";
import type { Wallet } from "../domain/cards/wallet.ts";
import type { IdentityCheck } from "../domain/identity/identity_check.ts";
import type { ListOptions, Store } from "../domain/ports.ts";
import { collect, follow, type ListContext } from "./collect.ts";
import { ends, keys, prefixes } from "./keys.ts";

/** The lists of what is to be done about cards and identities. */
export type CardWorkLists = Pick<
  Store,
  | "listDueWallets"
  | "listDueCardWarnings"
  | "listDueCardRemovals"
  | "listDueIdentityChecks"
>;

/** What is due, by index rows that may be behind their records. */
export function cardWorkLists(context: ListContext): CardWorkLists {
  const due = async <T, Row>(
    range: { prefix: readonly string[]; end: readonly Deno.KvKeyPart[] },
    keyOf: (row: Row) => Deno.KvKey,
    isDue: (record: T) => boolean,
    options: ListOptions,
  ): Promise<T[]> => {
    const selector = { prefix: [...range.prefix], end: [...range.end] };
    const rows = await collect<Row>(context, selector, options);
    const records = await follow<T>(context, rows.map(keyOf));
    return records.filter(isDue);
  };
  const walletKey = (row: { accountId: string }) => keys.wallet(row.accountId);
  return {
    listDueWallets: (nowMs, options) =>
      due<Wallet, { accountId: string }>(
        { prefix: prefixes.dueWallets, end: ends.walletsDueAt(nowMs) },
        walletKey,
        ({ syncDueAtMs }) => isPast(syncDueAtMs, nowMs),
        options,
      ),
    listDueCardWarnings: (nowMs, options) =>
      due<Wallet, { accountId: string }>(
        {
          prefix: prefixes.dueCardWarnings,
          end: ends.cardWarningsDueAt(nowMs),
        },
        walletKey,
        ({ warnDueAtMs }) => isPast(warnDueAtMs, nowMs),
        options,
      ),
    listDueCardRemovals: (nowMs, options) =>
      due<CardRemoval, { paymentMethodId: string }>(
        {
          prefix: prefixes.dueCardRemovals,
          end: ends.cardRemovalsDueAt(nowMs),
        },
        ({ paymentMethodId }) => keys.cardRemoval(paymentMethodId),
        (removal) => isUnderWay(removal) && removal.dueAtMs <= nowMs,
        options,
      ),
    listDueIdentityChecks: (nowMs, options) =>
      due<IdentityCheck, { accountId: string }>(
        {
          prefix: prefixes.dueIdentityChecks,
          end: ends.identityChecksDueAt(nowMs),
        },
        ({ accountId }) => keys.identityCheck(accountId),
        ({ lookDueAtMs }) => isPast(lookDueAtMs, nowMs),
        options,
      ),
  };
}

function isPast(dueAtMs: number | null, nowMs: number): boolean {
  return dueAtMs !== null && dueAtMs <= nowMs;
}
