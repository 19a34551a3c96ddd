/**
 * Stores of versions long gone: what an earlier service backed up comes back
 * and works.
 *
 * @module
 */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { ConfigError } from "../../config/config.ts";
import { newestOf } from "../../domain/newest_first.ts";
import { SCHEMA_VERSION } from "../../kv/schema.ts";
import { ManualClock } from "../support/clock.ts";
import { restoreInto } from "../support/restored_world.ts";
import { type RunningService, runService } from "../support/running_service.ts";
import { openTestStore, type TestStore } from "../support/store.ts";

/** Of the first version that could be backed up: a week of demo data. */
const FIRST = new URL("../fixtures/backups/first.ndjson.gz", import.meta.url);
const MADE_AT = "2026-11-22T22:40:00.000Z";

async function restoredFirst(): Promise<TestStore> {
  const test = await openTestStore();
  test.clock.set(MADE_AT);
  const file = await Deno.open(FIRST);
  const text = file.readable.pipeThrough(new DecompressionStream("gzip"));
  const bytes = new Uint8Array(await new Response(text).arrayBuffer());
  await restoreInto(test, bytes, { takesUnverified: true });
  return test;
}

Deno.test("a backup of the first version that made any is restored, migrated and works", async () => {
  const test = await restoredFirst();
  const clock = new ManualClock();
  clock.set(MADE_AT);
  await using running = await runService({ kv: test.realKv, clock });
  const { services, records } = running.service.core;
  const { store } = services;
  assertEquals(
    await store.migrate(Infinity),
    { version: SCHEMA_VERSION, state: "done" },
  );
  assertEquals(records.snapshot.records.length, 5);
  const accounts = await store.listAccounts({ limit: 99 });
  assertEquals(accounts.length, 14);
  // Indexes that were thought of later know what was there before them.
  const advertiser = accounts.find(({ paidWins }) => paidWins > 1);
  assert(advertiser);
  const limit = 99;
  const own = await store.listCreatives(advertiser.id, { limit });
  const newest = await store.listNewestCreatives(advertiser.id, {
    limit,
    before: null,
  });
  assertEquals(newest.length, own.length);
  for (const { id } of accounts) {
    const grants = await store.listGrants(id, { limit });
    const window = { limit, before: null };
    assertEquals(
      await store.listNewestGrants(id, window),
      newestOf(grants, window),
    );
  }
  for (const { adId } of own) {
    const owner = await store.creativeOwners.find(adId);
    assertEquals(owner?.accountId, advertiser.id);
  }
  const { baseUrl } = running.config.settings;
  const read = await fetch(`${baseUrl}/api/v1/spotlights`);
  assertEquals((await read.json()).data.length, 5);
  await assertCanBid(running, advertiser.email);
});

/** Lets an agent of the account read what there is, and bid. */
async function assertCanBid(
  { config }: RunningService,
  account: string,
): Promise<void> {
  const { baseUrl, authUrl } = config.settings;
  const token = await json(`${baseUrl}/operator/v1/demo/tokens`, 201, {
    authorization: `Bearer ${config.operatorKeys[0]}`,
  }, {
    account,
    scope: "account:read bids:read bids:write creatives:read invoices:read",
    mandate: { max_bid_cents: 5_000, daily_cap_cents: 5_000, days: 1 },
  });
  const headers = { authorization: `Bearer ${token.access_token}` };
  const agent = (path: string) =>
    json(`${authUrl}/v1/agent/${path}`, 200, headers);
  const me = await agent("me");
  assertEquals(me.eligibility, { can_bid: true, reasons: [] });
  const { items: creatives } = await agent("creatives");
  await agent("invoices");
  const approved = creatives.find((each: { state: string }) =>
    each.state === "approved"
  );
  const bid = await json(
    `${authUrl}/v1/agent/bids`,
    200,
    { ...headers, "idempotency-key": "first" },
    {
      ad_id: approved.ad_id,
      day: MADE_AT.slice(0, 10),
      amount_cents: 4_000,
      currency: "EUR",
    },
  );
  assertEquals([bid.phase, bid.bidCount], ["OPEN", 1]);
}

async function json(
  url: string,
  status: number,
  headers: Record<string, string>,
  body?: object,
) {
  const answer = await fetch(url, {
    headers: { ...headers, "content-type": "application/json" },
    ...body && { method: "POST", body: JSON.stringify(body) },
  });
  const text = await answer.text();
  assertEquals(answer.status, status, text);
  return JSON.parse(text);
}

Deno.test("a service says in one sentence that a store takes a newer one", async () => {
  const test = await openTestStore();
  const atomic = test.realKv.atomic();
  const version = SCHEMA_VERSION + 1;
  atomic.set(["schema"], { version, readableFrom: version, migration: null });
  await atomic.commit();
  const error = await assertRejects(
    () => runService({ kv: test.realKv }),
    ConfigError,
  );
  assertEquals(
    error.message,
    `Cannot start: the store cannot be read, its rows are of version ` +
      `${version}, which takes a newer version of the service: this one ` +
      `reads up to ${SCHEMA_VERSION}`,
  );
});
