import type { Account, PaymentMethod } from "../accounts/account.ts";
import type { Services, Transaction } from "../ports.ts";
import { refuse } from "../refusal.ts";
import { untilDecided } from "../until_decided.ts";
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

/** Changes rows in a commit, and what follows by {@linkcode saveCards}. */
type Change<T> = (tx: Transaction, now: CardsNow) => Promise<T> | T;

/**
 * Changes the cards of an account by what all of them are. A transaction lists
 * nothing, so the version is read before the list and checked in the commit.
 *
 * @param prepare asks before the commit for what the change takes, such as what
 * the processor has
 * @throws {Refused} `account_not_found`
 * @throws {Contention} when they change again and again
 */
export async function changeCards<T>(
  services: Pick<Services, "store">,
  accountId: string,
  prepare: (before: CardsNow) => Change<T> | Promise<Change<T>>,
): Promise<T> {
  const { value } = await untilDecided("change the cards", async () => {
    const before = await readCards(services, accountId);
    const change = await prepare(before);
    return await services.store.transact(async (tx) => {
      const [account, found] = await tx.getMany([
        tx.accounts.ref(accountId),
        tx.wallets.ref(accountId),
      ]);
      if (account === null) refuse({ code: "account_not_found" });
      const cardsState = found ?? newCardsState(accountId);
      if (cardsState.version !== before.cardsState.version) return null;
      const now = { account, cardsState, cards: before.cards };
      return { value: await change(tx, now) };
    });
  });
  return value;
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
export function isSameAccount(a: Account, b: Account): boolean {
  return a.defaultPaymentMethodId === b.defaultPaymentMethodId &&
    a.cardRefused === b.cardRefused;
}
