/** An operator's id to give outlives accounts, whose erasure leaves none in clear. */
import { assert, assertEquals } from "@std/assert";
import { releaseVat } from "../../../domain/accounts/decide_vat.ts";
import { verifyVat } from "../../../domain/accounts/verify_vat.ts";
import { DAY_MS } from "../../../domain/day.ts";
import { readSchema, SCHEMA_VERSION, writeSchema } from "../../../kv/schema.ts";
import { openAuctionWorld } from "../../support/auction_world.ts";
import { eraseOwn } from "../../support/erasures.ts";
import { openVatWorld, VAT_ID, type VatWorld } from "./vat_world.ts";

async function claim(world: VatWorld, name: string): Promise<string> {
  const accountId = await world.onboard(name);
  await verifyVat(world.services, { accountId });
  return accountId;
}

/** What makes an id an operator's to give; answers the accounts that had it. */
const WAYS: Readonly<Record<string, (world: VatWorld) => Promise<string[]>>> = {
  "an operator took back": async (world) => {
    const accountId = await claim(world, "ada");
    await releaseVat(world.services, {
      accountId,
      by: { kind: "operator_key" },
      reason: "A mistake.",
      about: VAT_ID,
    });
    return [accountId];
  },
  "two accounts claimed": async (world) => [
    await claim(world, "ada"),
    await claim(world, "bob"),
  ],
};

/** Every row of the store that still counts, as text. */
async function linesOf({ kv, clock }: VatWorld): Promise<string[]> {
  const rows = await Array.fromAsync(kv.list({ prefix: [] }));
  const nowMs = clock.now();
  return rows.filter(({ value }) => {
    const { expiresAtMs } = Object(value) as { expiresAtMs?: number | null };
    return (expiresAtMs ?? Infinity) > nowMs;
  }).map(({ key, value }) =>
    JSON.stringify(
      [key, value],
      (_, each) => typeof each === "bigint" ? String(each) : each,
    )
  );
}

for (const [what, contest] of Object.entries(WAYS)) {
  Deno.test(`a VAT id that ${what} is in no row once its accounts are erased, and stays an operator's to give`, async () => {
    await using world = await openVatWorld();
    await using auction = await openAuctionWorld();
    const { processor } = auction.services;
    const had = await contest(world);
    for (const accountId of had) {
      await eraseOwn({ ...world.services, processor }, world.clock, accountId);
    }
    const left = (await linesOf(world)).filter((row) => row.includes(VAT_ID));
    assertEquals(left, []);
    const rows = world.kv.list<{ sinceMs: number }>({
      prefix: ["contested_vat_ids"],
    });
    for await (const { value: { sinceMs } } of rows) {
      assertEquals(sinceMs % DAY_MS, 0, "no moment says with whom it went");
    }
    const next = await world.account(await claim(world, "eve"));
    assertEquals([next.vatStatus, next.vatCase?.why], [
      "unverified",
      "contested",
    ]);
  });
}

/** As an earlier version wrote that an operator took the id back. */
async function takenBackBefore(world: VatWorld, sinceMs: number) {
  await world.store.transact((tx) =>
    tx.contestedVatIds.save({ vatId: VAT_ID, sinceMs })
  );
}

Deno.test("a VAT id that an earlier version has in clear stays an operator's to give", async () => {
  await using world = await openVatWorld();
  await takenBackBefore(world, 1);
  const claimed = await world.account(await claim(world, "eve"));
  assertEquals(claimed.vatCase?.why, "contested");
});

Deno.test("a store of a version before hides the VAT ids that operators alone give, and none is anybody's by that", async () => {
  await using world = await openVatWorld();
  await takenBackBefore(world, 1);
  const hidden = `sha256:${"0".repeat(64)}`;
  await world.store.transact((tx) =>
    tx.contestedVatIds.save({ vatId: hidden, sinceMs: 2 })
  );
  const read = await readSchema(world.kv);
  const row = { version: 12, readableFrom: 1, migration: null };
  await writeSchema(world.kv, { ...read, row });
  assertEquals(
    await world.store.migrate(Infinity),
    { version: SCHEMA_VERSION, state: "done" },
  );
  const rows = await Array.fromAsync(
    world.kv.list<{ vatId: string; sinceMs: number }>({
      prefix: ["contested_vat_ids"],
    }),
  );
  assertEquals(rows.map(({ value }) => value.sinceMs), [0, 2]);
  assertEquals(rows.at(-1)?.value.vatId, hidden);
  assert(rows.every(({ value }) => !value.vatId.includes(VAT_ID)));
  const claimed = await world.account(await claim(world, "eve"));
  assertEquals(claimed.vatCase?.why, "contested");
});
