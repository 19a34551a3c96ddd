import { type CardRemoval, isUnderWay } from "../domain/cards/card_removal.ts";
import type { Wallet } from "../domain/cards/wallet.ts";
import type { IdentityCheck } from "../domain/identity/identity_check.ts";
import type { Store } from "../domain/ports.ts";
import { dueRecords, type ListContext } from "./collect.ts";
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
  const walletKey = (row: { accountId: string }) => keys.wallet(row.accountId);
  return {
    listDueWallets: (nowMs, options) =>
      dueRecords<Wallet, { accountId: string }>(
        context,
        { prefix: prefixes.dueWallets, end: ends.walletsDueAt(nowMs) },
        walletKey,
        ({ syncDueAtMs }) => isPast(syncDueAtMs, nowMs),
        options,
      ),
    listDueCardWarnings: (nowMs, options) =>
      dueRecords<Wallet, { accountId: string }>(
        context,
        {
          prefix: prefixes.dueCardWarnings,
          end: ends.cardWarningsDueAt(nowMs),
        },
        walletKey,
        ({ warnDueAtMs }) => isPast(warnDueAtMs, nowMs),
        options,
      ),
    listDueCardRemovals: (nowMs, options) =>
      dueRecords<CardRemoval, { paymentMethodId: string }>(
        context,
        {
          prefix: prefixes.dueCardRemovals,
          end: ends.cardRemovalsDueAt(nowMs),
        },
        ({ paymentMethodId }) => keys.cardRemoval(paymentMethodId),
        (removal) => isUnderWay(removal) && removal.dueAtMs <= nowMs,
        options,
      ),
    listDueIdentityChecks: (nowMs, options) =>
      dueRecords<IdentityCheck, { accountId: string }>(
        context,
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
