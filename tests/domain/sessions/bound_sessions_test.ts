import { assertEquals } from "@std/assert";
import {
  boundSessions,
  SESSIONS_MAX,
} from "../../../domain/sessions/bound_sessions.ts";
import { listSessions } from "../../../domain/sessions/list_sessions.ts";
import type { Session } from "../../../domain/sessions/session.ts";
import { signedInBrowser } from "../../support/browser.ts";
import { liveSession } from "../../support/sessions.ts";
import { openSite, type SiteApp } from "../../support/site_app.ts";

const EMAIL = "ada@example.com";

/** Gives ada sessions; their hashes say nothing of when they were used. */
async function save(
  { test: { store, clock } }: SiteApp,
  accountId: string,
  count: number,
  changes: Partial<Session> = {},
): Promise<string[]> {
  const hashes = Array.from(
    { length: count },
    (_, nth) => `${(nth * 7_919) % 1_009}`.padStart(4, "0"),
  );
  const usedMs = clock.now() - count * 1_000;
  for (const [nth, hash] of hashes.entries()) {
    const lastUsedAtMs = usedMs + nth * 1_000;
    const session = { ...liveSession(accountId), hash, lastUsedAtMs };
    await store.transact((tx) => tx.sessions.save({ ...session, ...changes }));
  }
  return hashes;
}

async function accountOf({ test: { store } }: SiteApp): Promise<string> {
  return (await store.accountEmails.find(EMAIL))?.accountId ?? "";
}

Deno.test("of more than 50 browsers those used longest ago are signed out by the next sign-in, and the account's page lists all the others", async () => {
  await using site = await openSite();
  await signedInBrowser(site, EMAIL);
  const accountId = await accountOf(site);
  const hashes = await save(site, accountId, 59);
  assertEquals((await listSessions(site.test, accountId)).length, 60);
  site.test.clock.advance(1_000);
  const browser = await signedInBrowser(site, EMAIL);
  const left = await listSessions(site.test, accountId);
  assertEquals(left.length, SESSIONS_MAX);
  const saved = left.map(({ hash }) => hash).filter((hash) => hash.length < 9);
  assertEquals(saved, hashes.slice(-saved.length).toReversed());
  assertEquals((await browser.get("/account")).status, 200);
});

Deno.test("rows from before a sign-out everywhere take no browser's place", async () => {
  await using site = await openSite();
  await signedInBrowser(site, EMAIL);
  const accountId = await accountOf(site);
  await save(site, accountId, 60, { generation: -1 });
  await boundSessions(site.test, accountId);
  const { store } = site.test;
  assertEquals((await listSessions({ store }, accountId)).length, 1);
  assertEquals((await store.listSessions(accountId, { limit: 99 })).length, 1);
});
