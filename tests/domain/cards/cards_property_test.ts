import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import type { PaymentMethod } from "../../../domain/accounts/account.ts";
import { requireAccount } from "../../../domain/accounts/require_account.ts";
import { listLiveBids } from "../../../domain/bids/list_live_bids.ts";
import { placeBid } from "../../../domain/bidding/place_bid.ts";
import { isRefused, isUsable } from "../../../domain/cards/card.ts";
import { sweepCards } from "../../../domain/cards/sweep_cards.ts";
import { markRefused } from "../../../domain/cards/mark_refused.ts";
import { removeCard } from "../../../domain/cards/remove_card.ts";
import { setDefaultCard } from "../../../domain/cards/set_default_card.ts";
import { syncCards } from "../../../domain/cards/sync_cards.ts";
import { TemporaryFailure } from "../../../domain/failure.ts";
import type { Services } from "../../../domain/ports.ts";
import { Refused } from "../../../domain/refusal.ts";
import { browserBid, type CardsWorld, openCardsWorld } from "./cards_world.ts";
import { byBrowser } from "../../support/sessions.ts";

const KINDS = [
  "save",
  "sync",
  "raise",
  "choose",
  "remove",
  "portal",
  "bid",
  "refuse",
] as const;

/** What somebody does, to the card at a place among those there are. */
interface Step {
  kind: typeof KINDS[number];
  at: number;
}

const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom(...KINDS),
  at: fc.nat(3),
});

async function rowsOf({ services }: CardsWorld, accountId: string) {
  return await services.store.listPaymentMethods(accountId, { limit: 100 });
}

async function perform(
  world: CardsWorld,
  services: Services,
  accountId: string,
  step: Step,
): Promise<void> {
  if (step.kind === "save") await attach(world, accountId);
  if (step.kind === "save" || step.kind === "sync") {
    return await syncCards(services, { accountId });
  }
  if (step.kind === "raise") return await bid(world, services, accountId, null);
  const rows = await rowsOf(world, accountId);
  const row = rows[step.at % Math.max(rows.length, 1)];
  if (row === undefined) return;
  const by = byBrowser(accountId);
  const input = { accountId, paymentMethodId: row.id, by, binding: null };
  if (step.kind === "choose") await setDefaultCard(services, input);
  if (step.kind === "remove") await removeCard(services, input);
  if (step.kind === "refuse") await markCard(services, input);
  if (step.kind === "bid") await bid(world, services, accountId, row.id);
  // Somebody else may have been faster.
  if (step.kind === "portal") {
    await world.stripe.paymentMethods.detach(row.id).catch(() => {});
  }
}

/** What the settlement does whose charge to the card is declined. */
function markCard(
  { store, clock }: Services,
  { accountId, paymentMethodId }: {
    accountId: string;
    paymentMethodId: string;
  },
): Promise<void> {
  return store.transact(async (tx) => {
    const account = await requireAccount(tx, accountId);
    const nowMs = clock.now();
    await markRefused(tx, account, { paymentMethodId, nowMs });
  });
}

/** What the processor's pages do with a card in the end. */
async function attach(world: CardsWorld, accountId: string): Promise<void> {
  const { processorCustomerId } = await world.accountOf(accountId);
  const customer = processorCustomerId ?? "";
  await world.stripe.paymentMethods.attach("pm_card_visa", { customer });
}

async function bid(
  world: CardsWorld,
  services: Services,
  accountId: string,
  cardId: string | null,
): Promise<void> {
  const [live] = await listLiveBids(services, { accountId });
  const amount = (live?.amountCents ?? 900) + 100;
  const wanted = live === undefined ? cardId : null;
  const input = await browserBid(world, accountId, wanted, amount);
  await placeBid(services, input);
}

/** An expected no, and the loser of too many races, are no fault. */
async function allowNo(work: Promise<void>): Promise<void> {
  try {
    await work;
  } catch (thrown) {
    const isNo = thrown instanceof Refused ||
      thrown instanceof TemporaryFailure;
    if (!isNo) throw thrown;
  }
}

async function validate(world: CardsWorld, accountId: string): Promise<void> {
  const account = await world.accountOf(accountId);
  const rows = await rowsOf(world, accountId);
  const usable = rows.filter(isUsable).map(({ id }) => id);
  const chosen = account.defaultPaymentMethodId;
  if (chosen === null) assertEquals(usable, []);
  else assert(usable.includes(chosen), `${chosen} of ${usable}`);
  const known = rows.map(({ id }) => id);
  for (const bid of await listLiveBids(world.services, { accountId })) {
    const text = `the bid's ${bid.paymentMethodId} of ${known}`;
    assert(known.includes(bid.paymentMethodId), text);
  }
}

/** Once nobody does anything any more, both sides have the same cards. */
async function validateAtRest(world: CardsWorld, accountId: string) {
  for (let nth = 0; nth < 3; nth++) {
    world.clock.advance(3_600_000);
    await sweepCards(world.services);
  }
  await syncCards(world.services, { accountId });
  await validate(world, accountId);
  const { processorCustomerId } = await world.accountOf(accountId);
  const customer = processorCustomerId ?? "";
  const { data } = await world.stripe.paymentMethods.list({ customer });
  const usable = (await rowsOf(world, accountId)).filter(isUsable);
  assertEquals(
    usable.map(({ id }) => id).toSorted(),
    data.map(({ id }) => id).toSorted(),
  );
  await validateRefusal(world, accountId, usable);
}

/** A refused default blocks its account, and any other card ends that. */
async function validateRefusal(
  world: CardsWorld,
  accountId: string,
  usable: readonly PaymentMethod[],
): Promise<void> {
  const { services } = world;
  const account = await world.accountOf(accountId);
  const chosen = usable.find(({ id }) => id === account.defaultPaymentMethodId);
  if (chosen && isRefused(chosen)) assert(account.cardRefused);
  for (const { id: paymentMethodId } of usable.filter((c) => !isRefused(c))) {
    await services.store.transact(async (tx) => {
      const now = await requireAccount(tx, accountId);
      tx.accounts.save({ ...now, cardRefused: true });
    });
    const by = byBrowser(accountId);
    const choice = { accountId, paymentMethodId, by, binding: null };
    for (let nth = 0; nth < 2; nth++) await setDefaultCard(services, choice);
    const after = await world.accountOf(accountId);
    assertEquals(after.cardRefused, false);
    assertEquals(after.defaultPaymentMethodId, paymentMethodId);
  }
}

Deno.test("whatever is done at once, a bid's card is there and the default can be charged", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(step, { minLength: 1, maxLength: 3 }), {
        minLength: 3,
        maxLength: 8,
      }),
      async (rounds) => {
        await using world = await openCardsWorld();
        const accountId = await world.account("ada");
        await world.save(accountId);
        const isolates = [world.services, world.isolate().services] as const;
        for (const round of rounds) {
          await Promise.all(round.map((step, at) => {
            const services = isolates[at % 2] ?? world.services;
            return allowNo(perform(world, services, accountId, step));
          }));
          world.clock.advance(1_000);
          await validate(world, accountId);
        }
        await validateAtRest(world, accountId);
      },
    ),
    { numRuns: 25 },
  );
});
