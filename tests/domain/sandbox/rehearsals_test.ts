import { assert, assertEquals, assertRejects } from "@std/assert";
import type { Services } from "../../../domain/ports.ts";
import { readAccountSummary } from "../../../domain/readiness/account_summary.ts";
import { practiceGrant } from "../../../domain/sandbox/practice_records.ts";
import {
  REHEARSAL_KEYS_MAX,
  REHEARSAL_MS,
} from "../../../domain/sandbox/rehearsal.ts";
import { rehearseReading } from "../../../domain/sandbox/rehearse.ts";
import { dump } from "../../../kv/dump.ts";
import { backupRows } from "../../support/backup_rows.ts";
import { readyAccount } from "../../support/bidding_world.ts";
import { keyOf } from "../../support/faults.ts";
import { rehearsalCalls } from "../../support/rehearsals.ts";
import {
  openSite,
  type SiteApp,
  TEST_SETTINGS,
} from "../../support/site_app.ts";

/** The families of all rows there are, without those of buckets. */
async function families({ test }: SiteApp): Promise<string[]> {
  const named = new Set<string>();
  for await (const { key } of test.realKv.list({ prefix: [] })) {
    named.add(String(key[0]));
  }
  return [...named].filter((family) => !family.includes("bucket")).toSorted();
}

Deno.test("a whole rehearsal writes one row of its own and no other record", async () => {
  await using site = await openSite();
  const before = await families(site);
  const calls = rehearsalCalls(site, "rehearsal-1");
  await calls.me();
  await calls.get("/auction?day=2025-01-01");
  await calls.get("/bids?day=2025-01-01");
  await calls.bid({ amount_cents: 99 });
  assertEquals(await families(site), before, "reads and refusals keep nothing");
  await calls.bid({}, "a");
  await calls.bid({ amount_cents: 2_600 }, "b");
  await calls.settle();
  const after = await families(site);
  assertEquals(
    after.filter((family) => !before.includes(family)),
    ["rehearsals"],
  );
  const written = site.test.kv.commits
    .flatMap(({ writes }) => writes.map(({ key }) => String(key[0])))
    .filter((family) => !family.includes("bucket"));
  assertEquals([...new Set(written)], ["rehearsals"]);
  const kv = site.test.realKv as Parameters<typeof dump>[0];
  const backup = await new Response(dump(kv, { keys: null })).text();
  assert(!backupRows(backup).some((row) => row.includes("rehearsals")));
});

Deno.test("two rehearsals are apart, and one is forgotten an hour after its first change", async () => {
  await using site = await openSite();
  const [one, two] = [
    rehearsalCalls(site, "rehearsal-1"),
    rehearsalCalls(site, "rehearsal-2"),
  ];
  const bidsOf = async (calls: typeof one) => {
    const { bids } = await (await calls.get("/bids?day=2025-01-01")).json();
    return bids.length;
  };
  await one.bid();
  assertEquals([await bidsOf(one), await bidsOf(two)], [1, 0]);
  site.test.clock.advance(REHEARSAL_MS - 1);
  await one.bid({ amount_cents: 2_600 }, "b");
  assertEquals(await bidsOf(one), 1);
  site.test.clock.advance(1);
  assertEquals(await bidsOf(one), 0);
  assertEquals((await one.bid()).status, 200);
});

Deno.test("the clock of a rehearsal begins at noon and goes on", async () => {
  await using site = await openSite();
  const calls = rehearsalCalls(site, "rehearsal-1");
  await calls.bid();
  site.test.clock.advance(60_000);
  const { first_bid: found } = await calls.me();
  assertEquals(found.checked_at, "2025-01-01T12:01:00.000Z");
  const { bids: [bid] } = await (await calls.get("/bids?day=2025-01-01"))
    .json();
  assertEquals(bid.placed_at, "2025-01-01T12:00:00.000Z");
});

Deno.test("a rehearsal keeps its last answers and forgets older ones", async () => {
  await using site = await openSite();
  const calls = rehearsalCalls(site, "rehearsal-1");
  for (let n = 0; n <= REHEARSAL_KEYS_MAX; n++) {
    const bid = { amount_cents: 1_000 + n };
    assertEquals((await calls.bid(bid, `key-${n}`)).status, 200);
  }
  const kept = await calls.bid({ amount_cents: 1_001 }, "key-1");
  assertEquals(kept.headers.get("idempotent-replayed"), "true");
  const forgotten = await calls.bid({ amount_cents: 1_000 }, "key-0");
  assertEquals(forgotten.status, 409);
  const rehearsal = await site.test.store.rehearsals.find("rehearsal-1");
  assertEquals(rehearsal?.rows.length, REHEARSAL_KEYS_MAX + 3);
});

Deno.test("changes of a rehearsal that race are both in it", async () => {
  await using site = await openSite();
  const calls = rehearsalCalls(site, "rehearsal-1");
  await calls.bid({ amount_cents: 1_000 }, "a");
  site.test.kv.inject({ on: "commit", fault: { kind: "conflict" } });
  const answers = await Promise.all([
    calls.bid({ amount_cents: 1_100 }, "b"),
    calls.bid({ amount_cents: 1_100 }, "c"),
  ]);
  const statuses = answers.map(({ status }) => status).toSorted();
  assertEquals(statuses, [200, 409]);
});

Deno.test("a rehearsal is 503 when the store fails, and says so", async () => {
  await using site = await openSite();
  site.test.kv.inject({
    on: "commit",
    key: keyOf("rehearsals"),
    fault: { kind: "fail_before" },
  });
  const answer = await rehearsalCalls(site, "rehearsal-1").bid();
  assertEquals(answer.status, 503);
  assertEquals((await answer.json()).sandbox, true);
});

Deno.test("a rehearsed verb has no way to the outside or to a real record", async () => {
  await using site = await openSite();
  const { store, clock, ids } = site.test;
  const real = { store, clock, ids, log: site.log } as unknown as Services;
  const services = { ...real, settings: TEST_SETTINGS };
  const rehearsed = { rehearsalId: "rehearsal-1", adId: null };
  const names = await rehearseReading(
    services,
    rehearsed,
    (practice) => Object.keys(practice),
  );
  assertEquals(names, ["clock", "ids", "log", "settings", "store"]);
  await store.transact((tx) =>
    tx.accounts.save({
      ...readyAccount("ada"),
      id: "acc_practice",
      suspendedAtMs: 1,
    })
  );
  const summary = await rehearseReading(
    services,
    rehearsed,
    (practice) =>
      readAccountSummary(practice, practiceGrant("rehearsal-1", null), {
        day: null,
        adId: null,
        amountCents: null,
      }),
  );
  assertEquals(summary.eligibility.reasons, []);
  await assertRejects(() =>
    rehearseReading(services, rehearsed, async (practice) => {
      assert(await practice.store.sessions.find("any") === null);
      await practice.mailer.send({} as never);
    })
  );
});
