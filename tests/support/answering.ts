import { ProcessorUncertain } from "../../domain/failure.ts";
import type { Processor } from "../../domain/payments/processor.ts";
import type { Services } from "../../domain/ports.ts";
import type { AuctionWorld } from "./auction_world.ts";

/**
 * The services of a process whose processor answers each of these calls as it is
 * told to at the time; where that is nothing, as it does.
 */
export function answering(
  world: AuctionWorld,
  answers: Partial<Record<keyof Processor, () => unknown>>,
): Services {
  return world.another((real) =>
    new Proxy(real, {
      get(target, name: keyof Processor) {
        const made = target[name] as (...input: unknown[]) => unknown;
        return async (...input: unknown[]) =>
          await answers[name]?.() ?? await made.apply(target, input);
      },
    })
  ).services;
}

/** A call without an answer. */
export function lost(): never {
  throw new ProcessorUncertain("The connection is gone");
}

/** Loses the next call of this name, once it is ordered. */
export function losesOne() {
  let left = 0;
  return { order: () => left = 1, lose: () => left-- > 0 ? lost() : undefined };
}
