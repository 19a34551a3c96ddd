import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { placeBid } from "../../../domain/bidding/place_bid.ts";
import {
  CREATIVE_STATES,
  type CreativeState,
} from "../../../domain/creatives/creative.ts";
import type { CreativeEvent } from "../../../domain/creatives/creative_note.ts";
import {
  approveCreative,
  rejectCreative,
  withdrawApproval,
} from "../../../domain/creatives/review_creative.ts";
import {
  type Agent,
  bidBy,
  type BiddingWorld,
  openBiddingWorld,
} from "../../support/bidding_world.ts";
import { refusalOf } from "../../support/refused.ts";
import {
  adIdOf,
  DECEPTIVE,
  DESK,
  notesOf,
  stored,
  verbsOf,
} from "./creative_world.ts";

const ACTIONS = [
  "update",
  "submit",
  "archive",
  "approve",
  "reject",
  "withdraw",
  "bid",
] as const;

type Action = typeof ACTIONS[number];

/** What a creative should be like, by the rules alone. */
interface Model {
  state: CreativeState;
  events: CreativeEvent[];
  mails: number;
  hasBid: boolean;
  /** Creatives of the account that are not archived, the world's among them. */
  kept: number;
}

/** Whether the action is granted, and what it makes of the model. */
function step(model: Model, action: Action): boolean {
  const { state } = model;
  const go = (to: CreativeState, event: CreativeEvent, mails = 0) => {
    model.state = to;
    model.events.push(event);
    model.mails += mails;
    return true;
  };
  switch (action) {
    case "update":
      if (state === "approved" || state === "rejected") model.kept++;
      return state !== "submitted" && state !== "archived";
    case "submit":
      if (state === "submitted") return true;
      return state === "draft" && go("submitted", "submitted");
    case "archive":
      if (state === "archived") return true;
      if (state === "approved" && model.hasBid) return false;
      model.kept--;
      return go("archived", "archived");
    case "approve":
      if (state === "approved") return true;
      return state === "submitted" && go("approved", "approved", 1);
    case "reject":
      if (state === "rejected") return true;
      return state === "submitted" && go("rejected", "rejected", 1);
    case "withdraw":
      if (state === "rejected") return true;
      return state === "approved" && go("rejected", "approval_withdrawn", 1);
    case "bid":
      model.hasBid ||= state === "approved";
      return state === "approved";
  }
}

/** Does the same to the service; answers whether it was granted. */
async function act(
  { services }: BiddingWorld,
  ada: Agent,
  adId: string,
  action: Action,
  nth: number,
): Promise<boolean> {
  const verbs = verbsOf(services, ada);
  const input = { adId, by: DESK, typed: DECEPTIVE };
  const bid = bidBy(ada, { adId, amountCents: 1_000 + nth });
  const calls: Record<Action, () => Promise<unknown>> = {
    update: () => verbs.update(adId, { headline: `Headline ${nth}` }),
    submit: () => verbs.submit(adId),
    archive: () => verbs.archive(adId),
    approve: () => approveCreative(services, input),
    reject: () => rejectCreative(services, input),
    withdraw: () => withdrawApproval(services, input),
    bid: () => placeBid(services, bid),
  };
  return await refusalOf(calls[action]) === null;
}

/** Holds everything that is kept of the creative to be as the model says. */
async function compare(
  world: BiddingWorld,
  ada: Agent,
  adId: string,
  model: Model,
): Promise<void> {
  const { store } = world.services;
  const creative = await stored(world, ada, adId);
  assertEquals(creative.state, model.state);
  const notes = await notesOf(world, adId);
  assertEquals(notes.map(({ event }) => event), model.events);
  assertEquals(
    notes.map(({ number }) => number),
    model.events.map((_, at) => at + 1),
  );
  // Beside the one that tells of the first bid of the day.
  const mails = (await store.listMails({ limit: 99 }))
    .filter(({ subject }) => !subject.startsWith("Your bid for "));
  assertEquals(mails.length, model.mails);
  const queue = await store.listSubmittedCreatives({ limit: 99 });
  assertEquals(queue.length, model.state === "submitted" ? 1 : 0);
  const quota = await store.creativeShelves.find("acc_ada");
  assertEquals(quota?.kept, model.kept);
  const newest = await store.listNewestCreatives("acc_ada", {
    limit: 99,
    before: null,
  });
  assertEquals(
    newest.filter(({ state }) => state !== "archived").length,
    model.kept,
  );
  assertEquals(creative.archiving, undefined);
}

Deno.test("a creative does what the model says, whatever is done to it in whatever order", async () => {
  const reached = new Set<CreativeState>();
  const actions = fc.array(fc.constantFrom(...ACTIONS), { maxLength: 10 });
  // Decisions are rare by chance alone.
  const lively = fc.tuple(
    actions,
    fc.constantFrom<Action[]>([], ["submit"], ["submit", "approve"], [
      "submit",
      "approve",
      "bid",
    ]),
    actions,
  ).map((parts) => parts.flat());
  await fc.assert(
    fc.asyncProperty(lively, async (sequence) => {
      await using world = await openBiddingWorld();
      const ada = await world.agent("ada");
      const adId = adIdOf(await verbsOf(world.services, ada).create());
      const model: Model = {
        state: "draft",
        events: ["created"],
        mails: 0,
        hasBid: false,
        kept: 2,
      };
      for (const [nth, action] of sequence.entries()) {
        const before = model.state;
        const wanted = step(model, action);
        const granted = await act(world, ada, adId, action, nth);
        assertEquals(granted, wanted, `${action} of ${before}, number ${nth}`);
        const moved = model.state !== before;
        assert(!moved || CREATIVE_STATES[before].includes(model.state));
        reached.add(model.state);
        world.clock.advance(1);
      }
      await compare(world, ada, adId, model);
    }),
    { numRuns: 60 },
  );
  assertEquals(reached.size, Object.keys(CREATIVE_STATES).length);
});
