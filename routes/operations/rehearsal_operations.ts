import { commitOnce, done } from "../../domain/idempotency/answer_once.ts";
import { practiceGrant } from "../../domain/sandbox/practice_records.ts";
import {
  rehearseChange,
  type Rehearsed,
  rehearseReading,
} from "../../domain/sandbox/rehearse.ts";
import { settleRehearsal } from "../../domain/sandbox/settle_rehearsal.ts";
import { CHANGES } from "../mcp/effects.ts";
import type { BidBody } from "../shapes/bid_body.ts";
import { AGENT_OPERATIONS } from "./agent_operations.ts";
import { bidRecord } from "./bids.ts";
import { type Change, change, type Reading } from "./operation.ts";

/** The operations of a bid, by their tools. */
const REHEARSED: readonly string[] = [
  "get_account",
  "get_auction",
  "list_my_bids",
  "get_bid",
  "place_bid",
];

/** The one thing that a rehearsal has and the agent API has not. */
const SETTLE: Change = change({
  at: "POST /settle",
  scope: "bids:write",
  id: "settle",
  summary: "Settle the day of the rehearsal",
  docs: "`{bids}`: the bids of the rehearsal, settled.",
  tool: "settle",
  title: "Settle the day",
  description: "Closes and settles the day of the rehearsal at once. What " +
    "becomes of its bid depends on the creative it named.",
  effects: CHANGES,
  key: "required",
  schema: "BidList",
  change: (services, { grant: { accountId }, binding }) =>
    commitOnce(services, binding, async () => {
      const settled = await settleRehearsal(services, { accountId });
      return done({ bids: settled.map(bidRecord) });
    }),
});

/**
 * What can be rehearsed: the operations of the agent API themselves, run over a
 * rehearsal in place of the store, and its settlement. The id of the rehearsal
 * is that of the grant which they are asked under.
 */
export const REHEARSAL_OPERATIONS: readonly (Reading | Change)[] = [
  ...AGENT_OPERATIONS.filter((each) => each.kind !== "download")
    .filter(({ tool }) => REHEARSED.includes(tool)),
  SETTLE,
].map((each) => each.kind === "reading" ? readHere(each) : changeHere(each));

function readHere(operation: Reading): Reading {
  return {
    ...operation,
    read(services, asked) {
      const adId = asked.query["ad_id"] as string | undefined ?? null;
      const rehearsed = { rehearsalId: asked.grant.id, adId };
      return rehearseReading(
        services,
        rehearsed,
        (practice) => operation.read(practice, under(rehearsed, asked)),
      );
    },
  };
}

function changeHere(operation: Change): Change {
  return {
    ...operation,
    change(services, asked) {
      const adId = (asked.body as BidBody | null)?.adId ?? null;
      const rehearsed = { rehearsalId: asked.grant.id, adId };
      return rehearseChange(
        services,
        rehearsed,
        (practice) => operation.change(practice, under(rehearsed, asked)),
      );
    },
  };
}

/** The same, asked under the grant that the named creative stands for. */
function under<Asked>({ rehearsalId, adId }: Rehearsed, asked: Asked): Asked {
  return { ...asked, grant: practiceGrant(rehearsalId, adId) };
}
