import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import type {
  Account,
  PaymentMethod,
} from "../../../domain/accounts/account.ts";
import { newAccount } from "../../../domain/accounts/new_account.ts";
import { isRefused, usableCards } from "../../../domain/cards/card.ts";
import { withCards, withChosen } from "../../../domain/cards/with_cards.ts";

const IDS = ["pm_a", "pm_b", "pm_c", "pm_d"];

const cardsOf = fc.uniqueArray(
  fc.record({
    id: fc.constantFrom(...IDS),
    createdAtMs: fc.nat(3),
    isRefused: fc.boolean(),
    isEnding: fc.boolean(),
  }),
  { selector: ({ id }) => id },
).map((all) =>
  all.map(({ id, createdAtMs, isRefused, isEnding }): PaymentMethod => ({
    id,
    accountId: "acc_1",
    brand: "visa",
    last4: "4242",
    expMonth: 12,
    expYear: 2030,
    createdAtMs,
    ...isRefused && { refusedAtMs: 1 },
    ...isEnding && { endingSinceMs: 1 },
  }))
);

const accountOf = fc.record({
  cardRefused: fc.boolean(),
  defaultPaymentMethodId: fc.option(fc.constantFrom(...IDS)),
}).map((given): Account => ({
  ...newAccount("acc_1", "ada@example.com", 0),
  ...given,
}));

const CHANGE = [accountOf, cardsOf, fc.boolean()] as const;

Deno.test("the default is always a card that may be charged, if there is any", () => {
  fc.assert(fc.property(
    ...CHANGE,
    (account, cards, resolved) => {
      const after = withCards(account, cards, { resolved });
      const usable = usableCards(cards);
      const chosen = usable.find(({ id }) =>
        id === after.defaultPaymentMethodId
      );
      assertEquals(chosen === undefined, usable.length === 0);
      const kept = usable.some(({ id }) =>
        id === account.defaultPaymentMethodId
      );
      if (kept) {
        assertEquals(
          after.defaultPaymentMethodId,
          account.defaultPaymentMethodId,
        );
      }
      // Nothing else of the account changes.
      const { defaultPaymentMethodId, cardRefused } = account;
      assertEquals({ ...after, defaultPaymentMethodId, cardRefused }, account);
    },
  ));
});

Deno.test("a default that went is followed by the newest card that was not refused, or the newest of all", () => {
  fc.assert(fc.property(...CHANGE, (account, cards, resolved) => {
    const usable = usableCards(cards);
    fc.pre(!usable.some(({ id }) => id === account.defaultPaymentMethodId));
    const good = usable.filter((card) => !isRefused(card));
    const [next = usable[0]] = good;
    const { defaultPaymentMethodId } = withCards(account, cards, { resolved });
    assertEquals(defaultPaymentMethodId, next?.id ?? null);
  }));
});

Deno.test("an account is refused while its default is, and no longer once it is resolved", () => {
  fc.assert(fc.property(
    ...CHANGE,
    (account, cards, resolved) => {
      const after = withCards(account, cards, { resolved });
      const chosen = cards.find(({ id }) =>
        id === after.defaultPaymentMethodId
      );
      if (chosen === undefined) {
        return assertEquals(after.cardRefused, account.cardRefused);
      }
      if (isRefused(chosen)) return assertEquals(after.cardRefused, true);
      assertEquals(after.cardRefused, account.cardRefused && !resolved);
    },
  ));
});

Deno.test("choosing any card that was not refused ends the refusal, also the one that is the default", () => {
  fc.assert(fc.property(accountOf, cardsOf, (account, cards) => {
    for (const card of usableCards(cards)) {
      const after = withChosen(account, cards, card.id);
      assertEquals(after.defaultPaymentMethodId, card.id);
      assertEquals(after.cardRefused, isRefused(card));
      const untouched = { ...account, defaultPaymentMethodId: card.id };
      const same = withCards(untouched, cards, {});
      assertEquals(same.cardRefused, account.cardRefused || isRefused(card));
    }
  }));
});

Deno.test("a new card is charged where there was none, or a refused one", () => {
  fc.assert(fc.property(accountOf, cardsOf, (account, others) => {
    const added: PaymentMethod = {
      id: "pm_new",
      accountId: "acc_1",
      brand: "visa",
      last4: "4242",
      expMonth: 12,
      expYear: 2030,
      createdAtMs: 9,
    };
    const cards = [...others, added];
    const after = withCards(account, cards, { added });
    assertEquals(after.cardRefused, false);
    const before = usableCards(others).find(({ id }) =>
      id === account.defaultPaymentMethodId
    );
    const stays = before !== undefined && !isRefused(before) &&
      !account.cardRefused;
    assertEquals(
      after.defaultPaymentMethodId,
      stays ? before.id : added.id,
    );
  }));
});

Deno.test("asking twice changes nothing more", () => {
  fc.assert(fc.property(accountOf, cardsOf, (account, cards) => {
    const once = withCards(account, cards, {});
    assertEquals(withCards(once, cards, {}), once);
    assert(!once.cardRefused || once.defaultPaymentMethodId !== "");
  }));
});
