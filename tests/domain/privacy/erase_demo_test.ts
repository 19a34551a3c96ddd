/** An erasure in a store that has lived: the one that the demo fills. */
import { mailedTo } from "../../../domain/accounts/mailed_to.ts";
import { assert, assertEquals } from "@std/assert";
import type { Account } from "../../../domain/accounts/account.ts";
import { DAY_MS } from "../../../domain/day.ts";
import type { Services } from "../../../domain/ports.ts";
import {
  confirmErasure,
  readErasure,
  requestErasure,
} from "../../../domain/privacy/request_erasure.ts";
import { fulfilRequests } from "../../../domain/privacy/fulfil_requests.ts";
import { fillStore } from "../../../tools/demo/fill_store.ts";
import { openAuctionWorld } from "../../support/auction_world.ts";
import { linesWith } from "../../support/canary_account.ts";
import { backupOf, restoreInto } from "../../support/restored_world.ts";
import { gatedOver } from "../../support/restored_world.ts";
import { releaseStore } from "../../../domain/release/release_store.ts";
import { saveSession } from "../../support/sessions.ts";
import { openTestStore } from "../../support/store.ts";

/** The texts by which an account is known, as they stand in rows, lower case. */
async function wordsOf(
  { store }: Services,
  { id, email, company }: Account,
): Promise<string[]> {
  const ads = await store.listCreatives(id, { limit: 99 });
  return [
    email,
    ...company === null
      ? []
      : [company.name, company.vatId ?? email, company.address.line1],
    ...ads.flatMap(({ headline, description, targetUrl }) => [
      headline,
      description,
      targetUrl,
    ]),
  ].map((word) => JSON.stringify(word.toLowerCase()).slice(1, -1));
}

async function erase(services: Services, accountId: string): Promise<void> {
  const session = await saveSession(services, accountId);
  const asked = { accountId, grantId: null, by: { session }, binding: null };
  await requestErasure(services, asked);
  const erasure = await readErasure(services, accountId);
  const account = await services.store.accounts.find(accountId);
  assert(account !== null, "it is not erased yet");
  await confirmErasure(services, {
    accountId,
    erasureId: erasure?.id ?? "",
    to: mailedTo(account),
  });
}

Deno.test("of who is erased no word is left in a store full of the demo but in published ads, nor after a restore from before it", async () => {
  await using world = await openAuctionWorld();
  const { services, clock } = world;
  const { store } = services;
  await fillStore(services, { days: 20, seed: 1 });
  const accounts = (await store.listAccounts({ limit: 99 }))
    .filter(({ paidWins }) => paidWins > 0).slice(0, 3);
  assertEquals(accounts.length, 3);
  const words = new Set<string>();
  for (const account of accounts) {
    (await wordsOf(services, account)).forEach((word) => words.add(word));
  }
  const backup = await backupOf(world);
  for (const { id } of accounts) await erase(services, id);
  clock.advance(7 * DAY_MS);
  await fulfilRequests(services);
  const erased = accounts.map(({ id }) => id);
  for (const id of erased) assertEquals(await store.accounts.find(id), null);
  const left = async (
    over: Parameters<typeof linesWith>[0],
  ) => [...new Set((await linesWith(over, [...words])).map(([key]) => key[0]))];
  assertEquals(await left(world), ["spotlights"]);

  await using into = await openTestStore({ clock });
  await restoreInto(into, backup);
  assert((await left({ testStore: into, clock })).length > 5, "all are back");
  await releaseStore(gatedOver(world, into), { acknowledged: [], erased });
  assertEquals(await left({ testStore: into, clock }), ["spotlights"]);
});
