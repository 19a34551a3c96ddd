import type { Contest, Round, Suite } from "../../tools/bench/suite.ts";
import { ratioTarget } from "../../tools/bench/suite.ts";
import { benchPlaceBid } from "./place_bid.bench.ts";

const ADVERTISERS = 50;
/** Long enough for the store's own pauses to even out. */
const BIDS_EACH = 40;

const BIDS = "placeBid(), 50 advertisers";
const SETS = "the store's get + check + set, 50 keys";

/** Bids beside the least that any change of a record costs the store. */
export const bids: Suite = {
  name: "bids",
  title: "Bids placed at once, and the store they are placed in",
  prepare: () => Promise.resolve(contest),
};

const contest: Contest = {
  async warmUp() {
    await benchPlaceBid({ advertisers: ADVERTISERS, bidsEach: 4, rounds: 1 });
  },
  async playRound(): Promise<Round> {
    const { bidsPerS, setsPerS } = await benchPlaceBid({
      advertisers: ADVERTISERS,
      bidsEach: BIDS_EACH,
      rounds: 1,
    });
    return new Map([
      [SETS, { perSecond: setsPerS }],
      [BIDS, { perSecond: bidsPerS }],
    ]);
  },
  targets: [ratioTarget(BIDS, SETS, 0.4)],
  notes: [
    "Both over the embedded store in a file, in this process, without HTTP.",
  ],
};
