/** The page of an agent's webhook. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { assertFaults } from "../../../support/form_faults.ts";
import { CALLBACK_GIVEN_UP_MS } from "../../../../domain/callbacks/callback.ts";
import { FRESH_SIGN_IN_MS } from "../../../../domain/sessions/session.ts";
import { sweepCallbacks } from "../../../../domain/callbacks/sweep_callbacks.ts";
import {
  type AdvertiserSite,
  openAdvertiserSite,
  type SignedInBrowser,
} from "../../../support/advertiser_site.ts";
import { OUTSIDE } from "../../../support/outside.ts";
import { removed, tell } from "../../../support/told_events.ts";
import { ledTo } from "../../../support/led_to.ts";

const URL_TEXT = "https://agent.example/hooks";

async function connected(site: AdvertiserSite, name = "ada") {
  const scopes = ["account:read", "reports:read"] as const;
  const agent = await site.world.agent(name, { scopes });
  const path = `/agents/${agent.grant.id}/webhook`;
  return { agent, path, browser: await site.browser(name) };
}

async function shown(
  browser: SignedInBrowser,
  path: string,
): Promise<string> {
  const page = await browser.get(path);
  assertEquals(page.status, 200);
  return await page.text();
}

/** Saves the address; answers the page after it. */
async function saved(
  browser: SignedInBrowser,
  path: string,
  fields: Record<string, string>,
): Promise<Response> {
  return await browser.post(path, new URLSearchParams(fields));
}

Deno.test("the page of a webhook shows a secret once, when it is made", async () => {
  await using site = await openAdvertiserSite();
  const { browser, path } = await connected(site);
  assertStringIncludes(await shown(browser, "/agents"), path);
  const first = await saved(browser, path, { url: URL_TEXT });
  const html = await first.text();
  assertEquals(first.status, 200);
  assertEquals(first.headers.get("cache-control"), "no-store");
  const [secret = ""] = /whsec_[A-Za-z0-9+/]+=/.exec(html) ?? [];
  assert(secret !== "", "it is shown");
  assertStringIncludes(html, URL_TEXT);
  const list = await shown(browser, "/agents");
  assertStringIncludes(list, "sends events to <bdi>agent.example</bdi>");

  const again = await saved(browser, path, { url: URL_TEXT });
  assertEquals(ledTo(again), `${path}?done=saved`);
  assertEquals((await shown(browser, path)).includes("whsec_"), false);

  const rotated = await saved(browser, path, { url: URL_TEXT, rotate: "yes" });
  const text = await rotated.text();
  assertStringIncludes(text, "whsec_");
  assertEquals(text.includes(secret), false);

  const none = await saved(browser, path, { url: "" });
  assertEquals(ledTo(none), `${path}?done=removed`);
});

Deno.test("an address that can't be taken is told beside what was typed", async () => {
  await using site = await openAdvertiserSite();
  const { browser, path } = await connected(site);
  const answer = await saved(browser, path, { url: "http://agent.example/" });
  assertEquals(answer.status, 400);
  const html = await answer.text();
  assertStringIncludes(html, 'value="http://agent.example/"');
  assertStringIncludes(html, "Name a public address");
  assertFaults(html, ["url"]);
});

Deno.test("setting a webhook takes a sign-in of the last 10 minutes, through which the address is kept", async () => {
  await using site = await openAdvertiserSite();
  const { agent, browser, path } = await connected(site);
  site.world.clock.advance(FRESH_SIGN_IN_MS + 1);
  const stale = await saved(browser, path, { url: URL_TEXT });
  assertEquals(stale.status, 401);
  const html = await stale.text();
  assertStringIncludes(html, "The webhook was not changed.");
  assertStringIncludes(html, `name="url" value="${URL_TEXT}"`);
  const { store } = site.services;
  assertEquals(await store.callbacks.find(agent.grant.id), null);
  await browser.signInAgain();
  assertEquals((await saved(browser, path, { url: URL_TEXT })).status, 200);
  assert(await store.callbacks.find(agent.grant.id) !== null);
});

Deno.test("nobody sees or sets the webhook of another's agent", async () => {
  await using site = await openAdvertiserSite();
  const { path } = await connected(site);
  const bob = await site.browser("bob");
  for (const odd of [path, "/agents/nothing/webhook", "/agents/%00/webhook"]) {
    const page = await bob.get(odd);
    await page.body?.cancel();
    const set = await saved(bob, odd, { url: URL_TEXT });
    await set.body?.cancel();
    assertEquals([page.status, set.status], [404, 404], odd);
  }
});

Deno.test("the page shows how the last messages ended, has one sent again, and says that it is off", async () => {
  await using site = await openAdvertiserSite();
  const { agent: { account }, browser, path } = await connected(site);
  await (await saved(browser, path, { url: URL_TEXT })).body?.cancel();
  let status = 200;
  const sent: string[] = [];
  const services = {
    ...site.services,
    fetcher: {
      ...OUTSIDE.fetcher,
      notify: (_url: string, { headers }: { headers: unknown }) => {
        sent.push((headers as Record<string, string>)["webhook-id"] ?? "");
        return Promise.resolve(status);
      },
    },
  };
  await tell(services, account.id, removed("a"));
  await sweepCallbacks(services);
  const html = await shown(browser, path);
  assertStringIncludes(html, "spotlight.removed");
  assertStringIncludes(html, "taken");
  const [, event = ""] = /name="event" value="(\d+)"/.exec(html) ?? [];
  const again = await browser.post(
    `${path}/replay`,
    new URLSearchParams({ event }),
  );
  assertEquals(ledTo(again), `${path}?done=replayed`);
  await sweepCallbacks(services);
  assertEquals(sent.length, 2);
  assertEquals(sent[0], sent[1]);
  for (const odd of ["", "x", "1", "9".repeat(40)]) {
    const unknown = await browser.post(
      `${path}/replay`,
      new URLSearchParams({ event: odd }),
    );
    await unknown.body?.cancel();
    assertEquals(unknown.status, 404, odd);
  }

  status = 500;
  await tell(services, account.id, removed("b"));
  await sweepCallbacks(services);
  assertStringIncludes(await shown(browser, path), "answered with 500");
  site.world.clock.advance(CALLBACK_GIVEN_UP_MS);
  await sweepCallbacks(services);
  const later = await site.browser("ada");
  assertStringIncludes(await shown(later, path), "switched off");
  assertStringIncludes(
    await shown(later, "/agents"),
    "Its webhook to <bdi>agent.example</bdi> is switched off.",
  );
});
