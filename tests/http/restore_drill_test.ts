/**
 * Losing the machine and bringing last night's backup back, from the backup to
 * the books: whole services over HTTP, one processor that goes on living.
 */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { ConfigError } from "../../config/config.ts";
import { jobs } from "../../cron/jobs.ts";
import { DAY_MS } from "../../domain/day.ts";
import { saveMail } from "../../domain/mail/outbox_mail.ts";
import { runJob } from "../../domain/operations/run_job.ts";
import type { Services } from "../../domain/ports.ts";
import { dump } from "../../kv/dump.ts";
import type { KvLike } from "../../kv/kv_like.ts";
import { openKv } from "../../kv/open.ts";
import { restore } from "../../tools/restore_backup.ts";
import { type Simulator, startSimulator } from "../../simulators/stripe/mod.ts";
import {
  type Advertiser,
  AUCTION_DAY,
  createAdvertiser,
  saveBid,
} from "../support/auction_world.ts";
import { ManualClock } from "../support/clock.ts";
import {
  type RunningService,
  runService,
  TEST_SERVICE_KEYS,
} from "../support/running_service.ts";
import { openTestStore } from "../support/store.ts";

const SECRET_KEY = "sk_test_restore_drill";

interface World extends AsyncDisposable {
  clock: ManualClock;
  simulator: Simulator;
  start(kv: KvLike): Promise<RunningService>;
}

async function openWorld(): Promise<World> {
  const clock = new ManualClock(`${AUCTION_DAY}T12:00:00.000Z`);
  const simulator = await startSimulator({
    hostname: "127.0.0.1",
    port: 0,
    booksPath: null,
    secretKey: SECRET_KEY,
    webhook: null,
    now: () => clock.now(),
    random: () => 0.5,
  });
  const env = { STRIPE_API_BASE: simulator.url, STRIPE_SECRET_KEY: SECRET_KEY };
  return {
    clock,
    simulator,
    start: (kv) => runService({ clock, kv, env }),
    [Symbol.asyncDispose]: () => simulator.stop(),
  };
}

/** Asks the operator API, as the tools do. */
async function operate(
  { config }: RunningService,
  method: "GET" | "POST",
  path: string,
  body?: unknown,
): Promise<Response> {
  return await fetch(`${config.settings.baseUrl}/operator/v1/${path}`, {
    method,
    headers: {
      authorization: `Bearer ${config.operatorKeys[0]}`,
      "content-type": "application/json",
    },
    ...body === undefined ? {} : { body: JSON.stringify(body) },
  });
}

async function runJobs({ service }: RunningService): Promise<void> {
  for (const job of jobs) await runJob(service.core.services, job);
}

/** The service that will be lost: two bids, a backup, a raise, a sold day. */
async function liveUntilLost(world: World): Promise<Blob> {
  await using lost = await world.start(await openKv(":memory:"));
  const { services } = lost.service.core;
  const raised = await createAdvertiser(services, "raised", "pm_card_visa");
  const other = await createAdvertiser(services, "other", "pm_card_visa");
  await operate(lost, "POST", `auctions/${AUCTION_DAY}/open`);
  await saveBid(services, raised, 5_500, AUCTION_DAY);
  await saveBid(services, other, 6_018, AUCTION_DAY);
  const backup = await (await operate(lost, "GET", "backup")).blob();
  await raise(services, raised, 20_000);
  world.clock.set(`${AUCTION_DAY}T23:56:00.000Z`);
  await runJobs(lost);
  assertEquals(chargedCents(world), [20_000]);
  return backup;
}

async function raise(
  { store }: Services,
  { account }: Advertiser,
  amountCents: number,
): Promise<void> {
  await store.transact(async (tx) => {
    const bid = await tx.bids.find(AUCTION_DAY, account.id);
    if (bid === null) throw new Error("There is no bid to raise");
    tx.bids.save({ ...bid, amountCents });
  });
}

function chargedCents({ simulator }: World): number[] {
  return simulator.control.objects("charge").map(({ amount }) => amount);
}

/** What was asked of the processor but to be read. */
function acts({ simulator }: World): string[] {
  return simulator.control.requests()
    .filter(({ method }) => method !== "GET")
    .map(({ method, path }) => `${method} ${path}`);
}

async function restored(world: World, backup: Blob): Promise<KvLike> {
  const kv = await openKv(":memory:");
  const { clock } = world;
  await restore({
    kv,
    clock,
    open: () => backup.stream(),
    keys: TEST_SERVICE_KEYS,
  });
  return kv;
}

/** A mail that the service wants to send on its own account. */
async function queue({ store, clock, ids }: Services): Promise<string> {
  const id = ids.next("mail");
  const mail = { to: "a@x.example", subject: "s", text: "t" };
  await store.transact((tx) => saveMail(tx, id, mail, clock.now()));
  return id;
}

async function mailState({ store }: Services, id: string) {
  return (await store.outbox.find(id))?.state;
}

Deno.test("a restored store sells no day twice: on hold it acts on nothing, and its release takes over what was sold", async () => {
  await using world = await openWorld();
  const backup = await liveUntilLost(world);
  world.clock.advance(11 * 3_600_000);
  world.simulator.control.clearRequests();
  await using running = await world.start(await restored(world, backup));
  const { services } = running.service.core;

  const mailId = await queue(services);
  await runJobs(running);
  assertEquals([acts(world), chargedCents(world)], [[], [20_000]]);
  assertEquals(await mailState(services, mailId), "waiting");
  const settle = `auctions/${AUCTION_DAY}/settle`;
  const refused = await operate(running, "POST", settle);
  assertEquals(refused.status, 503);
  assert(Number(refused.headers.get("retry-after")) >= 1);
  assert((await refused.json()).detail.includes("restored from a backup"));
  await assertToldOfHold(running);

  const review = await (await operate(running, "GET", "hold")).json();
  const sold = review.items.filter(
    (item: { kind: string }) => item.kind === "day_sold",
  );
  assertEquals([review.on_hold, sold.length], [true, 1]);
  const acknowledge = { acknowledge: [] };
  const release = await operate(running, "POST", "hold/release", acknowledge);
  const { on_hold, left } = await release.json();
  assertEquals([release.status, on_hold, left], [200, false, []]);

  await runJobs(running);
  assertEquals(await mailState(services, mailId), "sent");
  await assertSoldOnce(world, running);
  await running.service.stop();
  assert(running.logged().includes("hold.stands"));
  assert(running.logged().includes("hold.released"));
});

async function assertToldOfHold(running: RunningService): Promise<void> {
  const { baseUrl } = running.config.settings;
  const ready = await (await fetch(`${baseUrl}/readyz`)).json();
  assert(ready.checks.hold.detail.startsWith("On hold since it was restored"));
  assertEquals([ready.checks.hold.ok, ready.checks.jobs.ok], [true, true]);
}

/** One paid invoice, the day as it was sold, and books that agree. */
async function assertSoldOnce(
  world: World,
  running: RunningService,
): Promise<void> {
  const { services } = running.service.core;
  const { baseUrl } = running.config.settings;
  const read = await fetch(`${baseUrl}/api/v1/spotlights/${AUCTION_DAY}`);
  assertEquals((await read.json()).data.headline, "Headline of raised");
  const bid = await services.store.bids.find(AUCTION_DAY, "acc_raised");
  assertEquals([bid?.amountCents, bid?.status], [20_000, "won"]);
  const invoices = world.simulator.control.objects("invoice");
  assertEquals(invoices.map(({ status }) => status), ["paid"]);
  assertEquals(chargedCents(world), [20_000]);
  const ledger = await services.store.listLedger({ limit: 100 });
  const lines = ledger.flatMap((entry) => entry.lines);
  assertEquals(lines.reduce((sum, each) => sum + each.amountCents, 0), 0);
  world.clock.advance(2 * DAY_MS);
  await runJobs(running);
  const reports = await services.store.listReconciliations({ limit: 9 });
  assert(reports.some(({ day }) => day === AUCTION_DAY));
  assertEquals(reports.flatMap(({ differences }) => differences), []);
}

/** A store that was restored to practise with. */
async function drillStore(): Promise<KvLike> {
  const kv = await openKv(":memory:");
  await using empty = await openTestStore();
  const backup = await new Response(dump(empty.realKv, { keys: null })).blob();
  const clock = { now: () => Date.now() };
  await restore({
    kv,
    clock,
    open: () => backup.stream(),
    keys: null,
    isDrill: true,
  });
  return kv;
}

/** Development says so before it opens a store. */
const LIVE = "Cannot start: STRIPE_SECRET_KEY must be a test key";

for (
  const [what, env, told] of [
    ["a key of real money", { STRIPE_SECRET_KEY: "sk_live_real" }, LIVE],
    ["a restricted key of real money", {
      STRIPE_SECRET_KEY: "rk_live_real",
    }, LIVE],
    ["an organisation's key", { STRIPE_SECRET_KEY: "sk_org_live_51real" }],
    [
      "an organisation's restricted key",
      { STRIPE_SECRET_KEY: "rk_org_live_51real" },
    ],
    ["a key of a form nobody knows", { STRIPE_SECRET_KEY: "sk_prod_51real" }],
    ["a mail server", { MAIL_URL: "smtp://localhost:1" }],
    ["a chat for alerts", { ALERT_WEBHOOK_URL: "http://127.0.0.1:1/" }],
  ] as const
) {
  Deno.test(`a drill does not start with ${what}`, async () => {
    const kv = await drillStore();
    await assertRejects(
      () => runService({ kv, env }),
      ConfigError,
      told ?? "Cannot start: the store was restored with --drill",
    );
  });
}

Deno.test("a drill starts with the simulator, says so, and is never released", async () => {
  await using world = await openWorld();
  await using running = await world.start(await drillStore());
  await runJobs(running);
  assertEquals(acts(world), []);
  const { baseUrl } = running.config.settings;
  const ready = await (await fetch(`${baseUrl}/readyz`)).json();
  assert(ready.checks.hold.detail.startsWith("A drill, restored "));
  const refused = await operate(running, "POST", "hold/release", {
    acknowledge: [],
  });
  assertEquals(refused.status, 400);
  assert((await refused.json()).detail.includes("never released"));
  await running.service.stop();
  assert(running.logged().includes("hold.stands"));
});

Deno.test("an operator can sign in while the store is on hold", async () => {
  await using world = await openWorld();
  await using running = await world.start(await drillStore());
  const { services } = running.service.core;
  const held = await queue(services);
  const { baseUrl } = running.config.settings;
  const asked = await fetch(`${baseUrl}/sign-in`, {
    method: "POST",
    headers: { origin: baseUrl },
    body: new URLSearchParams({ email: "operator@example.com" }),
    redirect: "manual",
  });
  assertEquals(asked.status, 303);
  await untilAnotherIsSent(services, held);
  assertEquals(await mailState(services, held), "waiting");
});

/** Waits until the service has sent the one mail beside what it holds. */
async function untilAnotherIsSent(
  { store }: Services,
  held: string,
): Promise<void> {
  for (let tries = 0; tries < 500; tries++) {
    const mails = await store.listMails({ limit: 9 });
    const others = mails.filter(({ id }) => id !== held);
    assertEquals(others.length, 1);
    if (others[0]?.state === "sent") return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error("The mail with the code has not been sent");
}

Deno.test("a release names as many accounts as were ever erased, and all that a review shows", async () => {
  await using world = await openWorld();
  await using running = await world.start((await openTestStore()).kv);
  const names = (count: number, of: string) =>
    Array.from({ length: count }, (_, nth) => `${of}_${nth}`.padEnd(30, "x"));
  const order = (erased: number) => ({
    acknowledge: names(300, "day_sold_to_unknown"),
    erased: names(erased, "acc"),
  });
  const answer = await operate(running, "POST", "hold/release", order(1_000));
  assertEquals([answer.status, (await answer.json()).on_hold], [200, false]);
  const more = await operate(running, "POST", "hold/release", order(1_001));
  assertEquals(more.status, 400);
  await more.body?.cancel();
});
