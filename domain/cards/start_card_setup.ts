import { acceptedValue } from "../payments/accepted_value.ts";
import type { Services } from "../ports.ts";
import { PAGES } from "../pages.ts";
import { refuse } from "../refusal.ts";
import { type Authority, requireAuthority } from "../sessions/authority.ts";
import { CARDS_MAX, usableCards } from "./card.ts";
import { readCards } from "./change_cards.ts";
import { ensureCustomer } from "./ensure_customer.ts";
import {
  CARD_SETUP_LIVES_MS,
  CARD_SETUPS_A_DAY,
  cardsStateOf,
  recentSetups,
  withSetup,
} from "./cards_state.ts";

/** Where the processor's pages for cards lead back to. */
export const BILLING_RETURN = `${PAGES.billing}/return`;

/**
 * Opens a page of the processor's on which the user saves a card. That it was
 * opened is written down first, so that the card is found whatever becomes of
 * the answer, the event and the user's way back.
 *
 * @returns where the browser is to go
 * @throws {Refused} `cards_full`, `tries_exhausted`, and as `ensureCustomer()` and
 * `requireAuthority()` and `admit()`
 * @throws {TemporaryFailure} when the processor gives no page now
 */
export async function startCardSetup(
  services: Services,
  { accountId, by, admit }: {
    accountId: string;
    by: Authority;
    /** Counts a page by who asks. @throws when that is too much */
    admit(): Promise<void>;
  },
): Promise<{ url: string }> {
  const { ids, processor, settings } = services;
  const customerId = await ensureCustomer(services, { accountId });
  const { cards } = await readCards(services, accountId);
  if (usableCards(cards).length >= CARDS_MAX) refuse({ code: "cards_full" });
  await admit();
  const ref = ids.next("setup");
  await begin(services, accountId, ref);
  const back = `${settings.baseUrl}${BILLING_RETURN}?setup=${ref}`;
  const opened = acceptedValue(
    services,
    "open a page for cards",
    await processor.createCardSetup({
      customerId,
      accountId,
      successUrl: back,
      cancelUrl: back,
    }, `card_setup:${ref}`),
  );
  await remember(services, accountId, by, { ref, sessionId: opened.id });
  return { url: opened.url };
}

function begin(
  { store, clock }: Services,
  accountId: string,
  ref: string,
): Promise<void> {
  return store.transact(async (tx) => {
    const cardsState = await cardsStateOf(tx, accountId);
    const nowMs = clock.now();
    const recent = recentSetups(cardsState, nowMs);
    const [oldest] = recent;
    if (oldest !== undefined && recent.length >= CARD_SETUPS_A_DAY) {
      const againMs = oldest.startedAtMs + CARD_SETUP_LIVES_MS;
      const retryAfterS = Math.ceil((againMs - nowMs) / 1_000);
      refuse({ code: "tries_exhausted", retryAfterS });
    }
    tx.wallets.save(withSetup(cardsState, ref, nowMs));
  });
}

/** The page is told nobody who was signed out while it was opened. */
function remember(
  { store }: Services,
  accountId: string,
  by: Authority,
  { ref, sessionId }: { ref: string; sessionId: string },
): Promise<void> {
  return store.transact(async (tx) => {
    await requireAuthority(tx, by);
    const cardsState = await tx.wallets.find(accountId);
    if (cardsState === null) return;
    const setups = cardsState.setups.map((setup) =>
      setup.ref === ref ? { ...setup, sessionId } : setup
    );
    tx.wallets.save({ ...cardsState, setups });
  });
}
