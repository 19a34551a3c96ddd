import {
  type Account,
  isEmptied,
  type PaymentMethod,
} from "../accounts/account.ts";
import { claimVat } from "../accounts/claim_vat.ts";
import { Contention } from "../failure.ts";
import type { ProcessorCard } from "../payments/processor_cards.ts";
import { acceptedValue } from "../payments/accepted_value.ts";
import { groupsOf } from "../groups.ts";
import type { Services, Transaction } from "../ports.ts";
import { CARDS_MAX, isRefused, isUsable } from "./card.ts";
import {
  type CardsNow,
  changeCards,
  readCards,
  saveCards,
} from "./change_cards.ts";
import { decideRemoval } from "./decide_removal.ts";
import {
  detailsOf,
  planSync,
  type SyncPlan,
  withDetails,
} from "./plan_sync.ts";
import { afterSync } from "./cards_state.ts";
import { withCards } from "./with_cards.ts";

/** Commits of one comparison: more rows than an account has. */
const COMMITS_MAX = 20;

/**
 * Brings the cards of an account in line with the processor's: those it has and
 * we do not, those it renewed, those that were removed there. A card that was
 * taken away here never comes back. One that is gone there can't be named any
 * more, and its row goes once no bid stands on it. Harmless to repeat.
 * Decision 0150 says why.
 *
 * @throws {Refused} `account_not_found`
 * @throws {TemporaryFailure} when processor or store give no answer
 */
export async function syncCards(
  services: Services,
  { accountId }: { accountId: string },
): Promise<void> {
  const { log } = services;
  const { account } = await readCards(services, accountId);
  // The processor may have them for as long as it keeps the customer.
  if (isEmptied(account)) return;
  const customerId = account.processorCustomerId;
  if (customerId === null) return await recordNoCards(services, accountId);
  for (let nth = 0; nth < COMMITS_MAX; nth++) {
    const plan = await changeCards(services, accountId, async ({ cards }) => {
      const planned = await readProcessorCards(services, customerId, cards);
      return (tx, now) => apply(services, tx, now, planned);
    });
    for (const { id } of plan.gone) await decideRemoval(services, id);
    if (plan.hasMore) continue;
    if (plan.leftOut) log.info("cards.left_out", { account: accountId });
    return await claimVat(services, { accountId });
  }
  throw new Contention("The processor's list of cards changes all the time");
}

/** A company the processor was never told of has no cards there. */
function recordNoCards(
  { store }: Services,
  accountId: string,
): Promise<void> {
  return store.transact(async (tx) => {
    const cardsState = await tx.wallets.find(accountId);
    if (cardsState !== null) {
      tx.wallets.save({ ...cardsState, syncDueAtMs: null });
    }
  });
}

/** Asks the processor, which happens after the state's version was read. */
async function readProcessorCards(
  services: Services,
  customerId: string,
  rows: readonly PaymentMethod[],
): Promise<SyncPlan> {
  const { processor, store } = services;
  const asked = await processor.listCards(customerId);
  const listed = acceptedValue(services, "list cards", asked);
  const known = new Set(rows.map(({ id }) => id));
  const unknown = listed.filter(({ id }) => !known.has(id));
  return planSync(rows, listed, await neverHad(store, unknown));
}

/** Those that were not taken away here, and one more than there can be room. */
async function neverHad(
  store: Services["store"],
  unknown: readonly ProcessorCard[],
): Promise<ProcessorCard[]> {
  const never: ProcessorCard[] = [];
  for (const some of groupsOf(unknown)) {
    const removals = await store.getMany(
      some.map(({ id }) => store.cardRemovals.ref(id)),
    );
    never.push(...some.filter((_, nth) => removals[nth] === null));
    if (never.length > CARDS_MAX) break;
  }
  return never;
}

async function apply(
  { clock }: Services,
  tx: Transaction,
  now: CardsNow,
  plan: SyncPlan,
): Promise<SyncPlan> {
  const nowMs = clock.now();
  const touched = [
    ...await updateRow(tx, now, plan.changed),
    ...await removeRow(tx, now, plan.gone, nowMs),
  ];
  const added = plan.added.map((card) => newRow(card, now.account, nowMs));
  for (const row of [...touched, ...added]) tx.paymentMethods.save(row);
  const byId = new Map(touched.map((row) => [row.id, row]));
  const cards = [...now.cards.map((row) => byId.get(row.id) ?? row), ...added];
  const cardsState = afterSync(now.cardsState, cards.length, nowMs);
  if (touched.length + added.length === 0) {
    tx.wallets.save(cardsState);
    return plan;
  }
  const newest = added.find((row) => !isRefused(row));
  const account = withCards(now.account, cards, {
    resolved: touched.some((row) => isRefused(row) && !isUsable(row)),
    ...newest !== undefined && { added: newest },
  });
  saveCards(tx, now, { account, cards, cardsState });
  return plan;
}

/** A settlement may mark a row as refused meanwhile, so it is read again. */
async function updateRow(
  tx: Transaction,
  { account }: CardsNow,
  changed: readonly ProcessorCard[],
): Promise<PaymentMethod[]> {
  const rows: PaymentMethod[] = [];
  for (const card of changed) {
    const row = await tx.paymentMethods.find(account.id, card.id);
    if (row !== null) rows.push(withDetails(row, card));
  }
  return rows;
}

async function removeRow(
  tx: Transaction,
  { account: { id: accountId } }: CardsNow,
  gone: readonly PaymentMethod[],
  nowMs: number,
): Promise<PaymentMethod[]> {
  const rows: PaymentMethod[] = [];
  for (const { id } of gone) {
    const row = await tx.paymentMethods.find(accountId, id);
    if (row === null) continue;
    rows.push({ ...row, endingSinceMs: nowMs });
    tx.cardRemovals.save({
      paymentMethodId: id,
      accountId,
      origin: "processor",
      state: "checking",
      binding: null,
      dueAtMs: nowMs,
      failures: 0,
      expiresAtMs: null,
    });
  }
  return rows;
}

function newRow(
  card: ProcessorCard,
  { id: accountId, refusedFingerprints = [] }: Account,
  createdAtMs: number,
): PaymentMethod {
  const { fingerprint } = card;
  const wasRefused = fingerprint !== null &&
    refusedFingerprints.includes(fingerprint);
  return {
    ...detailsOf(card),
    accountId,
    createdAtMs,
    ...wasRefused && { refusedAtMs: createdAtMs },
  };
}
