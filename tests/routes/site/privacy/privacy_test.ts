import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { ERASURES_A_DAY } from "../../../../domain/privacy/data_requests.ts";
import { fulfilRequests } from "../../../../domain/privacy/fulfil_requests.ts";
import { FRESH_SIGN_IN_MS } from "../../../../domain/sessions/session.ts";
import type { Services } from "../../../../domain/ports.ts";
import { TEST_KEYS } from "../../../support/keys.ts";
import { OUTSIDE } from "../../../support/outside.ts";
import { signedInBrowser, TestBrowser } from "../../../support/browser.ts";
import {
  openSite,
  type SiteApp,
  TEST_SETTINGS,
} from "../../../support/site_app.ts";
import { leadOf, ledTo } from "../../../support/led_to.ts";

const PATH = "/settings/privacy";

/** Does in the background what was asked for. */
async function fulfil({ test, log }: SiteApp): Promise<void> {
  const set = { settings: TEST_SETTINGS, keys: TEST_KEYS };
  const services = { ...OUTSIDE, ...test, log, ...set };
  await fulfilRequests(services as unknown as Services);
}

async function idOfCopy({ test }: SiteApp): Promise<string> {
  const owner = await test.store.accountEmails.find("ada@example.com");
  const asked = await test.store.dataRequests.find(owner?.accountId ?? "");
  return asked?.exports.at(-1)?.id ?? "";
}

Deno.test("/settings/privacy makes a copy that is downloaded and read there", async () => {
  await using site = await openSite();
  const browser = await signedInBrowser(site);
  const answer = await browser.post(`${PATH}/exports`);
  assertEquals(
    [answer.status, ledTo(answer)],
    [303, `${PATH}?done=export`],
  );
  const waiting = await (await browser.get(PATH)).text();
  assertStringIncludes(waiting, "It is being prepared");
  await fulfil(site);
  const ready = await (await browser.get(PATH)).text();
  const id = await idOfCopy(site);
  assertStringIncludes(ready, `${PATH}/exports/${id}/document`);
  const file = await browser.get(`${PATH}/exports/${id}/document`);
  assertEquals(file.headers.get("cache-control"), "no-store");
  assertStringIncludes(
    file.headers.get("content-disposition") ?? "",
    `attachment; filename="spotlight-data-${id}.json"`,
  );
  assertEquals((await file.json()).account.email, "ada@example.com");
  const page = await (await browser.get(`${PATH}/exports/${id}`)).text();
  assertStringIncludes(page, "ada@example.com");
});

Deno.test("/settings/privacy shows a copy to nobody else", async () => {
  await using site = await openSite();
  const ada = await signedInBrowser(site);
  await ada.post(`${PATH}/exports`);
  await fulfil(site);
  const id = await idOfCopy(site);
  const bob = await signedInBrowser(site, "bob@example.com");
  for (const end of ["", "/document"]) {
    const answer = await bob.get(`${PATH}/exports/${id}${end}`);
    assertEquals(answer.status, 404);
    await answer.body?.cancel();
    const nobody = await new TestBrowser(site).get(
      `${PATH}/exports/${id}${end}`,
    );
    assertEquals(nobody.status, 303);
  }
});

Deno.test("/settings/privacy makes no copy for a sign-in of more than ten minutes ago", async () => {
  await using site = await openSite();
  const browser = await signedInBrowser(site);
  site.test.clock.advance(FRESH_SIGN_IN_MS + 1);
  const answer = await browser.post(`${PATH}/exports`);
  assertStringIncludes(await answer.text(), "Nothing was asked for.");
  assertEquals(await idOfCopy(site), "");
});

Deno.test("/settings/privacy says when a fourth copy of a day can be asked for", async () => {
  await using site = await openSite();
  const browser = await signedInBrowser(site);
  for (let nth = 0; nth < 3; nth++) {
    await browser.post(`${PATH}/exports`);
    await fulfil(site);
  }
  const answer = await browser.post(`${PATH}/exports`);
  assertEquals(answer.status, 429);
  assertStringIncludes(await answer.text(), "Ask again in 24 hours");
  assert(Number(answer.headers.get("retry-after")) > 0);
});

/** The path of the link in the newest mail of the kind. */
async function linkIn({ test }: SiteApp, kind: string): Promise<string> {
  const mails = await test.store.listMails({ limit: 100, reverse: true });
  const mail = mails.find((each) => each.kind === kind);
  return /\/erasure\/[\w~-]+/.exec(mail?.text ?? "")?.[0] ?? "";
}

Deno.test("an account is erased by a page, a link that needs no sign-in, and seven days", async () => {
  await using site = await openSite();
  const browser = await signedInBrowser(site);
  const asked = await (await browser.get(`${PATH}/erasure`)).text();
  assertStringIncludes(asked, "bids that still stand become void");
  await browser.post(`${PATH}/erasure`);
  const nobody = new TestBrowser(site);
  const link = await linkIn(site, "erasure_asked");
  const looked = await (await nobody.get(link)).text();
  assertStringIncludes(looked, "Erase my account in seven days");
  assertStringIncludes(
    await (await browser.get(PATH)).text(),
    "We mailed you a link that confirms it",
  );
  const confirmed = await (await nobody.post(link)).text();
  assertStringIncludes(confirmed, "Your account will be erased");
  assertStringIncludes(
    await (await browser.get(PATH)).text(),
    "Your account will be erased after",
  );
  site.test.clock.advance(7 * 86_400_000);
  await fulfil(site);
  const gone = await site.test.store.accountEmails.find("ada@example.com");
  assertEquals(gone, null);
  const late = await nobody.post(await linkIn(site, "erasure_confirmed"));
  await late.body?.cancel();
});

Deno.test("an account stays by the link of the mail, without a sign-in, and by a button", async () => {
  await using site = await openSite();
  const browser = await signedInBrowser(site);
  await browser.post(`${PATH}/erasure`);
  const nobody = new TestBrowser(site);
  const confirm = await linkIn(site, "erasure_asked");
  await nobody.post(confirm);
  const back = await linkIn(site, "erasure_confirmed");
  assertStringIncludes(
    await (await nobody.get(back)).text(),
    "Keep your account?",
  );
  assertStringIncludes(
    await (await nobody.post(back)).text(),
    "Your account stays",
  );
  const lapsed = await nobody.post(confirm);
  assertEquals(lapsed.status, 404);
  assertStringIncludes(await lapsed.text(), "This link no longer works");
  await browser.post(`${PATH}/erasure`);
  const kept = await browser.post(`${PATH}/erasure/keep`);
  assertEquals(ledTo(kept), `${PATH}?done=kept`);
  assertStringIncludes(
    await (await browser.get(leadOf(kept))).text(),
    "Nothing was erased",
  );
});

Deno.test("a link of an erasure that was altered changes nothing", async () => {
  await using site = await openSite();
  const browser = await signedInBrowser(site);
  await browser.post(`${PATH}/erasure`);
  const link = await linkIn(site, "erasure_asked");
  const answer = await browser.post(link.replace("confirm~", "keep~"));
  assertEquals(answer.status, 404);
  await answer.body?.cancel();
  assertStringIncludes(
    await (await browser.get(PATH)).text(),
    "We mailed you a link that confirms it",
  );
});

Deno.test("an account reads a copy 20 times at once", async () => {
  await using site = await openSite();
  const browser = await signedInBrowser(site);
  await browser.post(`${PATH}/exports`);
  await fulfil(site);
  const id = await idOfCopy(site);
  const statuses: number[] = [];
  for (let nth = 0; nth < 21; nth++) {
    const end = nth % 2 === 0 ? "" : "/document";
    const answer = await browser.get(`${PATH}/exports/${id}${end}`);
    await answer.body?.cancel();
    statuses.push(answer.status);
  }
  assertEquals(statuses, [...Array(20).fill(200), 429]);
});

Deno.test("/settings/privacy says when an erasure may be asked for again, of those that were called off", async () => {
  await using site = await openSite();
  const browser = await signedInBrowser(site);
  for (let nth = 0; nth < ERASURES_A_DAY; nth++) {
    const asked = await browser.post(`${PATH}/erasure`);
    assertEquals(asked.status, 303);
    const kept = await browser.post(`${PATH}/erasure/keep`);
    assertEquals(kept.status, 303);
  }
  const answer = await browser.post(`${PATH}/erasure`);
  assertEquals(answer.status, 429);
  assertEquals(answer.headers.get("retry-after"), "86400");
  assertStringIncludes(await answer.text(), "Ask again in 24 hours.");
});
