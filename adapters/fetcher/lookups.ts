import { lookup } from "node:dns/promises";
import {
  FairQueue,
  type FairQueueLimits,
} from "../../domain/fetching/fair_queue.ts";
import type { StartTimer } from "../../domain/ports.ts";
import type { HostAddress } from "./exchange.ts";

/** All addresses of a host. */
export type Resolver = (host: string) => Promise<readonly HostAddress[]>;

/** The same at somebody's wish, when it is their turn. */
export type FairResolver = (
  asker: string,
  host: string,
) => Promise<readonly HostAddress[]>;

/** The time that turns are taken by. */
export interface LookupTime {
  nowMs(): number;
  later(...timer: Parameters<StartTimer>): () => void;
}

/**
 * Look-ups under way of documents, and as many of messages. One that nobody
 * waits for any more goes on until the system gives it up, 10 to 20 s later, and
 * holds one of Deno's 32 threads: with all of them held no name is found, and no
 * file read, by anybody. So it counts until it has really ended.
 */
const LOOKUP_QUEUE: FairQueueLimits = {
  running: 8,
  runningOfOne: 2,
  oneEachFrom: 4,
  runningInLane: 2,
  startsPerS: 100,
  waiting: 32,
  waitingOfOne: 8,
  maxWaitMs: 1_500,
};

/** A resolver whose look-ups are begun in turns. */
export function fairLookups(
  resolve: Resolver,
  time: LookupTime,
): FairResolver {
  const queue = new FairQueue({
    clock: { now: () => time.nowMs() },
    startTimer: (run, ms) => time.later(run, ms),
    limits: LOOKUP_QUEUE,
  });
  return (asker, host) =>
    queue.run(asker, host, async () => await resolve(host));
}

/** The resolver of the system, with its file of hosts. */
export const systemResolver: Resolver = (
  host,
): Promise<readonly HostAddress[]> => lookup(host, { all: true });
