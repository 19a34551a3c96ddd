import { assertEquals } from "@std/assert";
import { newAccount } from "../../../../domain/accounts/new_account.ts";
import { credentialsOf } from "../../../../domain/sessions/credentials.ts";
import { startSession } from "../../../../domain/sessions/start_session.ts";
import { keyOf } from "../../../support/faults.ts";
import { testCookie } from "../../../support/cookies.ts";
import { spotlight } from "../../../support/public_spotlights.ts";
import { openSite, type SiteApp } from "../../../support/site_app.ts";

const DAY = "2026-11-18";
const PATH = `/spotlights/${DAY}`;
const NOTE = `<a href="/reports/${DAY}">See what it brought</a>`;

/** Signs an account in, which is made; answers its cookie. */
async function signIn({ test }: SiteApp, name: string): Promise<string> {
  const { store, clock, ids } = test;
  const account = newAccount(`acc_${name}`, `${name}@example.com`, 0);
  await store.transact((tx) => tx.accounts.save(account));
  const sessionId = ids.secret();
  await store.transact(async (tx) => {
    await startSession(tx, {
      sessionId,
      bindingId: ids.next("stay"),
      credentials: await credentialsOf(tx, account.id),
      method: "code",
      previousSessionId: null,
      userAgent: "A test",
    }, clock.now());
  });
  return testCookie("svc_sess").set(sessionId).split(";")[0] ?? "";
}

Deno.test("/spotlights/{day} leads who has won it to its report, and nobody else", async () => {
  await using site = await openSite([
    spotlight(DAY, { accountId: "acc_ada" }),
    spotlight("2026-11-19", {
      contentType: "house_advertisement",
      accountId: null,
    }),
  ]);
  const ada = await signIn(site, "ada");
  const eve = await signIn(site, "eve");
  const isLed = async (path: string, cookie?: string) => {
    const answer = await site.ask(path, {
      headers: { accept: "text/html", ...cookie !== undefined && { cookie } },
    });
    assertEquals(answer.status, 200);
    return (await answer.text()).includes("See what it brought");
  };
  assertEquals(await isLed(PATH, ada), true);
  assertEquals(await isLed(PATH, eve), false);
  assertEquals(await isLed(PATH), false);
  assertEquals(await isLed("/spotlights/2026-11-19", ada), false);
});

Deno.test("/spotlights/{day} is shown to who has won it while the store is silent, and asked for again after that", async () => {
  await using site = await openSite([spotlight(DAY, { accountId: "acc_ada" })]);
  const cookie = await signIn(site, "ada");
  const headers = { accept: "text/html", cookie };
  const whole = await site.ask(PATH, { headers });
  const html = await whole.text();
  assertEquals(html.includes(NOTE), true);
  const etag = whole.headers.get("etag") ?? "";
  const again = { ...headers, "if-none-match": etag };
  assertEquals((await site.ask(PATH, { headers: again })).status, 304);
  const key = keyOf("spotlights");
  const fault = { kind: "fail_before" } as const;
  site.test.kv.inject({ on: "read", fault, key });
  const silent = await site.ask(PATH, { headers: again });
  assertEquals(silent.status, 200);
  assertEquals((await silent.text()).includes(NOTE), false);
});
