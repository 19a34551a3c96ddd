import { assertEquals } from "@std/assert";
import { DAY_MS } from "../../../domain/day.ts";
import { ERASURES_A_DAY } from "../../../domain/privacy/data_requests.ts";
import { MAILED_AGAIN_MS } from "../../../domain/privacy/erasure.ts";
import {
  keepAccount,
  requestErasure,
} from "../../../domain/privacy/request_erasure.ts";
import { openAuctionWorld } from "../../support/auction_world.ts";
import { assertRefused } from "../../support/refused.ts";
import { saveSession } from "../../support/sessions.ts";

/** An owner who asks for an erasure and calls it off, and the mails about it. */
async function openWorld() {
  const world = await openAuctionWorld();
  const { services } = world;
  const { account: { id: accountId } } = await world.advertiser("ada");
  const by = { session: await saveSession(services, accountId) };
  const asked = { accountId, grantId: null, by, binding: null };
  return {
    clock: world.clock,
    ask: () => requestErasure(services, asked),
    keep: () => keepAccount(services, { accountId, erasureId: null, by }),
    async mails() {
      const mails = await services.store.listMails({ limit: 100 });
      return mails.filter(({ kind }) => kind === "erasure_asked").length;
    },
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  };
}

Deno.test("an owner is mailed of erasures that come and go so often a day, and no more", async () => {
  await using world = await openWorld();
  const { clock, ask, keep, mails } = world;
  for (let nth = 0; nth < ERASURES_A_DAY; nth++) {
    await ask();
    await keep();
    clock.advance(1_000);
  }
  const refusal = await assertRefused(ask, "rate_limited");
  const waitS = DAY_MS / 1_000 - ERASURES_A_DAY;
  assertEquals([refusal.retryAfterS, refusal.of], [waitS, "account"]);
  assertEquals(await mails(), ERASURES_A_DAY);
  clock.advance(waitS * 1_000);
  await ask();
  assertEquals(await mails(), ERASURES_A_DAY + 1);
});

Deno.test("whoever asks at once for erasures that are called off has no more of them mailed", async () => {
  await using world = await openWorld();
  const { ask, keep, mails } = world;
  const often = Array.from({ length: 20 }, async () => {
    await ask();
    await keep();
  });
  await Promise.allSettled(often);
  assertEquals(await mails() <= ERASURES_A_DAY, true);
});

Deno.test("an erasure that stands is mailed again each hour, so often a day", async () => {
  await using world = await openWorld();
  const { clock, ask, mails } = world;
  for (let nth = 0; nth < ERASURES_A_DAY; nth++) {
    await ask();
    await ask();
    clock.advance(MAILED_AGAIN_MS);
  }
  await assertRefused(ask, "rate_limited");
  assertEquals(await mails(), ERASURES_A_DAY);
});
