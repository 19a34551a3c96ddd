import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { eligibilityReasons } from "../../../domain/accounts/eligibility.ts";
import { liftBlock, namesOfLost } from "../../../domain/disputes/lift_block.ts";
import { syncDispute } from "../../../domain/disputes/sync_dispute.ts";
import { sweepDisputes } from "../../../domain/disputes/sweep_disputes.ts";
import { everyCrashPoint, isCrash } from "../../support/faults.ts";
import { assertRefused } from "../../support/refused.ts";
import { openPaidDay, type PaidDay } from "../../support/paid_day.ts";

const ORDER = {
  by: { kind: "operator_key" },
  reason: "Paid again.",
  about: null,
} as const;

async function disputed(day: PaidDay): Promise<string> {
  const { paymentId } = await day.invoice();
  assert(paymentId !== null, "the winner has paid");
  return day.world.simulator.control.disputes.open(paymentId).id;
}

async function accountOf({ world, winner }: PaidDay) {
  const account = await world.services.store.accounts.find(winner.account.id);
  assert(account !== null);
  return account;
}

async function reasonsOf(day: PaidDay) {
  const { settings } = day.world.services;
  return eligibilityReasons(await accountOf(day), settings);
}

async function subjectsOf(day: PaidDay): Promise<string[]> {
  const mails = await day.world.services.store.listMails({ limit: 99 });
  return mails.filter(({ to }) => to === day.winner.account.email)
    .map(({ subject }) => subject)
    .filter((subject) => /disput|blocked/.test(subject));
}

Deno.test("a lost dispute is a reason of its own, and each turn is told by one mail", async () => {
  await using day = await openPaidDay();
  const { services, simulator, clock } = day.world;
  const id = await disputed(day);
  await syncDispute(services, id);
  assertEquals(await reasonsOf(day), ["dispute_open"]);
  simulator.control.disputes.turn(id, "lost");
  for (let nth = 0; nth < 2; nth++) {
    clock.advance(1_000);
    await syncDispute(services, id);
    assertEquals(await reasonsOf(day), ["dispute_lost"]);
  }
  const opened = "A payment of yours is disputed at your bank";
  const lost = "A disputed payment was decided against us";
  assertEquals(await subjectsOf(day), [opened, lost]);
  clock.advance(1_000);
  const accountId = day.winner.account.id;
  await liftBlock(services, { accountId, ...ORDER });
  assertEquals(await reasonsOf(day), []);
  const { number } = await day.invoice();
  const mails = await services.store.listMails({ limit: 99 });
  const told = mails.find(({ subject }) => subject === lost);
  assertStringIncludes(told?.text ?? "", number);
  assertStringIncludes(told?.text ?? "", services.settings.seller.email);
  assertStringIncludes(mails.at(-1)?.text ?? "", "Paid again.");
  const [note] = await services.store.listAccountNotes(accountId, { limit: 9 });
  assertEquals([note?.event, note?.reason], ["block_lifted", "Paid again."]);
});

Deno.test("a lost dispute that is won on appeal takes its mark along, and the owner is told", async () => {
  await using day = await openPaidDay();
  const { services, simulator, clock } = day.world;
  const id = await disputed(day);
  simulator.control.disputes.turn(id, "lost");
  await syncDispute(services, id);
  assertEquals(await reasonsOf(day), ["dispute_lost"]);
  clock.advance(1_000);
  // The simulator knows no appeals.
  const appealed = day.world.another((real) => ({
    ...real,
    async retrieveDispute(disputeId) {
      const found = await real.retrieveDispute(disputeId);
      if (!found.ok) return found;
      return { ok: true, value: { ...found.value, standing: "won" } };
    },
  }));
  await syncDispute(appealed.services, id);
  assertEquals(await reasonsOf(day), []);
  assertEquals(
    (await subjectsOf(day)).at(-1),
    "The dispute of your payment is over",
  );
  assertEquals((await accountOf(day)).disputeLostAtMs, undefined);
  const waiting = await services.store.listWaitingAccounts({ limit: 9 });
  assertEquals(waiting, []);
});

Deno.test("an account that a lost dispute blocks waits at the desk until it is lifted", async () => {
  await using day = await openPaidDay();
  const { services, simulator } = day.world;
  const id = await disputed(day);
  simulator.control.disputes.turn(id, "lost");
  await syncDispute(services, id);
  const waiting = async () =>
    (await services.store.listWaitingAccounts({ limit: 9 }))
      .map((account) => account.id);
  const accountId = day.winner.account.id;
  assertEquals(await waiting(), [accountId]);
  await liftBlock(services, { accountId, ...ORDER });
  assertEquals(await waiting(), []);
});

Deno.test("an account blocked before lost disputes had marks gets them from the nightly sweep, or when it is lifted", async () => {
  for (const how of ["sweep", "lift"] as const) {
    await using day = await openPaidDay();
    const { services, simulator } = day.world;
    const id = await disputed(day);
    simulator.control.disputes.turn(id, "lost");
    await syncDispute(services, id);
    const { lostDisputes: _, disputeLostAtMs: __, ...before } = await accountOf(
      day,
    );
    await services.store.transact(async (tx) => {
      await tx.accounts.find(before.id);
      tx.accounts.save(before);
    });
    assertEquals(await reasonsOf(day), ["dispute_open"]);
    if (how === "sweep") {
      await sweepDisputes(services);
      assertEquals(await reasonsOf(day), ["dispute_lost"]);
    }
    await liftBlock(services, { accountId: before.id, ...ORDER });
    assertEquals(await reasonsOf(day), []);
    // What was lifted stays lifted, however often the sweep comes by.
    await sweepDisputes(services);
    assertEquals(await reasonsOf(day), []);
  }
});

Deno.test("a crash tells of a dispute with its books, or not at all", async () => {
  const points = await everyCrashPoint(async (point) => {
    await using day = await openPaidDay();
    const id = await disputed(day);
    const doomed = day.world.another();
    doomed.kv.crashAt(point);
    await syncDispute(doomed.services, id).catch((error) => {
      if (!isCrash(error)) throw error;
    });
    const isBlocked = (await accountOf(day)).disputeOpen;
    assertEquals((await subjectsOf(day)).length, isBlocked ? 1 : 0);
    await syncDispute(day.world.services, id);
    assertEquals((await subjectsOf(day)).length, 1);
    return doomed.kv.dead;
  });
  assert(points >= 2);
});

Deno.test("what was lost after an operator looked is not lifted with what they saw", async () => {
  await using day = await openPaidDay();
  const { services } = day.world;
  const account = await accountOf(day);
  const lost = (...lostDisputes: string[]) =>
    services.store.transact((tx) => {
      const blockingDisputes = lostDisputes;
      const blocked = { disputeOpen: true, blockingDisputes, lostDisputes };
      tx.accounts.save({ ...account, ...blocked, disputeLostAtMs: 1 });
      return Promise.resolve();
    });
  const many = Array.from({ length: 25 }, (_, nth) => `dp_${nth}`);
  for (const seen of [["dp_1"], many]) {
    await lost(...seen);
    const about = namesOfLost(await accountOf(day));
    const order = { ...ORDER, accountId: account.id, about };
    await lost(...seen, "dp_since");
    await assertRefused(
      () => liftBlock(services, order),
      "decision_outdated",
    );
    assertEquals((await accountOf(day)).disputeOpen, true);
    await lost(...seen);
    await liftBlock(services, order);
    assertEquals((await accountOf(day)).disputeOpen, false);
  }
});
