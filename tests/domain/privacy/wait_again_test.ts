/** Erasures that were confirmed, and perhaps called off, when a store was lost. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { DAY_MS, HOUR_MS, isoMinute } from "../../../domain/day.ts";
import { ProcessorUncertain } from "../../../domain/failure.ts";
import { fulfilRequests } from "../../../domain/privacy/fulfil_requests.ts";
import {
  keepAccount,
  readErasure,
} from "../../../domain/privacy/request_erasure.ts";
import { releaseStore } from "../../../domain/release/release_store.ts";
import {
  type AuctionWorld,
  openAuctionWorld,
} from "../../support/auction_world.ts";
import { askForErasure, eraseOwn } from "../../support/erasures.ts";
import {
  backupOf,
  gatedOver,
  restoreInto,
} from "../../support/restored_world.ts";
import { openTestStore, type TestStore } from "../../support/store.ts";

/** An erasure that was called off after the backup, and a store from that. */
async function calledOffAfterBackup(world: AuctionWorld, into: TestStore) {
  const { account: { id: accountId } } = await world.advertiser("ada");
  await askForErasure(world.services, accountId);
  world.clock.advance(HOUR_MS);
  const backup = await backupOf(world);
  world.clock.advance(DAY_MS);
  await keepAccount(world.services, { accountId, erasureId: null });
  await restoreInto(into, backup);
  const services = gatedOver(world, into);
  await releaseStore(services, { acknowledged: [] });
  assertEquals(await services.store.currentHold(), null);
  return { services, accountId };
}

async function confirmedMails({ services }: Pick<AuctionWorld, "services">) {
  const mails = await services.store.listMails({ limit: 99 });
  return mails.filter(({ kind }) => kind === "erasure_confirmed");
}

Deno.test("an erasure that was called off after the backup waits once more, and its owner is mailed the way to keep the account", async () => {
  await using world = await openAuctionWorld();
  await using into = await openTestStore({ clock: world.clock });
  const { services, accountId } = await calledOffAfterBackup(world, into);
  world.clock.advance(6 * DAY_MS);
  await fulfilRequests(services);
  const account = await services.store.accounts.find(accountId);
  assertEquals(account?.email, "ada@example.com");
  const erasure = await readErasure(services, accountId);
  assertEquals(erasure?.eraseAtMs, world.clock.now() + 7 * DAY_MS);
  const mail = (await confirmedMails({ services }))
    .find(({ subject }) => subject.includes("still"));
  assert(mail !== undefined);
  assertStringIncludes(mail.text, isoMinute(erasure?.eraseAtMs ?? 0));
  assertStringIncludes(mail.text, "Keep my account");
  world.clock.advance(6 * DAY_MS);
  assert(await keepAccount(services, { accountId, erasureId: null }));
  world.clock.advance(2 * DAY_MS);
  await fulfilRequests(services);
  assertEquals(
    (await services.store.accounts.find(accountId))?.email,
    "ada@example.com",
  );
});

Deno.test("an erasure that waited once more is done then, and told of once", async () => {
  await using world = await openAuctionWorld();
  await using into = await openTestStore({ clock: world.clock });
  const { services, accountId } = await calledOffAfterBackup(world, into);
  world.clock.advance(6 * DAY_MS);
  await fulfilRequests(services);
  await fulfilRequests(services);
  const told = (await confirmedMails({ services })).length;
  world.clock.advance(7 * DAY_MS - 1);
  await fulfilRequests(services);
  assert(await services.store.accounts.find(accountId) !== null);
  assertEquals((await confirmedMails({ services })).length, told);
  world.clock.advance(1);
  await fulfilRequests(services);
  assertEquals(await services.store.accounts.find(accountId), null);
});

Deno.test("an erasure that had begun before the backup waits no longer: nothing leads back from it", async () => {
  await using world = await openAuctionWorld();
  await using into = await openTestStore({ clock: world.clock });
  const { account: { id } } = await world.advertiser("ada");
  await askForErasure(world.services, id);
  world.clock.advance(7 * DAY_MS);
  const { services: silent } = world.another((real) => ({
    ...real,
    deleteCustomer: () => Promise.reject(new ProcessorUncertain("no answer")),
  }));
  await fulfilRequests(silent);
  assertEquals((await readErasure(silent, id))?.state, "erasing");
  await restoreInto(into, await backupOf(world));
  const services = gatedOver(world, into);
  await releaseStore(services, { acknowledged: [] });
  const { processor } = silent;
  for (const tried of [{ ...services, processor }, services]) {
    world.clock.advance(HOUR_MS);
    await fulfilRequests(tried);
  }
  assertEquals(await services.store.accounts.find(id), null);
});

Deno.test("an erasure that was confirmed after the restore waits for its seven days and no longer", async () => {
  await using world = await openAuctionWorld();
  await using into = await openTestStore({ clock: world.clock });
  const { services } = await calledOffAfterBackup(world, into);
  const { account } = await world.advertiser("bob");
  await services.store.transact((tx) => tx.accounts.save(account));
  await eraseOwn(services, world.clock, account.id);
});
