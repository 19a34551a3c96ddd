import type { Account, PaymentMethod } from "../accounts/account.ts";
import { Contention } from "../failure.ts";
import type { Services, Transaction } from "../ports.ts";
import { refuse } from "../refusal.ts";
import { CARDS_READ_MAX } from "./card.ts";
import { nextWarningMs } from "./expiry.ts";
import { type CardsState, newCardsState } from "./cards_state.ts";

/** The cards of an account, all of one version. */
export interface CardsNow {
  account: Account;
  cardsState: CardsState;
  /** Every row, those that are being taken away included. */
  cards: readonly PaymentMethod[];
}

/** How a change is made. */
export interface ChangeCards<P, T> {
  /** Asked before the commit, such as what the processor has. */
  prepare: (before: CardsNow) => Promise<P>;
  /** In the commit; what it saves goes through {@linkcode saveCards}. */
  change: (tx: Transaction, now: CardsNow, prepared: P) => Promise<T> | T;
}

/** Versions that are tried until others are left the way. */
const TRIES_MAX = 5;

/** The cards changed while they were looked at. */
class CardsChanged extends Error {}

/**
 * Changes the cards of an account by what all of them are. A transaction lists
 * nothing, so the version is read before the list and checked in the commit:
 * whoever lost the race begins again.
 *
 * @throws {Refused} `account_not_found`
 * @throws {Contention} after five lost races
 */
export async function changeCards<P, T>(
  services: Pick<Services, "store">,
  accountId: string,
  { prepare, change }: ChangeCards<P, T>,
): Promise<T> {
  const { store } = services;
  for (let nth = 0; nth < TRIES_MAX; nth++) {
    const before = await readCards(services, accountId);
    const prepared = await prepare(before);
    try {
      return await store.transact(async (tx) => {
        const [account, cardsState] = await tx.getMany([
          tx.accounts.ref(accountId),
          tx.wallets.ref(accountId),
        ]);
        if (account === null) refuse({ code: "account_not_found" });
        const now = cardsState ?? newCardsState(accountId);
        if (now.version !== before.cardsState.version) throw new CardsChanged();
        const { cards } = before;
        return await change(tx, { account, cardsState: now, cards }, prepared);
      });
    } catch (thrown) {
      if (!(thrown instanceof CardsChanged)) throw thrown;
    }
  }
  throw new Contention("The cards of the account changed again and again");
}

/**
 * The cards of an account and the version they are at least of.
 *
 * @throws {Refused} `account_not_found`
 */
export async function readCards(
  { store }: Pick<Services, "store">,
  accountId: string,
): Promise<CardsNow> {
  const [account, cardsState] = await store.getMany([
    store.accounts.ref(accountId),
    store.wallets.ref(accountId),
  ]);
  if (account === null) refuse({ code: "account_not_found" });
  const cards = await store.listPaymentMethods(accountId, {
    limit: CARDS_READ_MAX,
  });
  return { account, cardsState: cardsState ?? newCardsState(accountId), cards };
}

/** Saves what follows from changed rows, which the caller has saved itself. */
export function saveCards(
  tx: Transaction,
  before: CardsNow,
  after: CardsNow,
): void {
  const { account, cards, cardsState } = after;
  if (!isSameAccount(before.account, account)) tx.accounts.save(account);
  const chosen = cards.find(({ id }) => id === account.defaultPaymentMethodId);
  tx.wallets.save({
    ...cardsState,
    version: before.cardsState.version + 1,
    warnDueAtMs: chosen === undefined ? null : nextWarningMs(chosen),
  });
}

/** Every bid checks its account's row, so it is not written without need. */
function isSameAccount(a: Account, b: Account): boolean {
  return a.defaultPaymentMethodId === b.defaultPaymentMethodId &&
    a.cardRefused === b.cardRefused;
}
