/** A partner has one account at the processor, whoever asks for it at once. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { DAY_MS, HOUR_MS } from "../../../domain/day.ts";
import { setUpAccount } from "../../../domain/partners/set_up_account.ts";
import type { Services } from "../../../domain/ports.ts";
import { releaseStore } from "../../../domain/release/release_store.ts";
import { openAuctionWorld } from "../../support/auction_world.ts";
import { PARTNER_ID, savePartner } from "../../support/partners.ts";
import { assertRefused, refusalOf } from "../../support/refused.ts";
import {
  backupOf,
  gatedOver,
  restoreInto,
} from "../../support/restored_world.ts";
import { byBrowser, saveSession } from "../../support/sessions.ts";
import { openTestStore } from "../../support/store.ts";

const COUNTRIES = ["AT", "DE", "FR", "IE", "IT"];
const by = byBrowser(PARTNER_ID);

/** An approved partner without an account at the processor. */
async function open() {
  const world = await openAuctionWorld();
  await savePartner(world.services, {
    partner: { connectedAccount: null },
    account: { partner: false },
  });
  await saveSession(world.services, PARTNER_ID);
  const setUp = (country: string, own: Services = world.services) =>
    setUpAccount(own, { partnerId: PARTNER_ID, by, country });
  const countries = () =>
    world.simulator.control.objects("account").map(({ country }) => country);
  return { world, setUp, countries };
}

Deno.test("a partner who sets up at once with several countries has one account", async () => {
  const { world, setUp, countries } = await open();
  await using _ = world;
  const answers = await Promise.allSettled(
    COUNTRIES.map((country) => setUp(country, world.another().services)),
  );
  const [made, ...others] = countries();
  assertEquals(others, []);
  const opened = COUNTRIES.filter((_, nth) =>
    answers[nth]?.status === "fulfilled"
  );
  assertEquals(opened.includes(made ?? ""), true);
});

Deno.test("a partner who sets up again a moment later, while the account is made, has one account", async () => {
  const { world, setUp, countries } = await open();
  await using _ = world;
  const { services } = world.another((real) => ({
    ...real,
    async createPartnerAccount(...given) {
      world.clock.advance(1_000);
      await setUp("AT");
      return await real.createPartnerAccount(...given);
    },
  }));
  await setUp("AT", services);
  assertEquals(countries(), ["AT"]);
});

Deno.test("a partner whose account was made just before another is asked for has no other made", async () => {
  const { world, setUp, countries } = await open();
  await using _ = world;
  const { services } = world;
  const { partners } = services.store;
  const find: typeof partners.find = async (id) => {
    const partner = await partners.find(id);
    await setUp("AT");
    return partner;
  };
  const store = { ...services.store, partners: { ...partners, find } };
  await setUp("DE", { ...services, store });
  assertEquals(countries(), ["AT"]);
});

Deno.test("while an account may still be made, no other country is taken for an hour", async () => {
  const { world, setUp, countries } = await open();
  await using _ = world;
  const path = "/v1/accounts";
  world.simulator.control.addFault({ kind: "reset_before_effect", path });
  await setUp("AT").catch(() => {});
  const other = await assertRefused(() => setUp("DE"), "invalid_input");
  assertStringIncludes(other.message, "AT, choose that country");
  // The hour of the clock is another one; it is the same account.
  world.clock.advance(HOUR_MS - 1);
  await setUp("AT");
  assertEquals(countries(), ["AT"]);
});

Deno.test("an account whose answer was lost is found a day later, as long as its country is not another", async () => {
  const { world, setUp, countries } = await open();
  await using _ = world;
  const { control } = world.simulator;
  control.addFault({ kind: "reset_after_effect", path: "/v1/accounts" });
  await setUp("AT").catch(() => {});
  world.clock.advance(DAY_MS);
  await setUp("AT");
  assertEquals(countries(), ["AT"]);
});

Deno.test("a partner who chose a wrong country is not kept to it by an answer that was lost", async () => {
  const { world, setUp, countries } = await open();
  await using _ = world;
  const { control } = world.simulator;
  control.addFault({ kind: "reset_after_effect", path: "/v1/accounts" });
  await setUp("AT").catch(() => {});
  assertEquals((await refusalOf(() => setUp("DE")))?.code, "invalid_input");
  world.clock.advance(HOUR_MS);
  await setUp("DE");
  assertEquals(countries().toSorted(), ["AT", "DE"]);
  const partner = await world.services.store.partners.find(PARTNER_ID);
  const kept = control.objects("account")
    .find(({ id }) => id === partner?.connectedAccount?.id);
  assertEquals(kept?.country, "DE");
});

Deno.test("accounts are looked for from when one was asked for on, and where none was, not at all", async () => {
  const { world, setUp } = await open();
  await using _ = world;
  const { clock } = world;
  const asked: number[] = [];
  const { services } = world.another((real) => ({
    ...real,
    listPartnerAccounts: (span, cursor, limit) => {
      asked.push(span.from);
      return real.listPartnerAccounts(span, cursor, limit);
    },
  }));
  clock.advance(300 * DAY_MS);
  await saveSession(services, PARTNER_ID);
  const fault = { kind: "reset_before_effect", path: "/v1/accounts" } as const;
  world.simulator.control.addFault(fault);
  const askedAtMs = clock.now();
  await setUp("AT", services).catch(() => {});
  assertEquals(asked, []);
  clock.advance(HOUR_MS);
  await setUp("AT", services);
  assertEquals(asked, [askedAtMs - DAY_MS]);
});

Deno.test("a restored store finds the account that its partner set up after the backup", async () => {
  const { world, setUp, countries } = await open();
  await using _ = world;
  const { clock } = world;
  const backup = await backupOf(world);
  clock.advance(HOUR_MS);
  await setUp("AT");
  const [made] = world.simulator.control.objects("account");
  world.simulator.control.partners.turn(made?.id ?? "", "complete");
  clock.advance(DAY_MS);
  await using into = await openTestStore({ clock });
  await restoreInto(into, backup);
  const services = gatedOver(world, into);
  await releaseStore(services, { acknowledged: [] });
  await setUp("DE", services);
  assertEquals(countries(), ["AT"]);
  const partner = await services.store.partners.find(PARTNER_ID);
  assertEquals([
    partner?.connectedAccount?.id,
    partner?.connectedAccount?.payoutsEnabled,
  ], [made?.id, true]);
  const owner = await services.store.accounts.find(PARTNER_ID);
  assertEquals(owner?.partner, true);
});

Deno.test("a country that the processor does not pay in makes way for another at once", async () => {
  const { world, setUp, countries } = await open();
  await using _ = world;
  const { services } = world.another((real) => ({
    ...real,
    createPartnerAccount: () =>
      Promise.resolve({ ok: false, code: "country_unsupported", message: "" }),
  }));
  assertEquals(
    (await refusalOf(() => setUp("AT", services)))?.code,
    "invalid_input",
  );
  await setUp("DE");
  assertEquals(countries(), ["DE"]);
  const partner = await world.services.store.partners.find(PARTNER_ID);
  assertEquals(partner?.accountAsked, undefined);
  assertEquals(world.log.events.includes("partner.account_refused"), true);
});

Deno.test("what was asked for in vain is asked for anew an hour later", async () => {
  const { world, setUp, countries } = await open();
  await using _ = world;
  const path = "/v1/accounts";
  world.simulator.control.addFault({ kind: "error_before_effect", path });
  await setUp("AT").catch(() => {});
  world.clock.advance(HOUR_MS);
  await setUp("DE");
  assertEquals(countries(), ["DE"]);
});

Deno.test("of accounts that were made before a store was lost, the one that can be paid is kept, and of none that can the first", async () => {
  for (const [payable, kept] of [["DE", "DE"], ["", "AT"]]) {
    const { world, countries } = await open();
    await using _ = world;
    const { clock, services: { processor } } = world;
    const backup = await backupOf(world);
    for (const country of ["AT", "DE", "FR"]) {
      clock.advance(HOUR_MS);
      const account = { accountId: PARTNER_ID, email: "a@b.example", country };
      await processor.createPartnerAccount(account, country);
    }
    const { control } = world.simulator;
    const idOf = (country?: string) =>
      control.objects("account").find((each) => each.country === country)?.id;
    const id = idOf(payable);
    if (id !== undefined) control.partners.turn(id, "complete");
    await using into = await openTestStore({ clock });
    await restoreInto(into, backup);
    const services = gatedOver(world, into);
    await releaseStore(services, { acknowledged: [] });
    const setUp = { partnerId: PARTNER_ID, by, country: null };
    await setUpAccount(services, setUp);
    const partner = await services.store.partners.find(PARTNER_ID);
    assertEquals(partner?.connectedAccount?.id, idOf(kept));
    assertEquals(countries().length, 3);
  }
});

Deno.test("whoever is signed out meanwhile has no account made, nor one kept that was made", async () => {
  const { world, setUp, countries } = await open();
  await using _ = world;
  const { store } = world.services;
  const signOut = () => store.transact((tx) => tx.sessions.remove(by.session));
  await signOut();
  assertEquals((await refusalOf(() => setUp("AT")))?.code, "session_missing");
  assertEquals(countries(), []);
  await saveSession(world.services, PARTNER_ID);
  const { services } = world.another((real) => ({
    ...real,
    async createPartnerAccount(...given) {
      await signOut();
      return await real.createPartnerAccount(...given);
    },
  }));
  const late = await refusalOf(() => setUp("AT", services));
  assertEquals(late?.code, "session_missing");
  const connected = async () =>
    (await store.partners.find(PARTNER_ID))?.connectedAccount ?? null;
  assertEquals(await connected(), null);
  // It is not lost: whoever signs in again goes on with it.
  await saveSession(world.services, PARTNER_ID);
  await setUp("AT");
  assertEquals([countries(), await connected() !== null], [["AT"], true]);
});

Deno.test("a partner who was ended sets its account up, to be paid what was earned before", async () => {
  const { world, setUp, countries } = await open();
  await using _ = world;
  await world.services.store.transact(async (tx) => {
    const partner = await tx.partners.find(PARTNER_ID);
    if (partner !== null) tx.partners.save({ ...partner, state: "ended" });
  });
  await setUp("AT");
  assertEquals(countries(), ["AT"]);
});

Deno.test("an answer that comes after another country was chosen replaces no account, and ends no wait for one", async () => {
  for (const isMade of [true, false]) {
    const { world, setUp } = await open();
    await using _ = world;
    const { store } = world.services;
    const { clock, simulator: { control } } = world;
    const fault = {
      kind: "reset_before_effect",
      path: "/v1/accounts",
      method: "POST",
    } as const;
    const { services } = world.another((real) => ({
      ...real,
      async createPartnerAccount(...given) {
        const answer = isMade
          ? await real.createPartnerAccount(...given)
          : { ok: false, code: "country_unsupported", message: "" } as const;
        clock.advance(HOUR_MS);
        if (!isMade) control.addFault(fault);
        await setUp("DE").catch(() => {});
        return answer;
      },
    }));
    await refusalOf(() => setUp("AT", services));
    const partner = await store.partners.find(PARTNER_ID);
    const german = control.objects("account")
      .find(({ country }) => country === "DE");
    assertEquals(partner?.connectedAccount?.id, german?.id);
    assertEquals(partner?.accountAsked?.country, isMade ? undefined : "DE");
  }
});
