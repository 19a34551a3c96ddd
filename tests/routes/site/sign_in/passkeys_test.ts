import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { PASSKEYS_MAX } from "../../../../domain/passkeys/passkey.ts";
import { FRESH_SIGN_IN_MS } from "../../../../domain/sessions/session.ts";
import {
  type DeviceChoices,
  SoftAuthenticator,
} from "../../../support/authenticator.ts";
import { signedInBrowser, TestBrowser } from "../../../support/browser.ts";
import { openSite, type SiteApp } from "../../../support/site_app.ts";

const ADA = "ada@example.com";

/** Makes a passkey in a signed-in browser. */
async function addPasskey(
  browser: TestBrowser,
  device = new SoftAuthenticator(),
  choices: DeviceChoices = {},
): Promise<{ device: SoftAuthenticator; answer: Response }> {
  const options = await (await browser.send("/passkeys/options", {})).json();
  const response = device.create(options, choices);
  const answer = await browser.send("/passkeys", { response });
  return { device, answer };
}

/** Signs in with a device in a browser. */
async function signInWith(
  browser: TestBrowser,
  device: SoftAuthenticator,
  choices: DeviceChoices = {},
): Promise<Response> {
  const asked = await browser.send("/passkeys/sign-in/options", {});
  const response = device.get(await asked.json(), choices);
  return await browser.send("/passkeys/sign-in", { response, next: "/agents" });
}

async function passkeysOf({ test }: SiteApp, email = ADA) {
  const known = await test.store.accountEmails.find(email);
  const id = known?.accountId ?? "";
  const credentials = await test.store.credentials.find(id);
  return { accountId: id, passkeys: credentials?.passkeys ?? [] };
}

/** Asserts that a sign-in was refused and left nobody signed in. */
async function assertRejected(answer: Response, browser: TestBrowser) {
  assertEquals(answer.status, 400);
  const { detail } = await answer.json();
  assertEquals(
    detail,
    "The passkey was not accepted: Try again, or sign in with a code by e-mail.",
  );
  assertEquals(browser.cookies.has("svc_sess"), false);
}

Deno.test("a passkey that was added signs in, and its owner is told", async () => {
  await using site = await openSite();
  const { device, answer } = await addPasskey(await signedInBrowser(site));
  assertEquals(answer.status, 200);
  const before = await passkeysOf(site);
  assertEquals(before.passkeys.length, 1);
  assertEquals(before.passkeys[0]?.counter, 1);
  assertEquals(before.passkeys[0]?.transports, ["internal"]);
  assertEquals(before.passkeys[0]?.lastUsedAtMs, null);
  const [mail] = await site.test.store.listMails({ limit: 1, reverse: true });
  assertEquals(mail?.to, ADA);
  assertEquals(mail?.subject, "A passkey was added to your Spotlight account");
  const other = new TestBrowser(site);
  const signedIn = await signInWith(other, device);
  assertEquals(signedIn.status, 200);
  assertEquals(await signedIn.json(), { next: "/agents" });
  assertEquals((await other.get("/account")).status, 200);
  const after = await passkeysOf(site);
  assertEquals(after.passkeys[0]?.counter, 2);
  assertEquals(after.passkeys[0]?.lastUsedAtMs, site.test.clock.now());
});

Deno.test("registration options ask for a discoverable key and a verified user", async () => {
  await using site = await openSite();
  const browser = await signedInBrowser(site);
  const { device } = await addPasskey(browser);
  const options = await (await browser.send("/passkeys/options", {})).json();
  assertEquals(options.rp, { name: "Spotlight", id: "spotlight.example" });
  assertEquals(options.attestation, "none");
  assertEquals(options.authenticatorSelection.residentKey, "required");
  assertEquals(options.authenticatorSelection.userVerification, "required");
  assertEquals(options.excludeCredentials[0].id, device.credentialId);
  const signIn = await browser.send("/passkeys/sign-in/options", {});
  const assertion = await signIn.json();
  assertEquals(assertion.rpId, "spotlight.example");
  assertEquals(assertion.userVerification, "required");
  assertEquals(assertion.allowCredentials, []);
});

Deno.test("S6 a passkey challenge is good for one sign-in", async () => {
  await using site = await openSite();
  const { device } = await addPasskey(await signedInBrowser(site));
  const browser = new TestBrowser(site);
  const asked = await browser.send("/passkeys/sign-in/options", {});
  const options = await asked.json();
  const secret = browser.cookie;
  const response = device.get(options);
  const sent = { response, next: "/account" };
  assertEquals((await browser.send("/passkeys/sign-in", sent)).status, 200);
  const replay = new TestBrowser(site);
  const headers = { cookie: secret };
  const again = await replay.send("/passkeys/sign-in", sent, { headers });
  await assertRejected(again, replay);
});

Deno.test("S6 a failed sign-in uses the challenge up as well", async () => {
  await using site = await openSite();
  const { device } = await addPasskey(await signedInBrowser(site));
  const browser = new TestBrowser(site);
  const asked = await browser.send("/passkeys/sign-in/options", {});
  const options = await asked.json();
  const give = (response: unknown) =>
    browser.send("/passkeys/sign-in", { response, next: "/account" });
  const unverified = device.get(options, { userVerified: false });
  await assertRejected(await give(unverified), browser);
  await assertRejected(await give(device.get(options)), browser);
});

Deno.test("S6 a passkey challenge is of one browser and lasts 5 minutes", async () => {
  await using site = await openSite();
  const { device } = await addPasskey(await signedInBrowser(site));
  const [ours, theirs] = [new TestBrowser(site), new TestBrowser(site)];
  const asked = await ours.send("/passkeys/sign-in/options", {});
  await theirs.send("/passkeys/sign-in/options", {});
  const options = await asked.json();
  const sent = { response: device.get(options), next: "/account" };
  await assertRejected(await theirs.send("/passkeys/sign-in", sent), theirs);
  site.test.clock.advance(5 * 60_000);
  await assertRejected(await ours.send("/passkeys/sign-in", sent), ours);
});

const WRONG: readonly [string, DeviceChoices][] = [
  ["another origin", { origin: "https://spotlight.example.evil.example" }],
  ["a relying party that is not ours", { rpId: "evil.example" }],
  ["a user who was not verified", { userVerified: false }],
  ["a counter that did not grow", { counter: 1 }],
  ["a counter that fell to zero", { counter: 0 }],
  ["a key that may be copied all at once", { backupEligible: true }],
  ["a challenge that was never given", { challenge: "A".repeat(43) }],
  ["an account that is none", { accountId: "acc_unknown" }],
];

for (const [what, choices] of WRONG) {
  Deno.test(`S6 signing in refuses ${what}`, async () => {
    await using site = await openSite();
    const { device } = await addPasskey(await signedInBrowser(site));
    const browser = new TestBrowser(site);
    await assertRejected(await signInWith(browser, device, choices), browser);
    const { passkeys } = await passkeysOf(site);
    assertEquals(passkeys[0]?.lastUsedAtMs, null);
  });
}

Deno.test("S6 a passkey never signs in to another's account", async () => {
  await using site = await openSite();
  const { device } = await addPasskey(await signedInBrowser(site));
  await addPasskey(await signedInBrowser(site, "bob@example.com"));
  const { accountId } = await passkeysOf(site, "bob@example.com");
  const browser = new TestBrowser(site);
  await assertRejected(
    await signInWith(browser, device, { accountId }),
    browser,
  );
});

Deno.test("S6 another's passkey can't be registered again", async () => {
  await using site = await openSite();
  const { device } = await addPasskey(await signedInBrowser(site));
  const bob = await signedInBrowser(site, "bob@example.com");
  const { answer } = await addPasskey(bob, device);
  assertEquals(answer.status, 400);
  const { passkeys } = await passkeysOf(site, "bob@example.com");
  assertEquals(passkeys, []);
});

for (const [what, choices] of WRONG.slice(0, 3)) {
  Deno.test(`S6 registering refuses ${what}`, async () => {
    await using site = await openSite();
    const browser = await signedInBrowser(site);
    const { answer } = await addPasskey(
      browser,
      new SoftAuthenticator(),
      choices,
    );
    assertEquals(answer.status, 400);
    assertEquals((await passkeysOf(site)).passkeys, []);
  });
}

Deno.test("adding a passkey takes a sign-in of the last 10 minutes", async () => {
  await using site = await openSite();
  const browser = await signedInBrowser(site);
  site.test.clock.advance(FRESH_SIGN_IN_MS + 1);
  const stale = await browser.send("/passkeys/options", {});
  assertEquals(stale.status, 403);
  const nobody = await new TestBrowser(site).send("/passkeys/options", {});
  assertEquals(nobody.status, 403);
});

Deno.test("an account has a bounded number of passkeys", async () => {
  await using site = await openSite();
  const browser = await signedInBrowser(site);
  const options = await (await browser.send("/passkeys/options", {})).json();
  const last = new SoftAuthenticator();
  const { accountId } = await passkeysOf(site);
  const { answer } = await addPasskey(browser);
  assertEquals(answer.status, 200);
  await site.test.store.transact(async (tx) => {
    const credentials = await tx.credentials.find(accountId);
    const [passkey] = credentials?.passkeys ?? [];
    assert(credentials !== null && passkey !== undefined);
    const passkeys = Array.from({ length: PASSKEYS_MAX }, (_, at) => (
      { ...passkey, id: `pk_${at}`, credentialId: `credential${at}` }
    ));
    tx.credentials.save({ ...credentials, passkeys });
  });
  assertEquals((await browser.send("/passkeys/options", {})).status, 409);
  const response = last.create(options);
  const late = await browser.send("/passkeys", { response });
  assertEquals(late.status, 409);
});

for (
  const [what, response] of [
    ["nothing", undefined],
    ["text", "x"],
    ["an empty object", {}],
    ["a credential without parts", { id: "a", rawId: "a", type: "public-key" }],
  ] as const
) {
  Deno.test(`a passkey response of ${what} is refused`, async () => {
    await using site = await openSite();
    const browser = await signedInBrowser(site);
    const made = await browser.send("/passkeys", { response });
    assertEquals(made.status, 400);
    const used = await browser.send("/passkeys/sign-in", {
      response,
      next: "",
    });
    assertEquals(used.status, 400);
  });
}

Deno.test("one /48 is given 240 passkey challenges at once and then two a second, whatever /64s it asks from", async () => {
  await using site = await openSite();
  const ask = async (nth: number) => {
    const from = `2001:db8:1:${(nth % 64).toString(16)}00::1`;
    const path = "/passkeys/sign-in/options";
    return (await new TestBrowser(site).send(path, {}, { from })).status;
  };
  const statuses: number[] = [];
  for (let nth = 0; nth < 240; nth++) statuses.push(await ask(nth));
  assertEquals(new Set(statuses), new Set([200]));
  assertEquals(await ask(240), 429);
  const elsewhere = new TestBrowser(site);
  const answer = await elsewhere.send("/passkeys/sign-in/options", {});
  assertEquals(answer.status, 200);
  site.test.clock.advance(500);
  assertEquals([await ask(241), await ask(242)], [200, 429]);
});

Deno.test("an operator who has a passkey adds none by a mere code, and is asked for it", async () => {
  const operator = "operator@example.com";
  await using site = await openSite();
  const first = await addPasskey(await signedInBrowser(site, operator));
  assertEquals(first.answer.status, 200, "the first one by a code");
  const browser = await signedInBrowser(site, operator);
  assertEquals((await browser.send("/passkeys/options", {})).status, 403);
  const response = new SoftAuthenticator().create({ challenge: "A" });
  const added = await browser.send("/passkeys", { response });
  assertEquals(added.status, 403);
  const page = await (await browser.get("/sign-in?next=/settings")).text();
  assertStringIncludes(page, "takes a sign-in by it");
  assertEquals((await signInWith(browser, first.device)).status, 200);
  assertEquals((await browser.send("/passkeys/options", {})).status, 200);
  const { passkeys } = await passkeysOf(site, operator);
  assertEquals(passkeys.length, 1);
});

Deno.test("an address that is no operator's any more is let in by a code, passkey or not", async () => {
  await using site = await openSite();
  await addPasskey(await signedInBrowser(site));
  const browser = await signedInBrowser(site);
  assertEquals((await browser.send("/passkeys/options", {})).status, 200);
});
