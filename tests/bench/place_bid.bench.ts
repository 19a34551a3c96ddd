/**
 * What bidding sustains over an embedded store in a file, beside the least that
 * any change of one's own record costs there:
 *
 * ```sh
 * deno run -A tests/bench/place_bid.bench.ts [advertisers] [bids each]
 * ```
 *
 * @module
 */
import { placeBid } from "../../domain/bidding/place_bid.ts";
import {
  type Agent,
  bidBy,
  openBiddingWorld,
} from "../support/bidding_world.ts";

/** How much is measured. */
export interface PlaceBidBench {
  advertisers?: number;
  /** The first is a new bid, the others are raises. */
  bidsEach?: number;
  rounds?: number;
}

/** Medians over the rounds, operations a second. */
export interface PlaceBidFigures {
  /** Bids accepted, all advertisers bidding at once. */
  bidsPerS: number;
  /** get, check and set of one key an advertiser, all at once. */
  setsPerS: number;
  /** How many bids one such set is worth. */
  ratio: number;
}

/** Runs both side by side and answers the medians. */
export async function benchPlaceBid(
  options: PlaceBidBench = {},
): Promise<PlaceBidFigures> {
  const { advertisers = 50, bidsEach = 20, rounds = 3 } = options;
  const bids: number[] = [];
  const sets: number[] = [];
  for (let round = 0; round < rounds; round++) {
    sets.push(await inFolder((path) => setRound(path, advertisers, bidsEach)));
    bids.push(await inFolder((path) => bidRound(path, advertisers, bidsEach)));
  }
  const [bidsPerS, setsPerS] = [median(bids), median(sets)];
  return { bidsPerS, setsPerS, ratio: bidsPerS / setsPerS };
}

async function bidRound(
  path: string,
  advertisers: number,
  bidsEach: number,
): Promise<number> {
  await using world = await openBiddingWorld({ path });
  const agents: Agent[] = [];
  for (let n = 0; n < advertisers; n++) {
    agents.push(await world.agent(`advertiser${n}`));
  }
  return await perSecond(advertisers, bidsEach, async (who, turn) => {
    const agent = agents[who];
    if (agent === undefined) return;
    const amountCents = 1_000 + turn;
    await placeBid(world.services, bidBy(agent, { amountCents }));
  });
}

async function setRound(
  path: string,
  advertisers: number,
  setsEach: number,
): Promise<number> {
  // The store's own, without what this project puts in front of it.
  const kv = await Deno.openKv(path);
  const value = { amountCents: 1_000, placedAtMs: 0, adId: "ad_1" };
  try {
    return await perSecond(advertisers, setsEach, async (who, turn) => {
      const key = ["own", who];
      const entry = await kv.get(key);
      const atomic = kv.atomic();
      atomic.check({ key, versionstamp: entry.versionstamp });
      atomic.set(key, { ...value, turn });
      if (!(await atomic.commit()).ok) throw new Error("lost a race");
    });
  } finally {
    kv.close();
  }
}

/** Each client takes its turns one after the other, all clients at once. */
async function perSecond(
  clients: number,
  turns: number,
  act: (who: number, turn: number) => Promise<void>,
): Promise<number> {
  const startMs = performance.now();
  await Promise.all(Array.from({ length: clients }, async (_, who) => {
    for (let turn = 0; turn < turns; turn++) await act(who, turn);
  }));
  return clients * turns / (performance.now() - startMs) * 1_000;
}

async function inFolder(run: (path: string) => Promise<number>) {
  const folder = await Deno.makeTempDir({ prefix: "place-bid-" });
  try {
    return await run(`${folder}/kv`);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

if (import.meta.main) {
  const [advertisers = 50, bidsEach = 20] = Deno.args.map(Number);
  const figures = await benchPlaceBid({ advertisers, bidsEach });
  const row = {
    advertisers,
    bidsPerS: Math.round(figures.bidsPerS),
    setsPerS: Math.round(figures.setsPerS),
    ratio: Number(figures.ratio.toFixed(2)),
  };
  // deno-lint-ignore no-console -- this is what the benchmark is for
  console.log(JSON.stringify(row));
}
