import { assert, assertEquals } from "@std/assert";
import { addDays } from "../../../domain/day.ts";
import { SCOPES } from "../../../domain/oauth/grant.ts";
import { firstBid } from "../../../domain/readiness/first_bid.ts";
import type { BidSnapshot } from "../../../domain/readiness/snapshot.ts";
import { PRACTICE } from "../../../domain/sandbox/practice_records.ts";
import {
  approvedCreative,
  BID_DAY,
  BID_SETTINGS,
  readyAccount,
} from "../../support/bidding_world.ts";
import { AUCTION, GRANT, snapshotOf } from "./snapshots.ts";

const WANTED = snapshotOf().wanted;

Deno.test("a rehearsal has the actor that acts in earnest, and leads to no wait and no page of the real service", () => {
  const settings = { ...BID_SETTINGS, practice: PRACTICE };
  const grant = { ...GRANT, scopes: SCOPES };
  const states: Partial<BidSnapshot>[] = [
    { creative: null },
    ...(["draft", "submitted", "rejected", "archived"] as const).map((
      state,
    ) => ({ creative: { ...approvedCreative("ada"), state } })),
    { auction: null, wanted: { ...WANTED, day: addDays(BID_DAY, 1) } },
    { grant: { ...grant, mandate: null } },
    { grant: { ...grant, scopes: ["account:read", "bids:read"] } },
    { account: { ...readyAccount("ada"), defaultPaymentMethodId: null } },
  ];
  for (const state of states) {
    const changes = { grant, ...state };
    const earnest = firstBid(snapshotOf(changes)).next_action;
    const { next_action: said } = firstBid(
      snapshotOf({ ...changes, settings }),
    );
    assertEquals(said.actor, earnest.actor, earnest.label);
    assertEquals(said.until ?? said.poll_after_seconds, undefined, said.label);
    assert(said.label.includes("ad_id ad_practice"), said.label);
    assertEquals(
      said.url.startsWith(
        said.actor === "agent"
          ? `${BID_SETTINGS.authUrl}/v1/agent/me`
          : `${BID_SETTINGS.baseUrl}/developers/sandbox#`,
      ),
      true,
      said.url,
    );
  }
});

Deno.test("a rehearsal whose day is over says so, and names no other day", () => {
  const settings = {
    ...BID_SETTINGS,
    practice: { ...PRACTICE, day: BID_DAY },
  };
  const auction = { ...AUCTION, phase: "CLOSED" as const, closedAtMs: 1 };
  for (const day of [BID_DAY, null]) {
    const wanted = { ...WANTED, day };
    const { next_action: { label }, requirements } = firstBid(
      snapshotOf({ settings, auction, wanted }),
    );
    const over =
      "ts only day is over in this rehearsal: begin another rehearsal, by " +
      "another name";
    assertEquals(label, `I${over}`);
    const detail = requirements.find(({ id }) => id === "auction")?.detail;
    assert(detail?.endsWith(over), detail);
  }
});
