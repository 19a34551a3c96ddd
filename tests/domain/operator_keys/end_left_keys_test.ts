import { assert, assertEquals } from "@std/assert";
import { randomIds } from "../../../adapters/crypto/random_ids.ts";
import { JOBS } from "../../../cron/jobs.ts";
import { newAccount } from "../../../domain/accounts/new_account.ts";
import { findGoodKey } from "../../../domain/operator_keys/check_key.ts";
import { makeKey } from "../../../domain/operator_keys/make_key.ts";
import { openAuctionWorld } from "../../support/auction_world.ts";

const STAYS = "stays@example.com";
const LEAVES = "leaves@example.com";

/** Two operators with a key each, and what is good with a list of operators. */
async function open() {
  const world = await openAuctionWorld();
  const { store } = world.services;
  const underList = (operatorEmails: readonly string[]) => ({
    ...world.services,
    ids: randomIds,
    settings: { ...world.services.settings, operatorEmails },
  });
  const keyOf = async (email: string) => {
    const accountId = `acc_${email.split("@")[0]}`;
    const account = newAccount(accountId, email, 0);
    await store.transact((tx) => tx.accounts.save(account));
    const wanted = { name: email, scope: "act", days: 30, accountId } as const;
    return (await makeKey(underList([STAYS, LEAVES]), wanted)).key;
  };
  const keys = { stays: await keyOf(STAYS), leaves: await keyOf(LEAVES) };
  const good = async (operatorEmails: readonly string[]) => {
    const services = underList(operatorEmails);
    const found = await Promise.all(
      Object.values(keys).map((key) => findGoodKey(services, key)),
    );
    return found.flatMap((key) => key === null ? [] : [key.name]);
  };
  return { world, underList, good };
}

Deno.test("a key ends for good when its operator's address leaves the list, and no other does", async () => {
  const { world, underList, good } = await open();
  await using _ = world;
  await JOBS.endKeys.run(underList([STAYS, LEAVES]));
  assertEquals(await good([STAYS, LEAVES]), [STAYS, LEAVES]);
  await JOBS.endKeys.run(underList([STAYS]));
  assertEquals(await good([STAYS, LEAVES]), [STAYS]);
  await JOBS.endKeys.run(underList([STAYS]));
  assertEquals(await good([STAYS, LEAVES]), [STAYS]);
  const told = world.log.lines.filter((line) =>
    line.includes("operator_key.ended")
  );
  assertEquals(told.length, 1);
});

Deno.test("a key ends for good when the account that made it has another address, or is gone", async () => {
  const { world, underList, good } = await open();
  await using _ = world;
  const { store } = world.services;
  await store.transact(async (tx) => {
    const moved = await tx.accounts.find("acc_leaves");
    assert(moved !== null);
    tx.accounts.save({ ...moved, email: "elsewhere@example.com" });
    const gone = await tx.accounts.find("acc_stays");
    assert(gone !== null);
    tx.accounts.remove(gone);
  });
  const list = [STAYS, LEAVES];
  await JOBS.endKeys.run(underList(list));
  assertEquals(await good([...list, "elsewhere@example.com"]), []);
  const rows = await store.listOperatorKeys({ limit: 9 });
  assertEquals(
    rows.map(({ endedAtMs }) => endedAtMs),
    [world.clock.now(), world.clock.now()],
  );
});
