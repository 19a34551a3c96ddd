import { assertEquals } from "@std/assert";
import { signedInBrowser } from "../../support/browser.ts";
import { openSite, type SiteApp } from "../../support/site_app.ts";

const CHANGES = [
  "/sign-in",
  "/sign-in/verify",
  "/passkeys",
  "/passkeys/options",
  "/passkeys/sign-in",
  "/passkeys/sign-in/options",
  "/settings/sign-out",
  "/settings/sign-out-everywhere",
  "/settings/passkeys/rename",
  "/settings/passkeys/remove",
] as const;

const FOREIGN: readonly [string, Record<string, string | null>][] = [
  ["no Origin", { origin: null }],
  ["the Origin null", { origin: "null" }],
  ["another Origin", { origin: "https://evil.example" }],
  ["a subdomain's Origin", { origin: "https://a.spotlight.example" }],
  ["our Origin on http", { origin: "http://spotlight.example" }],
  ["our Origin on another port", { origin: "https://spotlight.example:8443" }],
  ["our Origin with a slash", { origin: "https://spotlight.example/" }],
  [
    "our Referer alone",
    { origin: null, referer: "https://spotlight.example/account" },
  ],
  ["a cross-site mark", { "sec-fetch-site": "cross-site" }],
];

async function sessionsOf({ test }: SiteApp): Promise<number> {
  const known = await test.store.accountEmails.find("ada@example.com");
  const options = { limit: 10 };
  return (await test.store.listSessions(known?.accountId ?? "", options))
    .length;
}

for (const [what, headers] of FOREIGN) {
  Deno.test(`K1 every change with ${what} is 403 and changes nothing`, async () => {
    await using site = await openSite();
    const browser = await signedInBrowser(site);
    for (const path of CHANGES) {
      const answer = await browser.post(path, {}, { headers });
      assertEquals(answer.status, 403, path);
      await answer.body?.cancel();
    }
    assertEquals(await sessionsOf(site), 1);
  });
}

Deno.test("K2 JSON needs our Origin as well", async () => {
  await using site = await openSite();
  const browser = await signedInBrowser(site);
  for (const path of CHANGES) {
    const headers = { origin: "https://evil.example" };
    const answer = await browser.send(path, {}, { headers });
    assertEquals(answer.status, 403, path);
    await answer.body?.cancel();
  }
});

Deno.test("K1 a change with our Origin and a same-site mark goes through", async () => {
  await using site = await openSite();
  const browser = await signedInBrowser(site);
  const headers = { "sec-fetch-site": "same-origin" };
  const answer = await browser.post("/settings/sign-out", {}, { headers });
  assertEquals(answer.status, 303);
  assertEquals(await sessionsOf(site), 0);
});
