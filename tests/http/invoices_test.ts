/**
 * Invoices from the settlement of a day to the download, over HTTP, in whole
 * services that stop and start again.
 */
import { assert, assertEquals } from "@std/assert";
import { closeAuction } from "../../domain/settlement/close_auction.ts";
import { openAuction } from "../../domain/auction/open_auction.ts";
import { settleDay } from "../../domain/settlement/settle_day.ts";
import { DAY_MS } from "../../domain/day.ts";
import { createGrant } from "../../tools/demo/create_grant.ts";
import type { Services } from "../../domain/ports.ts";
import { dump } from "../../kv/dump.ts";
import type { KvLike } from "../../kv/kv_like.ts";
import { restore } from "../../tools/restore_backup.ts";
import { type Simulator, startSimulator } from "../../simulators/stripe/mod.ts";
import {
  AUCTION_DAY,
  createAdvertiser,
  saveBid,
} from "../support/auction_world.ts";
import { ManualClock } from "../support/clock.ts";
import { type RunningService, runService } from "../support/running_service.ts";
import { openTestStore, type TestStore } from "../support/store.ts";

const SECRET_KEY = "sk_test_invoices_over_http";
/** Several values and commits. */
const PADDING = 1_000_000;

interface World extends AsyncDisposable {
  simulator: Simulator;
  /** A service over the store; it is the store of all of them. */
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
  simulator.control.invoicePaddingBytes = PADDING;
  const env = { STRIPE_API_BASE: simulator.url, STRIPE_SECRET_KEY: SECRET_KEY };
  return {
    simulator,
    start: (kv) => runService({ clock, kv, env }),
    [Symbol.asyncDispose]: () => simulator.stop(),
  };
}

/** A day that Ada won; answers the token of her agent. */
async function winDay(services: Services): Promise<string> {
  const day = AUCTION_DAY;
  const ada = await createAdvertiser(services, "ada", "pm_card_visa");
  await saveBid(services, ada, 5_000, day);
  await openAuction(services, { day });
  await closeAuction(services, { day });
  await settleDay(services, { day });
  const { accessToken } = await createGrant(services, {
    accountId: ada.account.id,
    clientId: "https://agent.example/client.json",
    scopes: ["invoices:read"],
    mandate: {
      maxBidCents: 1_000,
      dailyCapCents: 1_000,
      validUntilMs: services.clock.now() + DAY_MS,
    },
  });
  return accessToken;
}

/** The one invoice of an agent's account, as text, and its PDF. */
async function download(
  { config }: RunningService,
  token: string,
): Promise<{ listed: string; pdf: Uint8Array }> {
  const ask = (path: string) =>
    fetch(`${config.settings.authUrl}/v1/agent/invoices${path}`, {
      headers: { authorization: `Bearer ${token}` },
    });
  const listed = await (await ask("")).text();
  const { items: [invoice] } = JSON.parse(listed);
  const answer = await ask(`/${invoice.number}/pdf`);
  assertEquals(answer.status, 200);
  return { listed, pdf: await answer.bytes() };
}

async function printed({ control }: Simulator): Promise<Uint8Array> {
  const [invoice] = control.objects("invoice");
  return await (await fetch(invoice?.invoice_pdf ?? "")).bytes();
}

/** A service that began after the one stopped in which the day was won. */
async function restartAfterWin(
  world: World,
  store: TestStore,
): Promise<{ running: RunningService; token: string }> {
  const first = await world.start(store.kv);
  const token = await winDay(first.service.core.services);
  // Stopping waits for what is being archived; no job has run.
  await first.service.stop();
  return { running: await world.start(store.kv), token };
}

Deno.test("a day is won, its invoice is archived at once, and another process sends what was printed", async () => {
  await using world = await openWorld();
  await using store = await openTestStore();
  const { running, token } = await restartAfterWin(world, store);
  await using second = running;
  const { listed, pdf } = await download(second, token);
  assertEquals(JSON.parse(listed).items[0].status, "paid");
  assert(pdf.byteLength > PADDING);
  assertEquals(pdf, await printed(world.simulator));
});

Deno.test("a restored backup lists the same invoices and sends the same PDF", async () => {
  await using world = await openWorld();
  await using store = await openTestStore();
  const { running, token } = await restartAfterWin(world, store);
  await using second = running;
  const before = await download(second, token);
  await using fresh = await openTestStore();
  const backup = await new Response(dump(store.realKv, { keys: null })).blob();
  await restore({
    kv: fresh.kv,
    clock: store.clock,
    open: () => backup.stream(),
    keys: null,
  });
  await using third = await world.start(fresh.kv);
  const after = await download(third, token);
  assertEquals(after.pdf, before.pdf);
  const host = (each: RunningService) => each.config.settings.authUrl;
  assertEquals(
    after.listed.replaceAll(host(third), host(second)),
    before.listed,
  );
});
