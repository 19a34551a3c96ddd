/**
 * What becomes of a day while the machine sleeps, or its clock leaps, in the one
 * moment in which the processor is asked something.
 */
import { assertEquals } from "@std/assert";
import { MINUTE_MS } from "../../../domain/day.ts";
import { ProcessorUncertain } from "../../../domain/failure.ts";
import type { Processor } from "../../../domain/payments/processor.ts";
import { advanceAuctions } from "../../../domain/settlement/advance_auctions.ts";
import {
  AUCTION_DAY,
  type AuctionWorld,
  openAuctionWorld,
} from "../../support/auction_world.ts";
import { closeDay, outcomeOfDay } from "../../support/settlement_outcome.ts";

const SLEPT_MS = 61 * MINUTE_MS;

/** The services of a process that sleeps through its first call of this name. */
function sleeping(world: AuctionWorld, call: keyof Processor) {
  let isFirst = true;
  return world.another((processor) =>
    new Proxy(processor, {
      get(target, name) {
        const made: unknown = Reflect.get(target, name);
        if (name !== call || typeof made !== "function") return made;
        return async (...input: unknown[]) => {
          if (!isFirst) return await made.apply(target, input);
          isFirst = false;
          world.clock.advance(SLEPT_MS);
          throw new ProcessorUncertain("The connection is gone");
        };
      },
    })
  ).services;
}

const CALLS = [
  "createInvoice",
  "listInvoices",
  "addInvoiceLine",
  "finalizeInvoice",
  "payInvoice",
  "retrieveInvoice",
] as const;

for (const call of CALLS) {
  for (const isPutRight of [false, true]) {
    const how = isPutRight
      ? "a clock leaps an hour and back"
      : "a machine sleeps";
    Deno.test(`the best bid wins though ${how} while ${call} is asked, which has no answer`, async () => {
      await using world = await openAuctionWorld();
      await world.bid(await world.advertiser("ada"), 5_000);
      await world.bid(await world.advertiser("bob"), 4_000);
      world.clock.set(`${AUCTION_DAY}T23:55:00.000Z`);
      await closeDay(world.services);
      const services = sleeping(world, call);
      const beganMs = world.clock.now();
      await advanceAuctions(services);
      assertEquals(world.clock.now(), beganMs + SLEPT_MS, "it was asked");
      if (isPutRight) world.clock.advance(-SLEPT_MS);
      for (let tries = 0; tries < 3; tries++) {
        world.clock.advance(6 * MINUTE_MS);
        await advanceAuctions(services);
      }
      const { bids } = await outcomeOfDay(world);
      assertEquals(bids["acc_ada"], "won");
    });
  }
}
