/**
 * The mails of an account are found by whose they are: wherever they went, and
 * without a look at anybody else's.
 *
 * @module
 */
import { assertEquals } from "@std/assert";
import type { Account } from "../../../domain/accounts/account.ts";
import { suspendAccount } from "../../../domain/accounts/suspend_account.ts";
import type { OutboxMail } from "../../../domain/mail/outbox_mail.ts";
import type { Services } from "../../../domain/ports.ts";
import { eraseAccount } from "../../../domain/privacy/erase_account.ts";
import { eraseMailsOf } from "../../../domain/privacy/erase_rows.ts";
import { everyMailOf } from "../../../domain/privacy/own_records.ts";
import {
  type AuctionWorld,
  openAuctionWorld,
} from "../../support/auction_world.ts";
import { familiesWith } from "../../support/canary_account.ts";

const LEFT = "left@example.com";
const STRANGERS = 100;

/** Services over whose outbox nobody looks as a whole. */
function withoutTheWhole(services: Services): Services {
  const { store } = services;
  const listMails = () => Promise.reject(new Error("Everybody's mails"));
  return { ...services, store: { ...store, listMails } };
}

function saveMails(
  { services, clock }: AuctionWorld,
  mails: readonly (Pick<OutboxMail, "id" | "to"> & Partial<OutboxMail>)[],
): Promise<void> {
  const nowMs = clock.now();
  return services.store.transact((tx) =>
    mails.forEach((mail) =>
      tx.outbox.save({
        subject: "Hello",
        text: "Hello",
        state: "waiting",
        createdAtMs: nowMs,
        dueAtMs: nowMs,
        attempts: 0,
        sentAtMs: null,
        leaseOwner: null,
        expiresAtMs: nowMs + 86_400_000,
        ...mail,
      })
    )
  );
}

/** The account under an address that it has and one that it had before. */
async function moved(world: AuctionWorld): Promise<Account> {
  const { services } = world;
  const { account } = await world.advertiser("ada");
  const move = (email: string) =>
    services.store.transact(async (tx) => {
      const found = await tx.accounts.find(account.id);
      if (found !== null) tx.accounts.save({ ...found, email });
    });
  await move(LEFT);
  const by = { kind: "operator_key" } as const;
  const order = {
    accountId: account.id,
    by,
    reason: "Left words",
    about: null,
  };
  await suspendAccount(services, order);
  await move(account.email);
  return account;
}

async function idsOf(services: Services, account: Account): Promise<string[]> {
  const whose = { accountId: account.id, email: account.email };
  const mails = await Array.fromAsync(everyMailOf(services, whose));
  return mails.map(({ id, kind }) => kind ?? id);
}

Deno.test("an account's mails are found without a look at anybody else's, also those to an address that it has left", async () => {
  await using world = await openAuctionWorld();
  const account = await moved(world);
  const { email: to } = account;
  await saveMails(world, [
    ...Array.from({ length: STRANGERS }, (_, nth) => ({
      id: `mail_${nth}`,
      to: `stranger${nth}@example.com`,
      accountId: `acc_${nth}`,
    })),
    // Of a version before, or of before there was an account.
    { id: "mail_old", to },
    // Another has signed up with the address since it was left.
    { id: "mail_next", to: LEFT, accountId: "acc_next" },
  ]);
  const services = withoutTheWhole(world.services);
  assertEquals(await idsOf(services, account), ["suspended", "mail_old"]);
});

Deno.test("an erasure takes the mails to an address that the account has left, and leaves those of who has it now", async () => {
  await using world = await openAuctionWorld();
  const account = await moved(world);
  assertEquals(await familiesWith(world, LEFT), ["outbox"]);
  const services = withoutTheWhole(world.services);
  await eraseAccount(services, { accountId: account.id, isRepeated: true });
  assertEquals(await familiesWith(world, LEFT), []);
  assertEquals(await familiesWith(world, account.email), []);
  await saveMails(world, [
    { id: "mail_next", to: account.email, accountId: "acc_next" },
  ]);
  const again = { accountId: account.id, isRepeated: true };
  await eraseAccount(services, again);
  assertEquals(await idsOf(services, { ...account, id: "acc_next" }), [
    "mail_next",
  ]);
});

Deno.test("of the mails to its address that are nobody's an erasure takes those up to its moment, of its own all", async () => {
  await using world = await openAuctionWorld();
  const { services, clock } = world;
  const { account } = await world.advertiser("ada");
  const { id: accountId, email: to } = account;
  const untilMs = clock.now();
  await saveMails(world, [
    { id: "own_later", to, accountId, createdAtMs: untilMs + 1 },
    { id: "nobodys_then", to, createdAtMs: untilMs },
    // Somebody signs up with the address since.
    { id: "nobodys_later", to, createdAtMs: untilMs + 1 },
  ]);
  await eraseMailsOf(services, { accountId, email: to }, untilMs);
  assertEquals(await idsOf(services, account), ["nobodys_later"]);
});
