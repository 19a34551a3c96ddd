import { assert, assertEquals, assertRejects } from "@std/assert";
import { saveCompany } from "../../../domain/accounts/save_company.ts";
import { newAccount } from "../../../domain/accounts/new_account.ts";
import { CARDS_MAX } from "../../../domain/cards/card.ts";
import { finishCardSetup } from "../../../domain/cards/finish_card_setup.ts";
import { sweepCards } from "../../../domain/cards/sweep_cards.ts";
import { syncCardSetup } from "../../../domain/cards/sync_card_setup.ts";
import { startCardSetup } from "../../../domain/cards/start_card_setup.ts";
import { CARD_SETUPS_A_DAY } from "../../../domain/cards/cards_state.ts";
import { ProcessorUncertain } from "../../../domain/failure.ts";
import { crashingProcessor } from "../../support/crashing_processor.ts";
import { isCrash } from "../../support/faults.ts";
import { assertRefused } from "../../support/refused.ts";
import { type CardsWorld, openCardsWorld } from "./cards_world.ts";
import { saveSession } from "../../support/sessions.ts";

const DAY_MS = 86_400_000;

/** Counts nothing. */
const admit = () => Promise.resolve();

/** Comes back from a page that was given a card, or was not. */
async function comeBack(world: CardsWorld, card: string | null) {
  const accountId = await world.account("ada");
  const setup = await world.open(accountId);
  if (card !== null) await world.pay(setup, card);
  const { ref } = setup;
  const finish = () => finishCardSetup(world.services, { accountId, ref });
  return { accountId, setup, finish };
}

Deno.test("a card is saved when its user comes back, though no event came", async () => {
  await using world = await openCardsWorld();
  const { accountId, finish } = await comeBack(world, "visa");
  assertEquals(await world.reasons(accountId), ["no_payment_method"]);
  assertEquals(await finish(), "saved");
  assertEquals(await world.cards(accountId), ["4242*"]);
  assertEquals(await world.reasons(accountId), []);
  assertEquals(await finish(), "saved", "coming back again changes nothing");
  assertEquals(await world.cards(accountId), ["4242*"]);
});

for (const kind of ["page", "set-up"] as const) {
  Deno.test(`a card is saved by the event of its ${kind}, though nobody came back`, async () => {
    await using world = await openCardsWorld();
    const { accountId, setup } = await comeBack(world, "visa");
    const page = await world.services.processor.retrieveCardSetup(
      setup.sessionId,
    );
    assert(page.ok);
    const id = kind === "page" ? setup.sessionId : page.value.setupIntentId;
    await syncCardSetup(world.services, id ?? "");
    assertEquals(await world.cards(accountId), ["4242*"]);
  });
}

Deno.test("a card is saved by the job when neither its user nor an event came", async () => {
  await using world = await openCardsWorld();
  const { accountId } = await comeBack(world, "visa");
  await sweepCards(world.services);
  assertEquals(await world.cards(accountId), []);
  world.clock.advance(10 * 60_000);
  await sweepCards(world.services);
  assertEquals(await world.cards(accountId), ["4242*"]);
});

Deno.test("user and events that come back at once save one card", async () => {
  await using world = await openCardsWorld();
  const { accountId, setup, finish } = await comeBack(world, "visa");
  const look = (services = world.services) =>
    syncCardSetup(services, setup.sessionId);
  await Promise.all([finish(), look(), look(world.isolate().services)]);
  assertEquals(await world.cards(accountId), ["4242*"]);
  const cardsState = await world.services.store.wallets.find(accountId);
  assertEquals(cardsState?.version, 1, "the cards changed once");
});

Deno.test("the first card becomes the default, and another does not", async () => {
  await using world = await openCardsWorld();
  const accountId = await world.account("ada");
  await world.save(accountId, "visa");
  await world.save(accountId, "mastercard");
  assertEquals(await world.cards(accountId), ["4444", "4242*"]);
});

for (
  const [what, card, result] of [
    ["left before its end", null, "not_finished"],
    ["declined", "chargeDeclined", "not_finished"],
    ["waiting for the bank's page", "authenticationRequired", "not_finished"],
  ] as const
) {
  Deno.test(`a set-up that was ${what} saves nothing and may be tried again`, async () => {
    await using world = await openCardsWorld();
    const { accountId, setup, finish } = await comeBack(world, card);
    assertEquals(await finish(), result);
    await syncCardSetup(world.services, setup.sessionId);
    assertEquals(await world.cards(accountId), []);
    await world.save(accountId, "visa");
    assertEquals(await world.cards(accountId), ["4242*"]);
  });
}

Deno.test("a set-up whose page has expired says so", async () => {
  await using world = await openCardsWorld();
  const { accountId, finish } = await comeBack(world, null);
  world.clock.advance(DAY_MS);
  assertEquals(await finish(), "expired");
  assertEquals(await world.cards(accountId), []);
});

Deno.test("a set-up that the bank still decides on is waited for", async () => {
  await using world = await openCardsWorld();
  const { accountId, setup, finish } = await comeBack(world, null);
  world.simulator.control.addFault({ kind: "processing" });
  await world.pay(setup);
  assertEquals(await finish(), "processing");
  assertEquals(await world.cards(accountId), []);
});

Deno.test("a page that is not the account's own leads to nothing of another's", async () => {
  await using world = await openCardsWorld();
  const { accountId, setup } = await comeBack(world, "visa");
  const eve = await world.account("eve");
  const { ref } = setup;
  const told = await finishCardSetup(world.services, { accountId: eve, ref });
  assertEquals(told, "unknown");
  assertEquals(await world.cards(eve), []);
  assertEquals(await world.cards(accountId), []);
});

Deno.test("what is not ours is looked at and left alone", async () => {
  await using world = await openCardsWorld();
  const accountId = await world.account("ada");
  const { id: customer } = await world.stripe.customers.create({});
  const foreign = await world.stripe.setupIntents.create({
    customer,
    payment_method: "pm_card_visa",
    allowed_payment_method_types: ["card"],
    confirm: true,
  });
  const pretending = await world.stripe.setupIntents.create({
    customer,
    payment_method: "pm_card_visa",
    allowed_payment_method_types: ["card"],
    confirm: true,
    metadata: { account_id: accountId },
  });
  for (const id of [foreign.id, pretending.id, "cs_test_none", "seti_none"]) {
    const { kind } = await syncCardSetup(world.services, id);
    assertEquals(kind, "foreign", id);
  }
  assertEquals(await world.cards(accountId), []);
});

Deno.test("a card is set up for a company that the processor was not told of yet", async () => {
  await using world = await openCardsWorld();
  const { services } = world;
  const accountId = "acc_new";
  await services.store.transact((tx) => {
    tx.accounts.save(newAccount(accountId, "new@example.com", 0));
  });
  const by = { session: await saveSession(world.services, accountId) };
  const start = () => startCardSetup(services, { accountId, by, admit });
  const refusal = await assertRefused(start, "human_step_required");
  assertEquals(refusal.reasons, ["onboarding_incomplete"]);
  assertEquals(refusal.actionUrl, "/onboarding");
  const address = { line1: "1 Main Street", city: "Town", postalCode: "" };
  const company = { name: "New Inc.", country: "US", vatId: null, address };
  await saveCompany(services, { accountId, company });
  const fault = { kind: "rate_limit", path: "/v1/customers" } as const;
  world.simulator.control.addFault({ ...fault, times: null });
  await assertRejects(start, ProcessorUncertain);
  world.simulator.control.clearFaults();
  await world.save(accountId);
  assertEquals(await world.cards(accountId), ["4242*"]);
  assertEquals((await world.stripe.customers.list()).data.length, 1);
});

Deno.test("a company from before there were tasks gets its customer", async () => {
  await using world = await openCardsWorld();
  const accountId = await world.account("ada");
  await world.services.store.transact(async (tx) => {
    const account = await tx.accounts.find(accountId);
    const task = await tx.customerTasks.find(accountId);
    if (account) tx.accounts.save({ ...account, processorCustomerId: null });
    if (task) tx.customerTasks.remove(task);
  });
  await world.save(accountId);
  assertEquals(await world.cards(accountId), ["4242*"]);
});

Deno.test("an account saves ten cards at most", async () => {
  await using world = await openCardsWorld();
  const accountId = await world.account("ada");
  for (let nth = 0; nth < CARDS_MAX; nth++) {
    await world.save(accountId, nth % 2 === 0 ? "visa" : "mastercard");
    world.clock.advance(DAY_MS);
  }
  const by = { session: await saveSession(world.services, accountId) };
  const start = () => startCardSetup(world.services, { accountId, by, admit });
  await assertRefused(start, "cards_full");
});

Deno.test("a card too many is not taken over, and its user is told", async () => {
  await using world = await openCardsWorld();
  const accountId = await world.account("ada");
  const setup = await world.open(accountId);
  const { processorCustomerId } = await world.accountOf(accountId);
  const customer = processorCustomerId ?? "";
  for (let nth = 0; nth < CARDS_MAX; nth++) {
    await world.stripe.paymentMethods.attach("pm_card_visa", { customer });
  }
  await lookAtAll(world, accountId);
  await world.pay(setup, "mastercard");
  const { ref } = setup;
  const result = await finishCardSetup(world.services, { accountId, ref });
  assertEquals(result, "not_taken");
  assertEquals((await world.cards(accountId)).length, CARDS_MAX);
});

async function lookAtAll({ services }: CardsWorld, accountId: string) {
  await finishCardSetup(services, { accountId, ref: "setup_unknown" });
}

Deno.test("an account begins ten set-ups a day at most", async () => {
  await using world = await openCardsWorld();
  const accountId = await world.account("ada");
  const by = { session: await saveSession(world.services, accountId) };
  const start = () => startCardSetup(world.services, { accountId, by, admit });
  for (let nth = 0; nth < CARD_SETUPS_A_DAY; nth++) {
    await start();
    world.clock.advance(60_000);
  }
  const { retryAfterS } = await assertRefused(start, "tries_exhausted");
  assertEquals(retryAfterS, (DAY_MS - CARD_SETUPS_A_DAY * 60_000) / 1_000);
  world.clock.advance(retryAfterS * 1_000);
  await start();
});

for (const when of ["before", "after"] as const) {
  Deno.test(`a crash ${when} the page is opened loses no card`, async () => {
    await using world = await openCardsWorld();
    const accountId = await world.account("ada");
    const by = { session: await saveSession(world.services, accountId) };
    let url: string | null = null;
    const doomed = world.isolate((real) =>
      crashingProcessor(
        {
          ...real,
          async createCardSetup(...given) {
            const made = await real.createCardSetup(...given);
            if (made.ok) url = made.value.url;
            return made;
          },
        },
        { call: 1, when },
        () => doomed.kv.crash(),
      )
    );
    try {
      await startCardSetup(doomed.services, { accountId, by, admit });
    } catch (thrown) {
      if (!isCrash(thrown)) throw thrown;
    }
    if (url === null) return assertEquals(when, "before");
    // A browser that got the answer after all.
    await world.pay({ url, ref: "", sessionId: "" });
    world.clock.advance(10 * 60_000);
    await sweepCards(world.services);
    assertEquals(await world.cards(accountId), ["4242*"]);
  });
}

Deno.test("an account that is compared in vain is compared again later and later", async () => {
  await using world = await openCardsWorld();
  const { accountId } = await comeBack(world, "visa");
  const path = "/v1/payment_methods";
  world.simulator.control.addFault({ kind: "rate_limit", path, times: null });
  world.clock.advance(10 * 60_000);
  for (const [failures, pauseMs] of [[1, 300_000], [2, 600_000]] as const) {
    await sweepCards(world.services);
    const cardsState = await world.services.store.wallets.find(accountId);
    assertEquals(cardsState?.syncFailures, failures);
    assertEquals(cardsState?.syncDueAtMs, world.clock.now() + pauseMs);
    world.clock.advance(pauseMs);
  }
  world.simulator.control.clearFaults();
  await sweepCards(world.services);
  assertEquals(await world.cards(accountId), ["4242*"]);
});
