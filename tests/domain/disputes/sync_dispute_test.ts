import { assert, assertEquals, assertRejects } from "@std/assert";
import fc from "fast-check";
import { syncDispute } from "../../../domain/disputes/sync_dispute.ts";
import { liftBlock } from "../../../domain/disputes/lift_block.ts";
import { sweepDisputes } from "../../../domain/disputes/sweep_disputes.ts";
import { ProcessorUncertain } from "../../../domain/failure.ts";
import { refundSpotlight } from "../../../domain/invoices/refund_spotlight.ts";
import { refundDueInvoices } from "../../../domain/invoices/refund_invoice.ts";
import type { DisputeStanding } from "../../../domain/payments/processor_disputes.ts";
import type { Services } from "../../../domain/ports.ts";
import { AUCTION_DAY } from "../../support/auction_world.ts";
import { everyCrashPoint, isCrash } from "../../support/faults.ts";
import {
  openPaidDay,
  PAID_CENTS,
  type PaidDay,
} from "../../support/paid_day.ts";

/** A dispute of the winner's payment. */
async function dispute(day: PaidDay): Promise<string> {
  const { paymentId } = await day.invoice();
  assert(paymentId !== null, "the winner has paid");
  return day.world.simulator.control.disputes.open(paymentId).id;
}

const PAID_AGAIN = {
  by: { kind: "operator_key" },
  reason: "Paid again.",
  about: null,
} as const;

async function isBlocked({ world, winner }: PaidDay): Promise<boolean> {
  const account = await world.services.store.accounts.find(winner.account.id);
  return account?.disputeOpen ?? false;
}

Deno.test("a dispute blocks the account and moves the money out of what we hold", async () => {
  await using day = await openPaidDay();
  await syncDispute(day.world.services, await dispute(day));
  assert(await isBlocked(day));
  assertEquals(await day.balance("processor_clearing"), 0);
  assertEquals(await day.balance("disputed_funds"), PAID_CENTS);
});

Deno.test("a dispute that is won unblocks the account and brings the money back", async () => {
  await using day = await openPaidDay();
  const { services, simulator } = day.world;
  const id = await dispute(day);
  await syncDispute(services, id);
  simulator.control.disputes.turn(id, "won");
  await syncDispute(services, id);
  assert(!await isBlocked(day));
  assertEquals(await day.balance("processor_clearing"), PAID_CENTS);
  assertEquals(await day.balance("disputed_funds"), 0);
  assertEquals((await day.invoice()).money, "sold");
});

Deno.test("a dispute that is lost writes the money off and leaves the account blocked", async () => {
  await using day = await openPaidDay();
  const { services, simulator } = day.world;
  const id = await dispute(day);
  await syncDispute(services, id);
  simulator.control.disputes.turn(id, "lost");
  await syncDispute(services, id);
  assert(await isBlocked(day));
  assertEquals(await day.balance("disputed_funds"), 0);
  assertEquals(await day.balance("dispute_losses"), PAID_CENTS);
  assertEquals((await day.invoice()).money, "written_off");
});

Deno.test("an operator lifts the block of a lost dispute, not that of an open one", async () => {
  await using day = await openPaidDay();
  const { services, simulator } = day.world;
  const accountId = day.winner.account.id;
  const id = await dispute(day);
  await syncDispute(services, id);
  await liftBlock(services, { accountId, ...PAID_AGAIN });
  assert(await isBlocked(day), "it is still open");
  simulator.control.disputes.turn(id, "lost");
  await syncDispute(services, id);
  await liftBlock(services, { accountId, ...PAID_AGAIN });
  assert(!await isBlocked(day));
});

Deno.test("every lost dispute is lifted, however many open ones stand before it", async () => {
  await using day = await openPaidDay();
  const { services, simulator } = day.world;
  const accountId = day.winner.account.id;
  const lostId = await dispute(day);
  simulator.control.disputes.turn(lostId, "lost");
  await syncDispute(services, lostId);
  await services.store.transact(async (tx) => {
    const lost = await tx.disputes.find(lostId);
    const account = await tx.accounts.find(accountId);
    assert(lost !== null && account !== null);
    const open = Array.from({ length: 12 }, (_, nth) => `du_open_${nth}`);
    for (const id of open) tx.disputes.save({ ...lost, id, state: "open" });
    tx.accounts.save({ ...account, blockingDisputes: [...open, lostId] });
  });
  const { blockingDisputes } = await liftBlock(services, {
    accountId,
    ...PAID_AGAIN,
  });
  assertEquals(blockingDisputes?.length, 12);
  assert(!blockingDisputes?.includes(lostId));
});

Deno.test("looking twice moves, books and logs once", async () => {
  await using day = await openPaidDay();
  const id = await dispute(day);
  const { services, log } = day.world;
  const { store } = services;
  const state = async () => ({
    ledger: await store.listLedger({ limit: 100 }),
    moves: (await store.disputes.find(id))?.moves,
    told: log.events.filter((event) => event === "dispute.moved").length,
  });
  await syncDispute(services, id);
  const once = await state();
  assertEquals([once.moves, once.told], [1, 1]);
  await syncDispute(services, id);
  assertEquals(await state(), once);
});

Deno.test("a dispute first seen when it is decided books what the bank held in between", async () => {
  for (const turn of ["won", "lost"] as const) {
    await using day = await openPaidDay();
    const { services, simulator } = day.world;
    const id = await dispute(day);
    simulator.control.disputes.turn(id, turn);
    await syncDispute(services, id);
    const { paymentId } = await day.invoice();
    const entries = await services.store.listLedgerOfPayment(
      paymentId ?? "",
      { limit: 9 },
    );
    assertEquals(
      entries.filter(({ kind }) => kind === "dispute").length,
      2,
      turn,
    );
  }
});

Deno.test("an answer that others have overtaken undoes nothing", async () => {
  await using day = await openPaidDay();
  const { services, simulator } = day.world;
  const id = await dispute(day);
  let asked = 0;
  const retrieveDispute = async (disputeId: string) => {
    const answer = await services.processor.retrieveDispute(disputeId);
    asked += 1;
    if (asked === 1) {
      simulator.control.disputes.turn(id, "won");
      await syncDispute(services, id);
    }
    return answer;
  };
  const processor = { ...services.processor, retrieveDispute };
  await syncDispute({ ...services, processor }, id);
  assertEquals(asked, 2);
  assert(!await isBlocked(day));
  assertEquals(await day.balance("processor_clearing"), PAID_CENTS);
});

Deno.test("a dispute that no event told of is found by the sweep", async () => {
  await using day = await openPaidDay();
  await dispute(day);
  await sweepDisputes(day.world.services);
  assert(await isBlocked(day));
});

Deno.test("an inquiry moves no money and blocks nobody", async () => {
  await using day = await openPaidDay();
  const { services, simulator } = day.world;
  const { paymentId } = await day.invoice();
  const { id } = simulator.control.disputes.open(paymentId ?? "", {
    kind: "inquiry",
  });
  await syncDispute(services, id);
  assert(!await isBlocked(day));
  assertEquals(await day.balance("processor_clearing"), PAID_CENTS);
  simulator.control.disputes.turn(id, "escalated");
  await syncDispute(services, id);
  assert(await isBlocked(day));
  assertEquals(await day.balance("disputed_funds"), PAID_CENTS);
});

Deno.test("a dispute of a payment that is none of ours is left alone and told", async () => {
  await using day = await openPaidDay();
  const { stripe, simulator, services, log } = day.world;
  const { id: foreign } = await stripe.paymentIntents.create({
    amount: 500,
    currency: "eur",
    confirm: true,
    payment_method: "pm_card_visa",
    automatic_payment_methods: { enabled: true, allow_redirects: "never" },
  });
  const { id } = simulator.control.disputes.open(foreign);
  await syncDispute(services, id);
  assertEquals(await services.store.disputes.find(id), null);
  assert(log.lines.some((line) => line.includes("dispute.of_unknown_payment")));
});

Deno.test("a dispute the processor does not tell about now is looked at again", async () => {
  await using day = await openPaidDay();
  const id = await dispute(day);
  day.world.simulator.control.addFault({
    kind: "error_before_effect",
    path: "/v1/disputes/*",
  });
  await assertRejects(
    () => syncDispute(day.world.services, id),
    ProcessorUncertain,
  );
});

Deno.test("money the bank took back is not given back as well", async () => {
  await using day = await openPaidDay();
  const { services, simulator, clock } = day.world;
  const id = await dispute(day);
  await refundSpotlight(services, { day: AUCTION_DAY, note: "goodwill" });
  assertEquals((await day.invoice()).money, "refunding");
  simulator.control.disputes.turn(id, "lost");
  await syncDispute(services, id);
  clock.advance(86_400_000);
  await refundDueInvoices(services);
  assertEquals((await day.invoice()).money, "written_off");
  assertEquals(simulator.control.objects("refund").length, 0);
});

Deno.test("a refund that waited for a dispute is made when the dispute is won", async () => {
  await using day = await openPaidDay();
  const { services, simulator, clock } = day.world;
  const id = await dispute(day);
  await syncDispute(services, id);
  await refundSpotlight(services, { day: AUCTION_DAY, note: "goodwill" });
  simulator.control.disputes.turn(id, "won");
  await syncDispute(services, id);
  clock.advance(86_400_000);
  await refundDueInvoices(services);
  assertEquals((await day.invoice()).money, "refunded");
  assertEquals(await day.balance("processor_clearing"), 0);
});

Deno.test("a crash anywhere in a look leaves books and account in one piece", async () => {
  const points = await everyCrashPoint(async (point) => {
    await using day = await openPaidDay();
    const id = await dispute(day);
    const doomed = day.world.another();
    doomed.kv.crashAt(point);
    await syncDispute(doomed.services, id).catch((error) => {
      if (!isCrash(error)) throw error;
    });
    const held = await day.balance("disputed_funds");
    assertEquals(held === PAID_CENTS, await isBlocked(day));
    await syncDispute(day.world.services, id);
    assertEquals(await day.balance("disputed_funds"), PAID_CENTS);
    return doomed.kv.dead;
  });
  assert(points >= 2);
});

Deno.test("whenever we look, the books end where the bank ends", async () => {
  const turn = fc.constantFrom("look", "won", "lost", "sweep");
  await fc.assert(
    fc.asyncProperty(fc.array(turn, { maxLength: 6 }), async (story) => {
      await using day = await openPaidDay();
      const { services, simulator } = day.world;
      const id = await dispute(day);
      for (const what of story) {
        if (what === "look") await syncDispute(services, id);
        else if (what === "sweep") await sweepDisputes(services);
        else decide(day, id, what);
      }
      await syncDispute(services, id);
      const [found] = simulator.control.objects("dispute");
      const isWon = found?.status === "won";
      assertEquals(
        await day.balance("processor_clearing"),
        isWon ? PAID_CENTS : 0,
      );
      assertEquals(await isBlocked(day), !isWon);
    }),
    { numRuns: 25 },
  );
});

const STANDINGS = ["open", "won", "lost", "warning", "prevented"] as const;

Deno.test("whatever order the processor says a dispute's states in, it is taken, and no cent is made up", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom(...STANDINGS), { maxLength: 8 }),
      async (story) => {
        await using day = await openPaidDay();
        const { services } = day.world;
        const id = await dispute(day);
        for (const standing of story) {
          await syncDispute(sayingOf(services, standing), id);
          assertEquals(await day.balance("processor_clearing"), 0);
          const isBooked = await day.balance("disputed_funds") +
            await day.balance("dispute_losses");
          assertEquals(isBooked, PAID_CENTS);
        }
      },
    ),
    { numRuns: 20 },
  );
});

Deno.test("a lost dispute that becomes an inquiry is followed and told, a won one that is appealed is not", async () => {
  await using day = await openPaidDay();
  const { services, log } = day.world;
  const id = await dispute(day);
  const isTold = () =>
    log.lines.some((line) => line.includes("dispute.unexpected_turn"));
  for (const standing of ["won", "open", "lost"] as const) {
    await syncDispute(sayingOf(services, standing), id);
  }
  assert(!isTold(), "banks are known to go there");
  await syncDispute(sayingOf(services, "warning"), id);
  assert(isTold());
  assert(!await isBlocked(day));
  assertEquals((await day.invoice()).money, "sold");
});

Deno.test("a dispute that was prevented and took the money all the same blocks the account until an operator lifts that", async () => {
  await using day = await openPaidDay();
  const { services } = day.world;
  const accountId = day.winner.account.id;
  const id = await dispute(day);
  await syncDispute(sayingOf(services, "prevented"), id);
  assertEquals(await day.balance("dispute_losses"), PAID_CENTS);
  assert(await isBlocked(day));
  const mails = await services.store.listMails({ limit: 9 });
  const disputes = mails.filter(({ kind }) => kind?.startsWith("dispute_"));
  assertEquals(disputes.map(({ kind }) => kind), ["dispute_lost"]);
  await liftBlock(services, { accountId, ...PAID_AGAIN });
  assert(!await isBlocked(day));
});

Deno.test("a dispute that was prevented and took the money blocks the account no more once it is won", async () => {
  await using day = await openPaidDay();
  const { services } = day.world;
  const id = await dispute(day);
  await syncDispute(sayingOf(services, "prevented"), id);
  await syncDispute(sayingOf(services, "won"), id);
  assert(!await isBlocked(day));
});

/** The processor, which says something else of how disputes stand. */
function sayingOf(services: Services, standing: DisputeStanding): Services {
  const retrieveDispute = async (id: string) => {
    const asked = await services.processor.retrieveDispute(id);
    return asked.ok ? { ...asked, value: { ...asked.value, standing } } : asked;
  };
  return { ...services, processor: { ...services.processor, retrieveDispute } };
}

function decide(day: PaidDay, id: string, turn: "won" | "lost"): void {
  try {
    day.world.simulator.control.disputes.turn(id, turn);
  } catch (error) {
    // It was decided before.
    if (!(error instanceof RangeError)) throw error;
  }
}
