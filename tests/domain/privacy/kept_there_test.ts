/** What is left here of an account that the processor does not delete yet. */
import { assert, assertEquals } from "@std/assert";
import { sendAlerts } from "../../../domain/alerts/send_alerts.ts";
import { syncCards } from "../../../domain/cards/sync_cards.ts";
import { DAY_MS } from "../../../domain/day.ts";
import { syncIdentity } from "../../../domain/identity/sync_identity.ts";
import { syncAccount } from "../../../domain/partners/sync_account.ts";
import type { Services } from "../../../domain/ports.ts";
import { fulfilRequests } from "../../../domain/privacy/fulfil_requests.ts";
import {
  type AuctionWorld,
  openAuctionWorld,
} from "../../support/auction_world.ts";
import {
  CANARY,
  familiesWith,
  fillWithCanaries,
} from "../../support/canary_account.ts";
import { askForErasure } from "../../support/erasures.ts";
import { everyCrashPoint, isCrash } from "../../support/faults.ts";

type Kept = "redactIdentitySession" | "deleteCustomer" | "deletePartnerAccount";

const KEPT: readonly Kept[] = [
  "redactIdentitySession",
  "deleteCustomer",
  "deletePartnerAccount",
];

/** Services whose processor keeps these parts of an account. */
function keeping(services: Services, kept: readonly Kept[]): Services {
  const no = () =>
    Promise.resolve({ ok: false as const, code: "kept", message: "" });
  const refusals = Object.fromEntries(kept.map((call) => [call, no]));
  return { ...services, processor: { ...services.processor, ...refusals } };
}

/** An account of canaries that the processor knows in every way, due to go. */
async function openDue({ isAtHand = false } = {}) {
  const world = await openAuctionWorld({ isAtHand });
  const { services, clock } = world;
  const ada = await world.advertiser("ada");
  const accountId = ada.account.id;
  await fillWithCanaries(services, ada, { companyName: "Canary Person" });
  const returnUrl = "https://spotlight.example/back";
  for (const nth of [1, 2]) {
    const check = { accountId, returnUrl };
    await services.processor.createIdentitySession(check, `check:${nth}`);
  }
  const connected = await connectPartner(world, accountId);
  await askForErasure(services, accountId);
  clock.advance(7 * DAY_MS);
  return { world, accountId, connected };
}

async function connectPartner(
  { services, clock }: AuctionWorld,
  accountId: string,
): Promise<string> {
  const email = "canary-person@example.com";
  const asked = { accountId, email, country: "DE" };
  const made = await services.processor.createPartnerAccount(asked, "partner");
  assert(made.ok);
  const { id } = made.value;
  const nowMs = clock.now();
  await services.store.transact(async (tx) => {
    const partner = await tx.partners.find(accountId);
    assert(partner !== null);
    tx.partners.save({
      ...partner,
      state: "approved",
      decidedAtMs: nowMs,
      reason: "Canary welcome",
      accountAsked: { country: "DE", atMs: nowMs },
      connectedAccount: {
        id,
        createdAtMs: nowMs,
        detailsSubmitted: true,
        payoutsEnabled: true,
        waitsFor: null,
        syncedAtMs: nowMs,
      },
    });
  });
  return id;
}

/** What there is of the account at the processor. */
function known(
  { simulator: { control } }: AuctionWorld,
): Record<string, number> {
  const checks = control.objects("verification_session");
  return {
    redactIdentitySession: checks.filter((each) => !each.redaction).length,
    deleteCustomer: control.objects("customer").length,
    deletePartnerAccount: control.objects("account").length,
  };
}

for (const kept of KEPT) {
  Deno.test(`${kept}() that the processor refuses for months keeps neither a word of the account here nor anything else of it there, and ends the erasure once it does it`, async () => {
    const { world, accountId } = await openDue();
    await using _ = world;
    const { services, clock, log } = world;
    const { store } = services;
    const { [kept]: left } = known(world);
    for (const days of [0, 1, 30, 400]) {
      clock.advance(days * DAY_MS);
      await fulfilRequests(keeping(services, [kept]));
      assertEquals(await familiesWith(world, CANARY), [], `${days} days`);
      const requests = await store.dataRequests.find(accountId);
      const { email, country } = requests?.erasure?.begun ?? {};
      assertEquals([email, country], ["", null]);
      const none = Object.fromEntries(KEPT.map((each) => [each, 0]));
      assertEquals(known(world), { ...none, [kept]: left });
    }
    assertEquals(
      log.events.filter((event) => event === "privacy.left").length,
      4,
    );
    clock.advance(DAY_MS);
    await fulfilRequests(services);
    assertEquals(await store.accounts.find(accountId), null);
    assertEquals(await store.partners.find(accountId), null);
    assertEquals(await store.dataRequests.find(accountId), null);
    assert(await store.erasedAccounts.find(accountId));
  });
}

Deno.test("of a partner whose account at the processor can't be deleted yet stays which one that is and since when there may be others", async () => {
  const { world, accountId, connected } = await openDue();
  await using _ = world;
  const { services } = world;
  const { store } = services;
  const before = await store.partners.find(accountId);
  await fulfilRequests(keeping(services, ["deletePartnerAccount"]));
  const account = before?.connectedAccount;
  assert(before && account);
  assertEquals(await store.partners.find(accountId), {
    accountId,
    state: "ended",
    terms: { version: "", acceptedAtMs: 0 },
    pitch: "",
    appliedAtMs: before.appliedAtMs,
    decidedAtMs: null,
    reason: null,
    links: 0,
    connectedAccount: {
      id: connected,
      createdAtMs: account.createdAtMs,
      detailsSubmitted: false,
      payoutsEnabled: false,
      syncedAtMs: account.syncedAtMs,
    },
  });
});

Deno.test("an erasure that waits for the processor since a release before loses the same at its next turn", async () => {
  const { world, accountId } = await openDue();
  await using _ = world;
  const { services, clock } = world;
  const { store } = services;
  const partner = await store.partners.find(accountId);
  const refusing = keeping(services, ["deletePartnerAccount"]);
  await fulfilRequests(refusing);
  // That release kept the row and the address for as long as this lasted.
  await store.transact(async (tx) => {
    const requests = await tx.dataRequests.find(accountId);
    await tx.partners.find(accountId);
    assert(requests?.erasure && partner);
    const email = "canary-person@example.com";
    const begun = { email, country: "DE", atMs: clock.now() };
    const erasure = { ...requests.erasure, begun };
    tx.dataRequests.save({ ...requests, erasure });
    tx.partners.save(partner);
  });
  assertEquals(await familiesWith(world, CANARY), [
    "data_requests",
    "partners",
  ]);
  clock.advance(DAY_MS);
  await fulfilRequests(refusing);
  assertEquals(await familiesWith(world, CANARY), []);
  clock.advance(DAY_MS);
  await fulfilRequests(services);
  assertEquals(await store.accounts.find(accountId), null);
});

Deno.test("an erasure does not end while the processor has more customers of the account than were read", async () => {
  const { world, accountId } = await openDue();
  await using _ = world;
  const { services, clock } = world;
  const many = Array.from({ length: 100 }, (_, nth) => ({ id: `cus_${nth}` }));
  const processor = {
    ...services.processor,
    listCustomers: () =>
      Promise.resolve({
        ok: true as const,
        value: { items: many, nextCursor: "more" },
      }),
    deleteCustomer: (id: string) =>
      Promise.resolve({ ok: true as const, value: { id } }),
  } as typeof services.processor;
  await fulfilRequests({ ...services, processor });
  assert(await services.store.accounts.find(accountId) !== null);
  clock.advance(DAY_MS);
  await fulfilRequests(services);
  assertEquals(await services.store.accounts.find(accountId), null);
});

Deno.test("what the processor tells of an account while its erasure waits is not written down", async () => {
  const { world, accountId, connected } = await openDue();
  await using _ = world;
  const { services, clock, simulator: { control } } = world;
  const { store } = services;
  await fulfilRequests(keeping(services, KEPT));
  const partner = await store.partners.find(accountId);
  const account = await store.accounts.find(accountId);
  const [{ id: check = "" } = {}] = control.objects("verification_session");
  control.people.checkIdentity(check, "verified");
  control.partners.turn(connected, "complete");
  clock.advance(1_000);
  await syncIdentity(services, check);
  await syncAccount(services, connected);
  await syncCards(services, { accountId });
  assertEquals(await store.accounts.find(accountId), account);
  assertEquals(await store.partners.find(accountId), partner);
  assertEquals(await store.identityChecks.find(accountId), null);
  assertEquals(await store.listPaymentMethods(accountId, { limit: 9 }), []);
});

Deno.test("operators are told of an erasure that has not ended a week after it began, and when it has", async () => {
  const { world, accountId } = await openDue();
  await using _ = world;
  const { services, clock } = world;
  const isTold = async () => {
    await sendAlerts(services, []);
    const name = `erasure_stuck:${accountId}`;
    return await services.store.alerts.find(name) !== null;
  };
  const refusing = keeping(services, ["deleteCustomer"]);
  await fulfilRequests(refusing);
  clock.advance(7 * DAY_MS - 1);
  await fulfilRequests(refusing);
  assertEquals(await isTold(), false);
  clock.advance(1);
  assertEquals(await isTold(), true);
  clock.advance(DAY_MS);
  await fulfilRequests(refusing);
  assertEquals(await isTold(), true);
  clock.advance(DAY_MS);
  await fulfilRequests(services);
  assertEquals(await isTold(), false);
});

Deno.test("a process that dies at any commit of an erasure that has to wait for the processor leaves no word to the next, which ends it in time", async () => {
  const deaths = await everyCrashPoint(async (point) => {
    const { world, accountId } = await openDue({ isAtHand: true });
    await using _ = world;
    const { services, clock } = world;
    const dying = world.another();
    dying.kv.crashAt(point);
    await fulfilRequests(keeping(dying.services, KEPT)).catch((thrown) => {
      if (!isCrash(thrown)) throw thrown;
    });
    await dying.kv.arrive();
    const died = dying.kv.wentWrong;
    const told = JSON.stringify(point);
    clock.advance(3_600_000);
    await fulfilRequests(keeping(services, KEPT));
    assertEquals(await familiesWith(world, CANARY), [], told);
    clock.advance(DAY_MS);
    await fulfilRequests(services);
    assertEquals(await services.store.accounts.find(accountId), null, told);
    assert(await services.store.erasedAccounts.find(accountId), told);
    const left = Object.values(known(world)).reduce((sum, n) => sum + n, 0);
    assertEquals(left, 0, told);
    return died;
  });
  assert(deaths > 40, `${deaths} deaths`);
});
