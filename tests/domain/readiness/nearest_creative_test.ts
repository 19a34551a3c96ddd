/** What an agent does whose account has no approved creative to name. */
import { assert, assertEquals } from "@std/assert";
import type { Account } from "../../../domain/accounts/account.ts";
import type { Creative } from "../../../domain/creatives/creative.ts";
import type { Scope } from "../../../domain/oauth/grant.ts";
import { firstBid } from "../../../domain/readiness/first_bid.ts";
import type { BidSnapshot } from "../../../domain/readiness/snapshot.ts";
import {
  approvedCreative,
  BID_SCOPES,
  BID_SETTINGS,
  readyAccount,
} from "../../support/bidding_world.ts";
import { GRANT, snapshotOf } from "./snapshots.ts";

const SITE = BID_SETTINGS.baseUrl;
const UNNAMED = { ...snapshotOf().wanted, adId: null };

Deno.test("next_action of an account without an approved creative has one written, submitted or waited for", () => {
  const of = (state: Creative["state"]) => ({
    creative: null,
    nearest: { ...approvedCreative("ada"), state },
  });
  const none = { creative: null, nearest: "none" } as const;
  const reads: readonly Scope[] = [...BID_SCOPES, "creatives:read"];
  const grant = { ...GRANT, scopes: [...reads, "creatives:write"] as const };
  const after = (changes: Partial<BidSnapshot>) =>
    firstBid(snapshotOf({ grant, wanted: UNNAMED, ...changes })).next_action;
  const write = after(none);
  assertEquals([write.tool, write.url, write.required_scopes], [
    "create_creative",
    `${BID_SETTINGS.authUrl}/v1/agent/creatives`,
    ["creatives:write"],
  ]);
  assertEquals(write.required_inputs, [
    "headline",
    "description",
    "target_url",
    "idempotency_key",
  ]);
  assert(write.label.endsWith("with POST"), write.label);
  const given = { ad_id: "ad_ada" };
  const submit = after(of("draft"));
  assertEquals([submit.tool, submit.arguments], ["submit_creative", given]);
  const read = after(of("rejected"));
  assertEquals([read.tool, read.arguments], ["get_creative", given]);
  const wait = after(of("submitted"));
  assertEquals([wait.actor, wait.poll_after_seconds], ["wait", 900]);
  // Named, it is of no other use.
  assertEquals(
    after({ ...none, wanted: snapshotOf().wanted }).tool,
    "create_creative",
  );
  // Whoever may only read them sends a person, as who can't be reviewed yet.
  const { actor, url } = after({ ...none, grant: { ...GRANT, scopes: reads } });
  assertEquals([actor, url], ["user", `${SITE}/creatives`]);
  const account: Account = {
    ...readyAccount("ada"),
    identityStatus: "unverified",
  };
  const early = after({ ...none, account });
  assertEquals([early.actor, early.url], ["user", `${SITE}/identity`]);
});

Deno.test("a requirement says what the account has that is no approved creative", () => {
  const said = (nearest: BidSnapshot["nearest"]) => {
    const { requirements } = firstBid(snapshotOf({
      wanted: UNNAMED,
      creative: null,
      nearest,
    }));
    const found = requirements.find(({ id }) => id === "creative");
    return [found?.status, found?.code, found?.detail];
  };
  const blocked = ["blocked", "creative_not_approved"];
  assertEquals(said("none"), [...blocked, "The account has no creative yet"]);
  assertEquals(said({ ...approvedCreative("ada"), state: "submitted" }), [
    ...blocked,
    'None of the account\'s creatives is approved: "ad_ada" is under review',
  ]);
  assertEquals(said(null).slice(0, 2), ["unknown", "not_given"]);
});
