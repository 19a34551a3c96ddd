/**
 * What is written because somebody reads: that a session is in use, and so is
 * prolonged. That of connections is in `operation_costs_test.ts`.
 *
 * @module
 */
import { assert, assertEquals } from "@std/assert";
import { placeBid } from "../../domain/bidding/place_bid.ts";
import { SESSION_IDLE_MS } from "../../domain/sessions/session.ts";
import { openKv } from "../../kv/open.ts";
import { EMBEDDED_READS, sharedReads } from "../../kv/shared_reads.ts";
import {
  openAdvertiserSite,
  type SignedInBrowser,
} from "../support/advertiser_site.ts";
import { bidBy } from "../support/bidding_world.ts";
import { OneAtATime } from "../support/one_at_a_time.ts";

/** Anybody makes such an account, for nothing. */
const FREE = {
  identityStatus: "unverified",
  defaultPaymentMethodId: null,
} as const;
/** After so long without one, a use is due to be noted. */
const REST_MS = 61_000;

async function openSlowSite() {
  const kv = new OneAtATime(await openKv(":memory:"));
  const site = await openAdvertiserSite({
    kv: { ...sharedReads(kv, EMBEDDED_READS), isEmbedded: true },
  });
  return { site, kv };
}

for (const [browsers, each] of [[1, 400], [40, 20]] as const) {
  Deno.test(`a rival's bid waits for a few reads of a free account whose browsers rested and then all ask at once: ${browsers}, ${each} times each`, async () => {
    const { site, kv } = await openSlowSite();
    await using _ = site;
    const ada = await site.world.agent("ada");
    const eves: SignedInBrowser[] = [];
    for (let nth = 0; nth < browsers; nth++) {
      const eve = await site.browser("eve", FREE);
      await (await eve.get("/account")).body?.cancel();
      eves.push(eve);
    }
    await placeBid(site.services, bidBy(ada, { amountCents: 1_000 }));
    site.world.clock.advance(REST_MS);
    kv.isSlow = true;
    const flood = eves.flatMap((eve) =>
      Array.from({ length: each }, async () => {
        const answer = await eve.get("/account");
        await answer.body?.cancel();
      })
    );
    await kv.answers(20);
    const before = kv.calls;
    await placeBid(site.services, bidBy(ada, { amountCents: 2_000 }));
    const waitedFor = kv.calls - before;
    kv.isSlow = false;
    await Promise.all(flood);

    assert(waitedFor <= 60, `${waitedFor} calls`);
  });
}

Deno.test("a session that many requests use at once is prolonged, and all are answered", async () => {
  const { site } = await openSlowSite();
  await using _ = site;
  const eve = await site.browser("eve");
  await (await eve.get("/account")).body?.cancel();
  site.world.clock.advance(REST_MS);
  const statuses = await Promise.all(
    Array.from({ length: 20 }, async () => {
      const answer = await eve.get("/account");
      await answer.body?.cancel();
      return answer.status;
    }),
  );
  assertEquals(new Set(statuses), new Set([200]));
  const { store } = site.services;
  const [session] = await store.listSessions(eve.account.id, { limit: 1 });
  const nowMs = site.world.clock.now();
  assertEquals(session?.lastUsedAtMs, nowMs);
  assertEquals(session?.expiresAtMs, nowMs + SESSION_IDLE_MS);
});
