/** What readiness says of a mandate: its limits, and what is left of them. */
import { assertEquals } from "@std/assert";
import { firstBid } from "../../../domain/readiness/first_bid.ts";
import type { BidSnapshot } from "../../../domain/readiness/snapshot.ts";
import { GRANT, snapshotOf } from "./snapshots.ts";

const MANDATE = {
  maxBidCents: 5_000,
  dailyCapCents: 6_000,
  validUntilMs: 9e12,
};
const WITH_TOTAL = {
  ...GRANT,
  mandate: { ...MANDATE, totalCapCents: 30_000 },
  totalUse: { usedCents: 12_000, sinceMs: 0, endsAtMs: 9e12 },
};
const COVERS = "The spending mandate covers what is known of the bid: ";
const USED = { usedCents: 2_500 };

function said(changes: Partial<BidSnapshot>): string | undefined {
  return firstBid(snapshotOf(changes)).requirements
    .find(({ id }) => id === "mandate")?.detail;
}

Deno.test("the requirement mandate says what is left of today, and of a total", () => {
  const today = COVERS +
    "3500 of 6000 cents are left today, until 2026-11-21T00:00:00.000Z";
  const most = ", and 5000 cents are the most for one bid";
  const grant = { ...GRANT, mandate: MANDATE };
  assertEquals(said({ ...USED, grant }), today + most);
  assertEquals(
    said({ ...USED, grant: WITH_TOTAL }),
    `${today}, 18000 of 30000 cents are left in all until it ends${most}`,
  );
  assertEquals(said({ grant: null }), "No spending mandate is needed");
});

Deno.test("the requirement mandate says the total also where another limit is in the way", () => {
  const { wanted } = snapshotOf();
  const beyond = (amountCents: number) => ({
    ...USED,
    wanted: { ...wanted, amountCents },
  });
  const inAll = "; 18000 of 30000 cents are left in all until it ends";
  assertEquals(
    said({ ...beyond(5_001), grant: WITH_TOTAL }),
    "The mandate allows 5000 cents for one bid; amount_cents can be 3500 at " +
      `most${inAll}`,
  );
  assertEquals(
    said({ ...beyond(4_000), grant: WITH_TOTAL }),
    "The mandate allows 6000 cents a day, 2500 cents are used today: it begins " +
      `anew at 2026-11-21T00:00:00.000Z; amount_cents can be 3500 at most${inAll}`,
  );
  const mandate = { ...MANDATE, totalCapCents: 13_000 };
  assertEquals(
    said({ ...beyond(4_000), grant: { ...WITH_TOTAL, mandate } }),
    "The mandate allows 13000 cents in all until it ends, 12000 cents are " +
      "used: it does not begin anew; amount_cents can be 1000 at most",
  );
});

Deno.test("who may know nothing of bids is told the limits, and not what is left", () => {
  const scopes = ["account:read"] as const;
  assertEquals(
    said({ grant: { ...WITH_TOTAL, scopes } }),
    COVERS + "6000 cents are the most a day, 30000 cents are the most in " +
      "all until it ends, and 5000 cents are the most for one bid",
  );
});
