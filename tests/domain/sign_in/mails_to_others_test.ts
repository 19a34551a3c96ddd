/**
 * What one person can have mailed to somebody else's address: codes for signing in
 * and for a change of address, which draw on the same counts. All other mails go
 * to an address that its account has proved to be its own.
 */
import { assertEquals } from "@std/assert";
import { MAILS } from "../../../domain/mail/mail_kinds.ts";
import { networksOf } from "../../../domain/rate_limit/network.ts";
import {
  EMAIL_CHANGES,
  SIGN_IN_EMAIL,
} from "../../../domain/rate_limit/policy.ts";
import { Refused } from "../../../domain/refusal.ts";
import { requestEmailChange } from "../../../domain/sign_in/change_email.ts";
import { requestCode } from "../../../domain/sign_in/request_code.ts";
import { openBiddingWorld } from "../../support/bidding_world.ts";
import { readyAccount } from "../../support/bidding_world.ts";
import { TEST_KEYS } from "../../support/keys.ts";
import { testLimiter } from "../../support/limiter.ts";
import { liveSession } from "../../support/sessions.ts";

const VICTIM = "victim@example.com";

/** A world with somebody who has as many accounts and networks as are wanted. */
async function openWorld() {
  const world = await openBiddingWorld();
  const limiter = testLimiter(world.testStore);
  const services = { ...world.services, keys: TEST_KEYS, limiter };
  const { store } = services;
  const accountOf = async (nth: number) => {
    const account = readyAccount(`own${nth}`);
    const hash = `session${nth}`;
    const session = { ...liveSession(account.id), hash };
    await store.transact((tx) => {
      tx.accounts.save(account);
      tx.sessions.save(session);
    });
    return { accountId: account.id, by: { session } };
  };
  const unlessRefused = async (asked: Promise<unknown>) => {
    try {
      await asked;
    } catch (thrown) {
      if (!(thrown instanceof Refused)) throw thrown;
      assertEquals(thrown.refusal.code, "sign_in_mails_exhausted");
    }
  };
  return {
    store,
    /** Wants an address for one of the accounts, from a network. */
    async change(nth: number, wanted: string, from = `192.0.2.${nth}`) {
      const networks = networksOf(from);
      const asked = { ...await accountOf(nth), wanted, networks };
      await unlessRefused(requestEmailChange(services, asked));
    },
    /** Wants to sign in with an address, from a network. */
    async signIn(email: string, from: string) {
      const networks = networksOf(from);
      const asked = { email, networks, deviceId: null, browserSecret: null };
      await unlessRefused(requestCode(services, { ...asked, next: "/" }));
    },
    /** Mails that went to somebody whose addresses begin so. */
    async mailsTo(name: string) {
      const mails = await store.listMails({ limit: 999 });
      return mails.filter(({ to }) => to.startsWith(name)).length;
    },
    async [Symbol.asyncDispose]() {
      await limiter.close();
      await world[Symbol.asyncDispose]();
    },
  };
}

Deno.test("somebody's address is mailed no more often for changes and sign-ins together than a day has, from however many accounts and networks", async () => {
  await using world = await openWorld();
  for (let nth = 0; nth < 100; nth++) {
    await world.change(nth, `victim+${nth}@example.com`);
    await world.signIn(VICTIM, `198.51.100.${nth}`);
  }
  assertEquals(await world.mailsTo("victim"), SIGN_IN_EMAIL.capacity);
});

Deno.test("one network has somebody mailed five times at once for changes and sign-ins together, from however many accounts", async () => {
  await using world = await openWorld();
  for (let nth = 0; nth < 10; nth++) {
    await world.change(nth, VICTIM, "192.0.2.1");
    await world.signIn(VICTIM, "192.0.2.1");
  }
  assertEquals(await world.mailsTo("victim"), 5);
});

Deno.test("one account has five strangers mailed about changes at once, from however many networks", async () => {
  await using world = await openWorld();
  for (let nth = 0; nth < 10; nth++) {
    await world.change(0, `victim${nth}@example.com`, `192.0.2.${nth}`);
  }
  assertEquals(await world.mailsTo("victim"), EMAIL_CHANGES.capacity);
});

Deno.test("mails that go where nobody has proved an address yet are codes, and counted as such", () => {
  const codes = Object.entries(MAILS)
    .filter(([, { bound }]) => bound === "code")
    .map(([kind]) => kind);
  assertEquals(codes, ["sign_in", "email_change", "email_changed"]);
});
