import { assert, assertEquals } from "@std/assert";
import { suspendAccount } from "../../../domain/accounts/suspend_account.ts";
import { setUpAccount } from "../../../domain/partners/set_up_account.ts";
import {
  syncAccount,
  syncAccounts,
  syncOwnAccount,
} from "../../../domain/partners/sync_account.ts";
import type { Services } from "../../../domain/ports.ts";
import { endEverySession } from "../../../domain/sessions/end_session.ts";
import { openAuctionWorld } from "../../support/auction_world.ts";
import { PARTNER_ID, savePartner } from "../../support/partners.ts";
import { refusalOf } from "../../support/refused.ts";
import { byBrowser, saveSession } from "../../support/sessions.ts";
import { submit } from "../../simulators/stripe/browser.ts";

const by = byBrowser(PARTNER_ID);

/** An approved partner without an account at the processor. */
async function open() {
  const world = await openAuctionWorld();
  const { services, simulator } = world;
  await savePartner(services, {
    partner: { connectedAccount: null },
    account: { partner: false },
  });
  await saveSession(services, PARTNER_ID);
  const setUp = (country: string | null = "AT", own = services) =>
    setUpAccount(own, { partnerId: PARTNER_ID, by, country });
  const accounts = () => simulator.control.objects("account");
  const known = async () =>
    (await services.store.partners.find(PARTNER_ID))?.connectedAccount ?? null;
  const isPartner = async () =>
    (await services.store.accounts.find(PARTNER_ID))?.partner;
  return { world, services, setUp, accounts, known, isPartner };
}

Deno.test("a partner sets its account up on the processor's page and is verified then", async () => {
  const { world, services, setUp, accounts, known, isPartner } = await open();
  await using _ = world;
  const { url } = await setUp();
  assertEquals(accounts().length, 1);
  assertEquals((await known())?.waitsFor, "owner");
  await submit(url, { choice: "in_review" });
  await syncOwnAccount(services, { partnerId: PARTNER_ID });
  assertEquals((await known())?.waitsFor, "processor");
  assertEquals(await isPartner(), false);
  const again = await setUp(null);
  await submit(again.url, { choice: "complete" });
  await syncOwnAccount(services, { partnerId: PARTNER_ID });
  const account = await known();
  assertEquals([account?.payoutsEnabled, account?.waitsFor], [true, null]);
  assertEquals(await isPartner(), true);
  assertEquals(accounts().length, 1);
});

Deno.test("who set up at once twice, or after a lost answer, has one account", async () => {
  const { world, setUp, accounts, known } = await open();
  await using _ = world;
  const path = "/v1/accounts";
  world.simulator.control.addFault({ kind: "reset_after_effect", path });
  await refusalOf(() => setUp()).catch(() => {});
  await Promise.allSettled([setUp(), setUp("AT", world.another().services)]);
  await setUp();
  assertEquals(accounts().length, 1);
  assertEquals((await known())?.id, accounts()[0]?.id);
});

for (const hasAccount of [true, false]) {
  for (const what of ["signed out everywhere", "suspended"] as const) {
    Deno.test(`who is ${what} while the page of ${hasAccount ? "an account" : "a new account"} opens is not told where it is`, async () => {
      const { world, services, setUp } = await open();
      await using _ = world;
      if (hasAccount) await setUp();
      const { processor } = services;
      const racing: Services = {
        ...services,
        processor: {
          ...processor,
          async openPartnerSetUp(...asked) {
            await (what === "suspended"
              ? suspendAccount(services, {
                accountId: PARTNER_ID,
                by: { kind: "operator_key" },
                reason: "It may be in the wrong hands.",
                about: null,
              })
              : endEverySession(services, PARTNER_ID));
            return await processor.openPartnerSetUp(...asked);
          },
        },
      };
      const refused = await refusalOf(() => setUp("AT", racing));
      const code = what === "suspended" ? "payout_refused" : "session_missing";
      assertEquals(refused?.code, code);
    });
  }
}

Deno.test("nobody but a partner with a country sets one up", async () => {
  const { world, services, setUp, accounts } = await open();
  await using _ = world;
  for (const country of [null, "", "ZZ", "at", "Austria"]) {
    assertEquals(
      (await refusalOf(() => setUp(country)))?.code,
      "invalid_input",
    );
  }
  await services.store.transact(async (tx) => {
    const partner = await tx.partners.find(PARTNER_ID);
    assert(partner !== null);
    tx.partners.save({ ...partner, state: "applied" });
  });
  assertEquals((await refusalOf(() => setUp()))?.code, "partner_required");
  assertEquals(accounts(), []);
});

Deno.test("an older answer changes nothing, nor does an account that is not the partner's", async () => {
  const { world, services, setUp, accounts, known } = await open();
  await using _ = world;
  await setUp();
  const id = accounts()[0]?.id ?? "";
  const slow = world.another((real) => ({
    ...real,
    async retrievePartnerAccount(...given) {
      const before = await real.retrievePartnerAccount(...given);
      world.clock.advance(1_000);
      world.simulator.control.partners.turn(id, "complete");
      await syncAccount(services, id);
      return before;
    },
  }));
  await syncAccount(slow.services, id);
  assertEquals((await known())?.payoutsEnabled, true);
  const foreign = await services.processor.createPartnerAccount({
    accountId: PARTNER_ID,
    email: "grace@newsletter.example",
    country: "DE",
  }, "another");
  assert(foreign.ok);
  await syncAccount(services, foreign.value.id);
  await syncAccount(services, "acct_unknown");
  assertEquals((await known())?.id, id);
});

const IN_TROUBLE = "acct_in_trouble";

/** A partner who is looked at first. */
async function withAccountInTrouble(
  services: Pick<Services, "store">,
): Promise<void> {
  await services.store.transact((tx) =>
    tx.partners.save({
      accountId: "acc_a_first_one",
      state: "approved",
      terms: { version: "2026-11-23", acceptedAtMs: 0 },
      pitch: "Another newsletter",
      appliedAtMs: 0,
      decidedAtMs: 0,
      reason: null,
      links: 0,
      connectedAccount: {
        id: IN_TROUBLE,
        createdAtMs: 0,
        detailsSubmitted: false,
        payoutsEnabled: false,
        syncedAtMs: 0,
      },
    })
  );
}

Deno.test("an account of which no event came is read at night, and the trouble of one keeps no other", async () => {
  const { world, services, setUp, accounts, known } = await open();
  await using _ = world;
  await setUp();
  const id = accounts()[0]?.id ?? "";
  await withAccountInTrouble(services);
  world.simulator.control.partners.turn(id, "complete");
  world.simulator.control.addFault({
    kind: "rate_limit",
    path: `/v1/accounts/${IN_TROUBLE}`,
  });
  await syncAccounts(services);
  assertEquals((await known())?.payoutsEnabled, true);
  assert(world.log.events.includes("partner.sync_failed"));
});

Deno.test("a fault of ours at one partner's account keeps no other from being read at night", async () => {
  const { world, services, setUp, accounts, known } = await open();
  await using _ = world;
  await setUp();
  const id = accounts()[0]?.id ?? "";
  await withAccountInTrouble(services);
  world.simulator.control.partners.turn(id, "complete");
  const { processor } = services;
  const faulty: typeof processor = {
    ...processor,
    retrievePartnerAccount: (asked) =>
      asked === IN_TROUBLE
        ? Promise.reject(new TypeError("a bug"))
        : processor.retrievePartnerAccount(asked),
  };
  await syncAccounts({ ...services, processor: faulty });
  assertEquals((await known())?.payoutsEnabled, true);
  assert(world.log.lines.some((line) => line.includes("TypeError")));
});
