/**
 * With as many secrets as the service starts with: what is looked for by each of
 * them is found, and leaves a commit with as few checks as before.
 */
import { assert, assertEquals } from "@std/assert";
import { secretKeys } from "../../../config/secret_keys.ts";
import { SECRETS_MAX } from "../../../config/variables.ts";
import type { Account } from "../../../domain/accounts/account.ts";
import { claimVat, giveUpVatId } from "../../../domain/accounts/claim_vat.ts";
import { approveRename } from "../../../domain/accounts/decide_rename.ts";
import { newAccount } from "../../../domain/accounts/new_account.ts";
import { saveCompany } from "../../../domain/accounts/save_company.ts";
import { verifyVat } from "../../../domain/accounts/verify_vat.ts";
import { syncCards } from "../../../domain/cards/sync_cards.ts";
import { startIdentityCheck } from "../../../domain/identity/start_identity_check.ts";
import { syncLastIdentity } from "../../../domain/identity/sweep_identities.ts";
import { keepSuppression } from "../../../domain/mail/suppression.ts";
import { newLink } from "../../../domain/partners/create_link.ts";
import type { Keys, Services } from "../../../domain/ports.ts";
import { networksOf } from "../../../domain/rate_limit/network.ts";
import { redeemCode } from "../../../domain/sign_in/redeem_code.ts";
import { requestCode } from "../../../domain/sign_in/request_code.ts";
import {
  type AuctionWorld,
  openAuctionWorld,
} from "../../support/auction_world.ts";
import { readyAccount } from "../../support/identity_ready.ts";
import { testLimiter } from "../../support/limiter.ts";
import { liveSession, saveSession } from "../../support/sessions.ts";
import { submit } from "../../simulators/stripe/browser.ts";
import { openVatWorld, VAT_ID, type VatWorld } from "./vat_world.ts";

/** As many as there may be, newest first. */
const SECRETS = Array.from(
  { length: SECRETS_MAX },
  (_, nth) => `secret-${nth}-`.padEnd(40, "x"),
);
const OLDEST = SECRETS.slice(-1);

function keysOf([first = "", ...more]: readonly string[]): Keys {
  return secretKeys({ secrets: [first, ...more] });
}

const MANY = keysOf(SECRETS);

const withMany = <S extends Services>(services: S): S => ({
  ...services,
  keys: MANY,
});

/** What the register says of an id that nobody holds yet. */
function claimant(account: Account, atMs: number): Account {
  return {
    ...account,
    vatStatus: "unverified",
    company: {
      name: "Ada GmbH",
      country: "DE",
      address: { line1: "Weg 1", city: "Berlin", postalCode: "10115" },
      ...account.company,
      vatId: VAT_ID,
    },
    vatCheck: {
      vatId: VAT_ID,
      outcome: "valid",
      atMs,
      dueAtMs: atMs,
      failures: 0,
      consultation: null,
      name: null,
    },
  };
}

async function save({ store }: Services, account: Account): Promise<void> {
  await store.transact((tx) => tx.accounts.save(account));
}

async function vatOf({ store }: Services, accountId: string) {
  const account = await store.accounts.find(accountId);
  return [account?.vatStatus, account?.vatCase?.why];
}

/** Somebody has given the id up under the oldest secret. */
async function givenUp({ services, store, clock }: VatWorld): Promise<void> {
  const owing = claimant(newAccount("acc_gone", "gone@example.com", 0), 0);
  await store.transact((tx) => {
    const account: Account = { ...owing, vatStatus: "valid", paidWins: 1 };
    giveUpVatId(keysOf(OLDEST), tx, account, clock.now());
    return Promise.resolve();
  });
  assertEquals(await services.store.vatHolders.find(VAT_ID), null);
}

Deno.test("verifyVat() gives a VAT id to who claims it under as many secrets as there may be", async () => {
  await using world = await openVatWorld();
  const services = withMany(world.services);
  const accountId = await world.onboard("ada");
  await verifyVat(services, { accountId });
  assertEquals(await vatOf(services, accountId), ["valid", undefined]);
});

Deno.test("a VAT id that was given up under the oldest of as many secrets as there may be is an operator's to give", async () => {
  await using world = await openVatWorld();
  const services = withMany(world.services);
  await givenUp(world);
  const accountId = await world.onboard("ada");
  await verifyVat(services, { accountId });
  assertEquals(await vatOf(services, accountId), ["unverified", "contested"]);
});

Deno.test("who only typed a VAT id makes room for its owner under as many secrets as there may be", async () => {
  await using world = await openVatWorld();
  const services = withMany(world.services);
  const squatter = await world.onboard("eve", VAT_ID, {
    identityStatus: "unverified",
    defaultPaymentMethodId: null,
    vatStatus: "valid",
  });
  const owner = await world.onboard("ada");
  await verifyVat(services, { accountId: owner });
  assertEquals(await vatOf(services, owner), ["valid", undefined]);
  assertEquals(await vatOf(services, squatter), ["unverified", undefined]);
});

Deno.test("of two accounts that claim one VAT id at once one holds it, under as many secrets as there may be", async () => {
  await using world = await openVatWorld();
  const ids: string[] = [];
  for (const name of ["ada", "bob"]) {
    const accountId = await world.onboard(name);
    await save(world.services, claimant(await world.account(accountId), 0));
    ids.push(accountId);
  }
  await Promise.all(
    ids.map((accountId) =>
      claimVat(withMany(world.another().services), { accountId })
    ),
  );
  const all = await Promise.all(ids.map((id) => vatOf(world.services, id)));
  assertEquals(all.map(([status]) => status).toSorted(), [
    "unverified",
    "valid",
  ]);
  assertEquals(all.map(([, why]) => why ?? "").toSorted(), ["", "held"]);
});

/**
 * The services of one whose commits are each preceded, once, by what another
 * process does after all was read.
 */
function overtaken(services: Services, meanwhile: () => Promise<unknown>) {
  let isFirst = true;
  const { store } = services;
  const transact: typeof store.transact = (work) =>
    store.transact(async (tx) => {
      const result = await work(tx);
      if (isFirst) {
        isFirst = false;
        await meanwhile();
      }
      return result;
    });
  const over = new Proxy(store, {
    get: (target, name) =>
      name === "transact" ? transact : Reflect.get(target, name),
  });
  return { ...services, store: over };
}

Deno.test("a VAT id that its holder, who owes, gives up while another claims it goes to nobody by itself", async () => {
  await using world = await openVatWorld();
  const services = withMany(world.services);
  // Of before claims waited: another may have it as long as she holds it so.
  const before = await world.onboard("eve", VAT_ID, {
    identityStatus: "unverified",
    defaultPaymentMethodId: null,
    vatStatus: "valid",
    paidWins: 1,
  });
  const { company } = await world.account(before);
  assert(company !== null);
  const accountId = await world.onboard("ada");
  await save(services, claimant(await world.account(accountId), 0));
  const racing = overtaken(services, () =>
    saveCompany(services, {
      accountId: before,
      company: { ...company, vatId: null },
    }));
  await claimVat(racing, { accountId });
  assertEquals(await vatOf(services, accountId), ["unverified", "contested"]);
});

Deno.test("approveRename() settles a claim under as many secrets as there may be", async () => {
  await using world = await openVatWorld();
  const services = withMany(world.services);
  const name = "Musterfirma GmbH";
  world.registry.answer = { outcome: "valid", consultation: null, name };
  const accountId = await world.onboard("ada", VAT_ID, {
    rename: { name: "Musterfirma", askedAtMs: 0 },
  });
  await verifyVat(services, { accountId });
  await approveRename(services, {
    accountId,
    by: { kind: "operator_key" },
    reason: "As it is registered.",
    about: "Musterfirma",
  });
  assertEquals(await vatOf(services, accountId), ["valid", undefined]);
});

Deno.test("syncCards() settles a claim under as many secrets as there may be", async () => {
  await using world = await openAuctionWorld();
  const services = withMany(world.services);
  const { account } = await world.advertiser("ada");
  await save(services, claimant(account, world.clock.now()));
  await syncCards(services, { accountId: account.id });
  assertEquals(await vatOf(services, account.id), ["valid", undefined]);
});

Deno.test("syncIdentity() settles a claim under as many secrets as there may be", async () => {
  await using world = await openAuctionWorld();
  const services = withMany(world.services);
  const accountId = "acc_ada";
  const ready = readyAccount(accountId, "ada@example.com");
  await save(services, claimant(ready, world.clock.now()));
  await saveSession(services, accountId);
  const { url } = await startIdentityCheck(services, {
    accountId,
    by: { session: liveSession(accountId) },
    admit: () => Promise.resolve(),
  });
  await submit(url ?? "", { choice: "verify" });
  await syncLastIdentity(services, { accountId });
  assertEquals(await vatOf(services, accountId), ["valid", undefined]);
});

/** Signs up by a mailed code, which came by a partner's link. */
async function signUp(
  { testStore }: AuctionWorld,
  services: Services,
  email: string,
  referralCode: string,
): Promise<Account | null> {
  const { browserSecret } = await requestCode(
    { ...services, limiter: testLimiter(testStore) },
    {
      email,
      networks: networksOf("192.0.2.1"),
      deviceId: null,
      browserSecret: null,
      next: "/account",
      referralCode,
    },
  );
  const [mail] = await services.store.listMails({ limit: 1, reverse: true });
  const { accountId } = await redeemCode(services, {
    browserSecret,
    code: /#c=(\d{8})/.exec(mail?.text ?? "")?.[1] ?? "",
    previousSessionId: null,
    userAgent: "A browser",
  });
  return await services.store.accounts.find(accountId);
}

Deno.test("who signs up again by a partner's link is mailed nothing that was switched off, under the oldest of as many secrets as there may be", async () => {
  await using world = await openAuctionWorld();
  const services = withMany(world.services);
  const { store } = services;
  const partnerId = "acc_grace";
  const code = "abcdefghijkl";
  const grace = newAccount(partnerId, "grace@partner.example", 0);
  await store.transact((tx) => {
    tx.accounts.save({ ...grace, partner: true });
    tx.referralLinks.save(newLink({ code, partnerId, name: "Letter" }, 0));
    const account = { email: "ada@example.org", mutedMails: ["bid_lost"] };
    keepSuppression(keysOf(OLDEST), tx, account as never);
    return Promise.resolve();
  });
  const account = await signUp(world, services, "ada@example.org", code);
  assertEquals(account?.mutedMails, ["bid_lost"]);
  assertEquals(account?.referral?.partnerId, partnerId);
});
