/**
 * An account whose every text is a canary: whatever of it is found elsewhere, or
 * is still found once the account is erased, was kept.
 *
 * @module
 */
import type { Account } from "../../domain/accounts/account.ts";
import { saveWithNote } from "../../domain/accounts/account_note.ts";
import { newSession } from "../../domain/checkout/session.ts";
import { saveWithNote as saveCreative } from "../../domain/creatives/creative_note.ts";
import { DAY_MS, dayOf } from "../../domain/day.ts";
import { noteEvents } from "../../domain/events/note_events.ts";
import type { Services, Transaction } from "../../domain/ports.ts";
import { createGrant } from "../../tools/demo/create_grant.ts";
import { dump } from "../../kv/dump.ts";
import { isExpired } from "../../kv/refs.ts";
import type { Advertiser, AuctionWorld } from "./auction_world.ts";
import { passkeyOf } from "./passkeys.ts";
import { saveSession } from "./sessions.ts";

/** The word that every canary has. */
export const CANARY = "canary";

/** What the account becomes. */
export interface CanaryOptions {
  /** With a legal form a company's, without one a person's. */
  companyName: string;
}

/** Fills every family that has rows of an account with rows of this one. */
export async function fillWithCanaries(
  services: Services,
  { account: { id: accountId }, adId, paymentMethodId }: Advertiser,
  { companyName }: CanaryOptions,
): Promise<Account> {
  const { store, clock } = services;
  const nowMs = clock.now();
  const account = await saveAccount(services, accountId, companyName);
  const { grant } = await createGrant(services, {
    accountId,
    clientId: "https://agent.example/client.json",
    clientName: "An agent",
    scopes: ["account:read", "bids:read"],
    mandate: null,
  });
  await saveSession(services, accountId);
  await saveAdAndAgent(services, {
    accountId,
    adId,
    companyName,
    grantId: grant.id,
  });
  await store.transact((tx) =>
    tx.operatorActs.save({
      id: "act_1",
      atMs: nowMs,
      by: { kind: "key", name: "desk" },
      act: "account.refuse_name",
      subject: accountId,
      reason: "Canary reason of an act",
      change: { before: { name: "Canary" }, after: { name: "Canary 2" } },
    })
  );
  await saveAround(services, account, paymentMethodId);
  return account;
}

function saveAccount(
  { store, clock }: Services,
  accountId: string,
  name: string,
): Promise<Account> {
  return store.transact(async (tx) => {
    const nowMs = clock.now();
    const found = await tx.accounts.find(accountId);
    if (found === null) throw new Error("The advertiser has an account");
    const vatId = "DECANARY1";
    const account: Account = {
      ...found,
      email: "canary-person@example.com",
      company: {
        name,
        country: "DE",
        vatId,
        address: {
          line1: "Canary street 1",
          city: "Canary city",
          postalCode: "CANARY",
        },
      },
      vatCheck: {
        vatId,
        outcome: "valid",
        atMs: nowMs,
        consultation: "canary-consultation",
        name: "CANARY REGISTERED",
        failures: 0,
        dueAtMs: nowMs + DAY_MS,
      },
      vatRefusals: [{ vatId, name: null, reason: "Canary refusal" }],
      refusedFingerprints: ["canary-fingerprint"],
      mutedMails: ["review"],
    };
    return saveWithNote(tx, account, {
      event: "rename_refused",
      by: { kind: "operator_key" },
      atMs: nowMs,
      reason: "Canary reason",
    });
  });
}

/** What lies beside the account, under its id or its address. */
async function saveAround(
  { store, clock }: Services,
  { id: accountId, email }: Account,
  paymentMethodId: string,
): Promise<void> {
  const nowMs = clock.now();
  await store.transact(async (tx) => {
    const card = await tx.paymentMethods.find(accountId, paymentMethodId);
    if (card !== null) {
      tx.paymentMethods.save({ ...card, fingerprint: "canary-card" });
    }
    const credentials = await tx.credentials.find(accountId);
    tx.credentials.save({
      accountId,
      generation: credentials?.generation ?? 0,
      passkeys: [{ ...passkeyOf("pk_canary", nowMs), name: "Canary phone" }],
    });
    tx.identityChecks.save({
      accountId,
      count: 1,
      tries: [{ startedAtMs: nowMs, sessionId: "vs_canary" }],
      status: "verified",
      lastErrorCode: null,
      verified: { sessionId: "vs_canary", atMs: nowMs },
      lookDueAtMs: null,
    });
    tx.wallets.save({
      accountId,
      version: 1,
      setups: [{ ref: "canary-ref", startedAtMs: nowMs, sessionId: null }],
      syncDueAtMs: nowMs + DAY_MS,
      syncFailures: 0,
      warnDueAtMs: null,
    });
    tx.customerTasks.save({
      accountId,
      state: "done",
      version: 1,
      dueAtMs: nowMs,
      failures: 0,
    });
    savePartner(tx, accountId, nowMs);
    tx.outbox.save({
      id: "mail_before",
      kind: "bid_stands",
      to: email,
      subject: "Canary subject",
      text: "Canary text",
      state: "waiting",
      createdAtMs: nowMs,
      dueAtMs: nowMs + 30 * DAY_MS,
      attempts: 0,
      sentAtMs: null,
      leaseOwner: null,
      expiresAtMs: nowMs + 30 * DAY_MS,
    });
    await noteEvents(tx, accountId, [
      { type: "payment_method.refused", data: { payment_method_id: "canary" } },
    ], nowMs);
  });
}

function savePartner(tx: Transaction, accountId: string, nowMs: number): void {
  tx.partners.save({
    accountId,
    state: "applied",
    terms: { version: "2026-11-23", acceptedAtMs: nowMs },
    pitch: "Canary pitch",
    appliedAtMs: nowMs,
    decidedAtMs: null,
    reason: null,
    connectedAccount: null,
    links: 1,
  });
  tx.referralLinks.save({
    code: "canaryLk",
    partnerId: accountId,
    name: "Canary link",
    state: "active",
    createdAtMs: nowMs,
    endedAtMs: null,
  });
}

/** The families of a backup of which a row has the word. */
export async function familiesWith(
  world: Pick<AuctionWorld, "testStore" | "clock">,
  word: string,
): Promise<string[]> {
  const rows = await linesWith(world, [word]);
  return [...new Set(rows.map(([key]) => key[0]))].toSorted();
}

/** The rows of a backup that have one of the words, whatever their case. */
export async function linesWith(
  { testStore, clock }: Pick<AuctionWorld, "testStore" | "clock">,
  words: readonly string[],
): Promise<[key: [family: string, ...unknown[]], value: unknown][]> {
  const text = await new Response(
    dump(testStore.realKv, { clock, keys: null }),
  ).text();
  return text.split("\n").slice(1, -2)
    .filter((line) => {
      const lower = line.toLowerCase();
      return words.some((word) => lower.includes(word));
    })
    .map((line) => JSON.parse(line))
    // The store deletes what has expired a little later.
    .filter(([, value]) => !isExpired(value, clock.now()));
}

/** The ad with its history, and what lies under the agent's grant. */
async function saveAdAndAgent(
  { store, clock }: Services,
  { accountId, adId, companyName, grantId }: {
    accountId: string;
    adId: string;
    companyName: string;
    grantId: string;
  },
): Promise<void> {
  const nowMs = clock.now();
  await store.transact(async (tx) => {
    const creative = await tx.creatives.find(accountId, adId);
    if (creative === null) throw new Error("The advertiser has an ad");
    const copy = {
      headline: "Canary headline",
      description: "What the canary has to say",
      targetUrl: "https://canary.example/",
      advertiser: { name: companyName, version: 0 },
    };
    saveCreative(tx, { ...creative, ...copy }, {
      event: "rejected",
      by: { kind: "operator_key" },
      atMs: nowMs,
      rejection: {
        policyId: "deceptive",
        message: "Canary message",
        remedy: "Canary remedy",
      },
    });
    const day = dayOf(nowMs);
    tx.creativeShelves.save({ accountId, kept: 1, day, made: 1 });
    tx.callbacks.save({
      grantId,
      accountId,
      url: "https://canary-hook.example/",
      secrets: [],
      off: null,
      position: 0,
      replays: [],
      dueAtMs: null,
      leaseOwner: null,
      failures: 0,
      failingSinceMs: null,
      deliveries: [],
    });
    const id = "cs_0123456789abcdef0123456789abcdef";
    const merchant = { profileId: "p", environment: "test" as const };
    tx.checkoutSessions.save(newSession({ id, grantId, day, merchant }, nowMs));
    for (const owner of [grantId, accountId]) {
      tx.idempotency.save({
        owner,
        operation: "PATCH /v1/agent/me",
        key: "canary-key",
        requestHash: "0".repeat(64),
        state: "done",
        answer: { status: 200, body: '{"company_name":"canary"}' },
        expiresAtMs: nowMs + 30 * DAY_MS,
      });
    }
  });
}
