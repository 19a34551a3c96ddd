import { assert, assertEquals } from "@std/assert";
import { bookEntry } from "../../domain/ledger/book_entry.ts";
import type { Invoice } from "../../domain/invoices/invoice.ts";
import { monthOf } from "../../domain/month.ts";
import { BY_HAND } from "./elsewhere.ts";
import { beginLife, calmDown, live, liveDays } from "./live.ts";
import { liveRestored } from "./restored.ts";
import { brokenPromises } from "./verify.ts";
import type { Life } from "./world.ts";

const SEEDS = [1, 2, 3];
const DAYS = 15;
/** Of these the store is lost. */
const RESTORED_SEEDS = [2, 4, 7];
const RESTORED_DAYS = 10;

for (const seed of SEEDS) {
  Deno.test(`seed ${seed}: whatever happens in ${DAYS} days, every promise about money holds`, async () => {
    const { broken, tally } = await live(seed, DAYS, "outside");
    assertEquals(
      broken,
      [],
      `deno task sim --seeds 1 --first ${seed} --steps ${DAYS} --outside`,
    );
    assert((tally["bid"] ?? 0) > 10, "there was something to settle");
    assert((tally["crash"] ?? 0) > 0, "something died");
  });
}

for (const seed of RESTORED_SEEDS) {
  Deno.test(`seed ${seed}: whatever is lost of ${RESTORED_DAYS} days with the store, every promise about money holds after its release`, async () => {
    const { broken, tally } = await liveRestored(seed, RESTORED_DAYS);
    const args = `--first ${seed} --steps ${RESTORED_DAYS} --restored`;
    assertEquals(broken, [], `deno task sim --seeds 1 ${args}`);
    assert((tally["store lost"] ?? 0) > 0, "the store was lost");
    assertEquals(tally["released"], tally["store lost"]);
  });
}

/** An invoice whose money we still have. */
async function keptInvoice({ store }: Life["services"]): Promise<Invoice> {
  for (const { id } of await store.listAccounts({ limit: 99 })) {
    const invoices = await store.listInvoices(id, { limit: 99 });
    const kept = invoices.find(({ money, lostCents, disputedCents }) =>
      money === "sold" && lostCents + disputedCents === 0
    );
    if (kept !== undefined) return kept;
  }
  throw new Error("Nobody has paid");
}

/** Ways of breaking a promise, each with what has to be said of it. */
const SABOTAGE: Readonly<
  Record<string, (life: Life) => Promise<unknown> | unknown>
> = {
  "is booked with": ({ services, world }) =>
    services.store.transact((tx) =>
      bookEntry(tx, {
        id: "sabotage",
        atMs: world.clock.now(),
        kind: "sale",
        paymentId: "pi_nobody",
        movement: { processor_clearing: 1, spotlight_revenue: -1 },
      })
    ),
  "does not sum to zero": async ({ services }) => {
    const [entry] = await services.store.listLedger({ limit: 1 });
    assert(entry !== undefined, "something was booked");
    const [line] = entry.lines;
    assert(line !== undefined, "an entry has lines");
    await services.store.transact((tx) =>
      tx.ledger.save({ ...entry, lines: [...entry.lines, line] })
    );
  },
  "is not its winner's": async ({ services }) => {
    const spotlights = await services.store.listSpotlights(null, { limit: 99 });
    const paid = spotlights.find(({ accountId }) => accountId !== null);
    assert(paid !== undefined, "somebody won");
    await services.store.transact((tx) =>
      tx.spotlights.save({ ...paid, accountId: "acc_other" })
    );
  },
  "is not settled": async ({ services, firstDay }) => {
    const settlement = await services.store.settlements.find(firstDay);
    assert(settlement !== null, "the first day was settled");
    await services.store.transact((tx) =>
      tx.settlements.save({ ...settlement, state: "running" })
    );
  },
  "in the archive": async ({ services, world }) => {
    const [invoice] = world.simulator.control.objects("invoice");
    const task = await services.store.archiveTasks.find(invoice?.number ?? "");
    assert(task !== null, "the first invoice has a task");
    await services.store.transact((tx) =>
      tx.archiveTasks.save({ ...task, sha256: "00" })
    );
  },
  "is refunding": async ({ services }) => {
    const kept = await keptInvoice(services);
    await services.store.transact((tx) =>
      tx.invoices.save({ ...kept, money: "refunding" })
    );
  },
  "cents are owed": ({ services, world }) =>
    services.store.transact((tx) =>
      bookEntry(tx, {
        id: "sabotage",
        atMs: world.clock.now(),
        kind: "refund",
        paymentId: null,
        movement: { refunds_due: 1, spotlight_revenue: -1 },
      })
    ),
  "nobody was told": async ({ services, world }) => {
    // Given back by hand, and nobody compares the books for two nights.
    const { paymentId } = await keptInvoice(services);
    await world.stripe.refunds.create({
      payment_intent: paymentId ?? "",
      amount: 1,
      metadata: BY_HAND,
    });
    world.clock.advance(2 * 86_400_000);
  },
  "a commission of no invoice": ({ services, world, people }) =>
    services.store.transact((tx) =>
      tx.commissions.save({
        invoiceId: "in_nobody",
        partnerId: people[0]?.accountId ?? "",
        accountId: "acc_nobody",
        paymentId: null,
        amountCents: 1,
        month: monthOf(world.clock.now()),
        countedIn: null,
        createdAtMs: world.clock.now(),
        changes: 1,
      })
    ),
  "was erased and is back": ({ services, people, world }) =>
    services.store.transact((tx) =>
      tx.erasedAccounts.save({
        accountId: people[1]?.accountId ?? "",
        erasedAtMs: world.clock.now(),
      })
    ),
  "is gone and was not erased": ({ services, people }) =>
    services.store.transact(async (tx) => {
      const account = await tx.accounts.find(people[1]?.accountId ?? "");
      assert(account !== null, "a partner signed up");
      tx.accounts.remove(account);
    }),
  "wrongly blocked": async ({ services }) => {
    const [account] = await services.store.listAccounts({ limit: 1 });
    assert(account !== undefined, "there is an account");
    await services.store.transact((tx) =>
      tx.accounts.save({ ...account, disputeOpen: !account.disputeOpen })
    );
  },
  "were kept": async ({ world, services }) => {
    // Whoever pays an invoice of a day that somebody else has paid for.
    const { control } = world.simulator;
    const { day: kept } = await keptInvoice(services);
    const paid = control.objects("invoice").find(({ status, metadata }) =>
      status === "paid" && metadata["day"] === kept
    );
    assert(paid !== undefined, "somebody has paid");
    const twin = await world.stripe.invoices.create({
      customer: paid.customer,
      metadata: paid.metadata,
    });
    await world.stripe.invoiceItems.create({
      customer: paid.customer,
      invoice: twin.id ?? "",
      amount: 100,
      currency: "eur",
    });
    const card = control.objects("payment_method")
      .find(({ customer }) => customer === paid.customer);
    control.setCard(card?.id ?? "", "visa");
    await world.stripe.invoices.pay(twin.id ?? "", {
      payment_method: card?.id ?? "",
    });
  },
};

Deno.test("a seed lives the same life again, and with store and processor at hand the one it lives outside", async () => {
  const first = await live(11, 12);
  assertEquals(await live(11, 12), first);
  assertEquals(await live(11, 12, "outside"), first);
});

for (const [said, sabotage] of Object.entries(SABOTAGE)) {
  Deno.test(`a promise that is broken is told: "${said}"`, async () => {
    await using life = await beginLife(7);
    await liveDays(life, 4);
    await calmDown(life);
    assertEquals(await brokenPromises(life), []);
    await sabotage(life);
    const broken = await brokenPromises(life);
    assert(broken.some((promise) => promise.includes(said)), broken.join("\n"));
  });
}
