/**
 * People who sign up: partners, and advertisers who come by a partner's link or by
 * none. Every text of a person has a word that nobody else's has.
 *
 * @module
 */
import type { Account } from "../../domain/accounts/account.ts";
import { applyAsPartner } from "../../domain/partners/apply.ts";
import { approvePartner } from "../../domain/partners/decide_partner.ts";
import { findCountingLink } from "../../domain/partners/refer.ts";
import { networksOf } from "../../domain/rate_limit/network.ts";
import type { Session } from "../../domain/sessions/session.ts";
import { redeemCode } from "../../domain/sign_in/redeem_code.ts";
import { requestCode } from "../../domain/sign_in/request_code.ts";
import { equipAdvertiser } from "../support/auction_world.ts";
import { testLimiter } from "../support/limiter.ts";
import { liveSession } from "../support/sessions.ts";
import { ALL } from "./facts.ts";
import type { Life } from "./world.ts";

/** Cards of who signs up, each mostly good. */
const CARDS = [
  "pm_card_visa",
  "pm_card_mastercard",
  "pm_card_chargeCustomerFail",
] as const;
/** So many come in the first days: a month of three invoices is told alone. */
const EARLY = 3;
/** More than these would only make each day longer. */
const NEWCOMERS_MAX = 8;
/** How many partners there are from the first day on. */
export const PARTNERS = 2;

/** Partners sign up, and are approved. */
export async function openPartners(life: Life): Promise<void> {
  for (let nth = 0; nth < PARTNERS; nth++) {
    const canary = canaryOf(life);
    const host = `letter${nth}.example`;
    const account = await signUp(life, `${canary}@${host}`, null);
    const { services } = life;
    const pitch = `A newsletter of ${canary}`;
    await applyAsPartner(services, { accountId: account.id, pitch });
    await approvePartner(services, {
      accountId: account.id,
      by: { kind: "operator_key" },
      reason: `Welcome, ${canary}`,
      about: pitch,
    });
    life.people.push({
      accountId: account.id,
      canary,
      host,
      advertiser: null,
      broughtBy: null,
    });
  }
}

/** Now and then somebody signs up, and bids from then on. */
export async function welcomeSomebody(life: Life): Promise<void> {
  const { random, people, advertisers } = life;
  const newcomers = people.filter(({ advertiser }) => advertiser !== null);
  const likely = newcomers.length < EARLY ? 0.9 : 0.35;
  if (newcomers.length >= NEWCOMERS_MAX || !random.chance(likely)) return;
  const partner = random.chance(0.85)
    ? random.any(people.filter(({ advertiser }) => advertiser === null))
    : undefined;
  const canary = canaryOf(life);
  // Some partners recommend themselves, by an address of their own.
  const isSelf = partner !== undefined && random.chance(0.2);
  const host = isSelf ? `sub.${partner.host}` : `shop${people.length}.example`;
  const code = partner && await codeOf(life, partner.accountId);
  // A link of who can't be paid now, or is no partner any more, credits nobody.
  const counts = code && await findCountingLink(life.services, code) !== null;
  const account = await signUp(life, `${canary}@${host}`, code ?? null);
  const advertiser = await equipAdvertiser(life.services, {
    account,
    name: canary,
    card: random.pick(CARDS),
    adId: `ad_${account.id}`,
    // Without a legal form it is a person's.
    companyName: random.chance(0.5) ? `${canary} GmbH` : `Person ${canary}`,
  });
  const isCredited = !isSelf && counts;
  const broughtBy = isCredited ? partner?.accountId ?? null : null;
  advertisers.push(advertiser);
  people.push({ accountId: account.id, canary, host, advertiser, broughtBy });
  life.count(
    isSelf ? "sign-up by oneself" : broughtBy ? "referral" : "sign-up",
  );
}

/** A partner's link; null once the partner is gone. */
async function codeOf(
  { services }: Life,
  partnerId: string,
): Promise<string | null> {
  const links = await services.store.listReferralLinks(partnerId, { limit: 1 });
  return links[0]?.code ?? null;
}

/** Signs up with a mailed code, as a browser does. */
async function signUp(
  { services, world, people }: Life,
  email: string,
  referralCode: string | null,
): Promise<Account> {
  const { store } = services;
  const { browserSecret } = await requestCode(
    { ...services, limiter: testLimiter(world.testStore) },
    {
      email,
      networks: networksOf(`192.0.2.${people.length}`),
      deviceId: null,
      browserSecret: null,
      next: "/account",
      referralCode,
    },
  );
  // Of all: those of others may be more than a page at this moment.
  const mails = await store.listMails({ ...ALL, reverse: true });
  const text = mails.find(({ to }) => to === email)?.text ?? "";
  const { accountId } = await redeemCode(services, {
    browserSecret,
    code: /#c=(\d{8})/.exec(text)?.[1] ?? "",
    previousSessionId: null,
    userAgent: "A browser",
  });
  const account = await store.accounts.find(accountId);
  if (account === null) throw new Error("A sign-up makes an account");
  return account;
}

/** A browser of the account's own that stays signed in. */
export async function browserOf(
  { services: { store } }: Life,
  accountId: string,
): Promise<Session> {
  const credentials = await store.credentials.find(accountId);
  const session: Session = {
    ...liveSession(accountId),
    hash: `browser of ${accountId}`,
    generation: credentials?.generation ?? 0,
  };
  await store.transact((tx) => tx.sessions.save(session));
  return session;
}

/** Nobody's before, nor that of somebody whom a lost store knew. */
function canaryOf(life: Life): string {
  life.came += 1;
  return `kanari${life.came - 1}q`;
}
