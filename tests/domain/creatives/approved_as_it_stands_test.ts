/**
 * What a sold day shows after a restore has to be approved as it stands, whatever
 * way the creative was archived by.
 */
import { assertEquals } from "@std/assert";
import { isApprovedAsItStands } from "../../../domain/creatives/creative.ts";
import {
  approveCreative,
  rejectCreative,
  withdrawApproval,
} from "../../../domain/creatives/review_creative.ts";
import {
  type Agent,
  type BiddingWorld,
  openBiddingWorld,
} from "../../support/bidding_world.ts";
import {
  adIdOf,
  DECEPTIVE,
  DESK,
  stored,
  submitted,
  verbsOf,
} from "./creative_world.ts";

type Way = (world: BiddingWorld, agent: Agent) => Promise<string>;

async function decided(
  { services }: BiddingWorld,
  agent: Agent,
  decision: "approve" | "reject" | "withdraw",
): Promise<string> {
  const adId = await submitted(services, agent);
  if (decision === "reject") {
    await rejectCreative(services, { adId, by: DESK, typed: DECEPTIVE });
    return adId;
  }
  await approveCreative(services, { adId, by: DESK });
  if (decision === "withdraw") {
    await withdrawApproval(services, { adId, by: DESK, typed: DECEPTIVE });
  }
  return adId;
}

/** The newest version of a creative that is approved, or was turned down. */
async function revised(
  world: BiddingWorld,
  agent: Agent,
  decision: "approve" | "reject",
): Promise<string> {
  const adId = await decided(world, agent, decision);
  const { update } = verbsOf(world.services, agent);
  return adIdOf(await update(adId, { headline: "Nobody has seen this" }));
}

/** Every way to what can be archived, and whether that was approved. */
const WAYS: Record<string, { way: Way; isApproved: boolean }> = {
  "a draft": {
    way: async ({ services }, agent) =>
      adIdOf(await verbsOf(services, agent).create()),
    isApproved: false,
  },
  "a submitted one": {
    way: ({ services }, agent) => submitted(services, agent),
    isApproved: false,
  },
  "a rejected one": {
    way: (world, agent) => decided(world, agent, "reject"),
    isApproved: false,
  },
  "one whose approval was withdrawn": {
    way: (world, agent) => decided(world, agent, "withdraw"),
    isApproved: false,
  },
  "a draft that revises an approved one": {
    way: (world, agent) => revised(world, agent, "approve"),
    isApproved: false,
  },
  "a draft that revises a rejected one": {
    way: (world, agent) => revised(world, agent, "reject"),
    isApproved: false,
  },
  "an approved one": {
    way: (world, agent) => decided(world, agent, "approve"),
    isApproved: true,
  },
  "an approved one that was edited, which is another": {
    way: async (world, agent) => {
      const adId = await decided(world, agent, "approve");
      const { update } = verbsOf(world.services, agent);
      await update(adId, { headline: "Nobody has seen this" });
      return adId;
    },
    isApproved: true,
  },
};

for (const [what, { way, isApproved }] of Object.entries(WAYS)) {
  Deno.test(`${what} is ${isApproved ? "" : "not "}approved as it stands, archived as before`, async () => {
    await using world = await openBiddingWorld();
    const agent = await world.agent("baker");
    const adId = await way(world, agent);
    const before = await stored(world, agent, adId);
    assertEquals(isApprovedAsItStands(before), isApproved);
    await verbsOf(world.services, agent).archive(adId);
    const after = await stored(world, agent, adId);
    assertEquals(after.state, "archived");
    assertEquals(isApprovedAsItStands(after), isApproved);
  });
}

Deno.test("a creative approved before names were frozen is approved as it stands, archived as before", () => {
  const reviewedAtMs = 1;
  const rejection = DECEPTIVE as never;
  assertEquals(isApprovedAsItStands({ state: "approved" }), true);
  const archived = { state: "archived", reviewedAtMs } as const;
  assertEquals(isApprovedAsItStands(archived), true);
  assertEquals(isApprovedAsItStands({ ...archived, rejection }), false);
});
