import { assertEquals } from "@std/assert";
import { folderTarget } from "../../adapters/backup/folder_target.ts";
import { openAuction } from "../../domain/auction/open_auction.ts";
import { addDays, dayOf } from "../../domain/day.ts";
import { LEASE_MS } from "../../domain/settlement/saga.ts";
import { writeBackups } from "../../kv/backup_series.ts";
import { dump } from "../../kv/dump.ts";
import type { KvLike } from "../../kv/kv_like.ts";
import { restoreNewest } from "../../tools/backup_series.ts";
import { createAdvertiser, saveBid } from "../support/auction_world.ts";
import { backupRows } from "../support/backup_rows.ts";
import { TEST_KEYS } from "../support/keys.ts";
import { type SharedService, shareService } from "../support/processes.ts";
import { openTestStore } from "../support/store.ts";
import { until } from "../support/until.ts";

/** Longer than the lease of a turn, too. */
const AHEAD_MS = LEASE_MS + 5 * 60_000;

Deno.test("kill -9 while a service settles and backs up: full backup and changes restore the same books", async () => {
  const day = addDays(dayOf(Date.now()), -1);
  const folder = await Deno.makeTempDir({ prefix: "spotlight_backups_" });
  await using shared = await shareService();
  await shared.withStore(async (services) => {
    const ada = await createAdvertiser(services, "ada", "pm_card_visa");
    await openAuction(services, { day });
    await saveBid(services, ada, 4_200, day);
  });
  const env = { BACKUP_TO: folder };
  const doomed = await shared.start({ env, jobsEveryMs: 5 });
  await until(async () => (await namesIn(folder)).length >= 3);
  await doomed.kill();
  const next = await shared.start({
    env,
    jobsEveryMs: 20,
    clockAheadMs: AHEAD_MS,
  });
  await until(async () => {
    const answer = await fetch(`${next.baseUrl}/api/v1/spotlights/${day}`);
    await answer.body?.cancel();
    return answer.status === 200;
  });
  await next.stop();
  const before = await rowsAfterLastTurn(shared, folder);

  await using to = await openTestStore();
  const proof = { keys: TEST_KEYS, takesUnverified: false };
  const { realKv: kv, clock } = to;
  clock.set(Date.now());
  const options = { kv, clock, ...proof };
  const summary = await restoreNewest(folderTarget(folder), options);
  assertEquals([summary.verified, summary.consistent], [true, true]);
  assertEquals(await rowsOf(kv), before);
  const ledger = await to.store.listLedger({ limit: 9 });
  const lines = ledger.flatMap((entry) => entry.lines);
  assertEquals(lines.reduce((sum, each) => sum + each.amountCents, 0), 0);
  assertEquals(ledger.length, 1);
  const { customers } = shared.simulator.control.state();
  assertEquals(customers.map(({ charged }) => charged), [4_200]);
  await Deno.remove(folder, { recursive: true });
});

/** What both processes have committed is in the log, or in a file by now. */
async function rowsAfterLastTurn(
  shared: SharedService,
  folder: string,
): Promise<string[]> {
  const kv = await shared.openStore();
  try {
    const clock = { now: () => Date.now() + 2 * AHEAD_MS };
    const target = folderTarget(folder);
    await writeBackups({ kv, clock, keys: TEST_KEYS, target });
    return await rowsOf(kv);
  } finally {
    kv.close();
  }
}

async function rowsOf(kv: KvLike): Promise<string[]> {
  return backupRows(await new Response(dump(kv, { keys: null })).text());
}

async function namesIn(folder: string): Promise<string[]> {
  return await folderTarget(folder).list();
}
