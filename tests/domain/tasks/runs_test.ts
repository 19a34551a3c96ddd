/**
 * How much work one run of a job and one process take on at a time, of what
 * nothing but this bounds.
 *
 * @module
 */
import { assertEquals } from "@std/assert";
import {
  advanceCommissions,
  createCommissionPump,
} from "../../../domain/partners/advance_commissions.ts";
import {
  createPayoutPump,
  sendPayouts,
} from "../../../domain/partners/send_payouts.ts";
import type { Services, StartTimer } from "../../../domain/ports.ts";
import {
  createRequestPump,
  fulfilRequests,
} from "../../../domain/privacy/fulfil_requests.ts";
import type { Pump } from "../../../domain/tasks/pump.ts";
import { openAuctionWorld } from "../../support/auction_world.ts";
import { ManualTimer } from "../../support/timer.ts";

/** Work, rows that a round reads, and rounds, where rows never end. */
const RUNS: [
  run: (services: Services) => Promise<void>,
  asked: [work: string, limit: number, rounds: number][],
][] = [
  [advanceCommissions, [["commissions", 200, 5], ["statements", 200, 5]]],
  [sendPayouts, [["payouts", 200, 1]]],
  [fulfilRequests, [["dataRequests", 200, 1]]],
];

for (const [run, expected] of RUNS) {
  Deno.test(`${run.name}() reads so much of what is due, and leaves the rest to the next run`, async () => {
    await using world = await openAuctionWorld();
    const { services } = world;
    const asked = new Map<string, [limit: number, rounds: number]>();
    const listDue = (work: string, _: number, { limit = 0 }) => {
      asked.set(work, [limit, (asked.get(work)?.[1] ?? 0) + 1]);
      // Of nothing that there is: to try it changes nothing.
      return Promise.resolve([{ id: "no", partnerId: "no", accountId: "no" }]);
    };
    const store = { ...services.store, listDue } as never;
    await run({ ...services, store });
    assertEquals([...asked].map(([work, found]) => [work, ...found]), expected);
  });
}

const PUMPS: [
  create: (services: Services, startTimer: StartTimer) => Pump<string>,
  graceMs: number,
  event: string,
][] = [
  [createCommissionPump, 2_000, "partner.commission_uncounted"],
  [createPayoutPump, 2_000, "payout.not_tried"],
  [createRequestPump, 5_000, "privacy.unrecorded"],
];

for (const [create, graceMs, event] of PUMPS) {
  Deno.test(`${create.name}() does one at a time, logs what throws, and is waited for ${graceMs} ms when the service stops`, async () => {
    await using world = await openAuctionWorld();
    const { services, log } = world;
    const begun: PromiseWithResolvers<null>[] = [];
    let onBegun = Promise.withResolvers<void>();
    const begin = () => {
      const read = Promise.withResolvers<null>();
      begun.push(read);
      onBegun.resolve();
      return read.promise;
    };
    // What each begins by.
    const invoices = { ...services.store.invoices, find: begin };
    const store = { ...services.store, currentHold: begin, invoices } as never;
    const timer = new ManualTimer();
    const pump = create({ ...services, store }, timer.start);
    pump.offer(["first", "second"]);
    await onBegun.promise;
    assertEquals(begun.length, 1);
    onBegun = Promise.withResolvers();
    begun[0]?.reject(new TypeError("lost"));
    await onBegun.promise;
    assertEquals(log.events.filter((each) => each === event), [event]);
    const closing = pump.close();
    assertEquals(timer.waiting, [graceMs]);
    timer.fire();
    await closing;
    assertEquals(begun.length, 2);
    begun[1]?.resolve(null);
  });
}
