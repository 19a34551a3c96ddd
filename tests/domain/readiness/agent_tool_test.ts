import { assertEquals } from "@std/assert";
import { firstBid } from "../../../domain/readiness/first_bid.ts";
import { refusalFor } from "../../../domain/readiness/refusal_for.ts";
import type { RefusalOf } from "../../../domain/refusal.ts";
import { approvedCreative } from "../../support/bidding_world.ts";
import { GRANT, snapshotOf } from "./snapshots.ts";

/** A creative's state, and the tool by which the agent itself goes on. */
const STEPS = {
  rejected: "get_creative",
  archived: "list_creatives",
  draft: "submit_creative",
  // Somebody else decides.
  submitted: undefined,
} as const;

for (const [state, tool] of Object.entries(STEPS)) {
  Deno.test(`refusalFor() names the agent's own step for a creative that is ${state} as readiness does`, () => {
    const scopes = [
      ...GRANT.scopes,
      "creatives:read",
      "creatives:write",
    ] as const;
    const snapshot = snapshotOf({
      grant: { ...GRANT, scopes },
      creative: {
        ...approvedCreative("acc_ada"),
        state: state as keyof typeof STEPS,
      },
    });
    const refusal = refusalFor(snapshot) as RefusalOf<"human_step_required">;
    assertEquals(refusal.code, "human_step_required");
    assertEquals(refusal.bid?.agentTool, tool);
    const { actor, tool: next } = firstBid(snapshot).next_action;
    assertEquals(actor === "agent" ? next : undefined, tool);
  });
}
