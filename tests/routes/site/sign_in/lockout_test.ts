/** Others asking for somebody's codes do not keep that person out. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import {
  mailedCode,
  signedInBrowser,
  signIn,
  TestBrowser,
} from "../../../support/browser.ts";
import { openSite, type SiteApp } from "../../../support/site_app.ts";

const ADA = "ada@example.com";
const HOUR_MS = 3_600_000;

/** Asks for a code for Ada in a browser of its own; the answer's status. */
async function askFrom(site: SiteApp, from: string): Promise<number> {
  const browser = new TestBrowser(site);
  const answer = await browser.post(
    "/sign-in",
    { email: ADA, next: "/" },
    { from },
  );
  await answer.body?.cancel();
  return answer.status;
}

/** Asks from a network until it is refused; how often it was not. */
async function useUp(
  site: SiteApp,
  addressOf: (nth: number) => string,
): Promise<number> {
  let asked = 0;
  for (let nth = 0; nth < 200; nth++) {
    if (await askFrom(site, addressOf(nth)) === 429) return asked;
    asked += 1;
  }
  throw new Error("never refused");
}

/** From ever other /64 of one /48. */
const inOneSite = (nth: number) => `2001:db8:bad:${nth.toString(16)}00::1`;

/** A botnet: five requests from each address. */
const fromAnywhere = (nth: number) => `198.51.100.${Math.floor(nth / 5)}`;

async function mailsTo(site: SiteApp, email: string): Promise<number> {
  const mails = await site.test.store.listMails({ limit: 500 });
  return mails.filter(({ to }) => to === email).length;
}

/** Ada signs in by a code in this browser, from here. */
async function signsIn(
  site: SiteApp,
  browser: TestBrowser,
  from: string,
): Promise<void> {
  const form = { email: ADA, next: "/account" };
  const asked = await browser.post("/sign-in", form, { from });
  assertEquals(asked.status, 303);
  const code = await mailedCode(site, ADA);
  const answer = await browser.post("/sign-in/verify", { code }, { from });
  assertEquals(answer.headers.get("location"), "/account");
}

Deno.test("an attacker in one network keeps nobody from signing in from another, however long it goes on", async () => {
  await using site = await openSite();
  assertEquals(await useUp(site, () => "198.51.100.7"), 5);
  assertEquals(await useUp(site, inOneSite), 20, "4 of its /64s, 5 each");
  await signsIn(site, new TestBrowser(site), "203.0.113.1");
  for (let hour = 0; hour < 30; hour++) {
    site.test.clock.advance(HOUR_MS);
    assertEquals(await useUp(site, (nth) => inOneSite(nth + hour)), 4);
  }
  await signsIn(site, new TestBrowser(site), "203.0.113.2");
});

Deno.test("a botnet uses up an address's day, and a known device signs in all the same", async () => {
  await using site = await openSite();
  const known = await signedInBrowser(site, ADA);
  assert(known.cookies.has("svc_device"));
  await known.post("/settings/sign-out");
  const before = await mailsTo(site, ADA);
  assertEquals(await useUp(site, fromAnywhere), 119, "one was Ada's own");
  assertEquals(await mailsTo(site, ADA) - before, 119);
  assertEquals(await askFrom(site, "203.0.113.1"), 429);
  // From wherever it is, the attacker's own network included.
  for (const from of ["203.0.113.1", "198.51.100.3"]) {
    await signsIn(site, known, from);
  }
  site.test.clock.advance(HOUR_MS);
  await signsIn(site, new TestBrowser(site), "203.0.113.1");
});

Deno.test("parallel requests of a botnet are counted exactly", async () => {
  await using site = await openSite();
  const statuses = await Promise.all(
    Array.from({ length: 160 }, (_, nth) => askFrom(site, `192.0.2.${nth}`)),
  );
  assertEquals(statuses.filter((status) => status === 303).length, 120);
  assertEquals(await mailsTo(site, ADA), 120);
});

Deno.test("a known device has a reserve of its own, and is counted like others beyond it", async () => {
  await using site = await openSite();
  const device = (await signedInBrowser(site, ADA)).cookies.get("svc_device");
  assert(device !== undefined);
  const ask = async () => {
    const browser = new TestBrowser(site);
    browser.cookies.set("svc_device", device);
    const form = { email: ADA, next: "/" };
    return (await browser.post("/sign-in", form)).status;
  };
  const statuses = [];
  for (let nth = 0; nth < 10; nth++) statuses.push(await ask());
  // Five of the reserve, then the four that its network still has for Ada.
  assertEquals(statuses, [...Array(9).fill(303), 429]);
  site.test.clock.advance(HOUR_MS);
  assertEquals(await ask(), 303);
});

Deno.test("one network has its known browsers mailed so many codes an hour and no more, however many accounts and devices it has", async () => {
  await using site = await openSite();
  const from = "203.0.113.8";
  const emails = [0, 1, 2, 3, 4].map((nth) => `own${nth}@example.com`);
  const devices: [email: string, device: string][] = [];
  for (const email of emails) {
    site.test.clock.advance(HOUR_MS);
    for (let nth = 0; nth < 3; nth++) {
      const { cookies } = await signedInBrowser(site, email);
      devices.push([email, cookies.get("svc_device") ?? ""]);
    }
  }
  const count = async () =>
    (await site.test.store.listMails({ limit: 500 })).length;
  const before = await count();
  for (const [email, device] of devices) {
    const browser = new TestBrowser(site);
    browser.cookies.set("svc_device", device);
    // Five of the reserve, each mailed twice again.
    for (let nth = 0; nth < 15; nth++) {
      site.test.clock.advance(1_000);
      await browser.post("/sign-in", { email, next: "/" }, { from });
    }
  }
  // 60 of known browsers, 20 like any other, and what came back meanwhile.
  const mailed = await count() - before;
  assert(mailed >= 80 && mailed <= 86, `${mailed} mails`);
  // Somebody known in another network is mailed all the same.
  await signsIn(site, await signedInBrowser(site, ADA), "192.0.2.1");
});

Deno.test("the cookie of a device is good for its address alone, and is no sign-in", async () => {
  await using site = await openSite();
  const bob = await signedInBrowser(site, "bob@example.com");
  await bob.post("/settings/sign-out");
  const other = await signedInBrowser(site, "eve@example.com");
  assertEquals(await useUp(site, () => "192.0.2.77"), 5);
  const form = { email: ADA, next: "/" };
  const refused = await other.post("/sign-in", form, { from: "192.0.2.77" });
  assertEquals(refused.status, 429);
  const account = await bob.get("/account");
  assertEquals(account.status, 303);
  assertMatch(account.headers.get("location") ?? "", /^\/sign-in/);
});

Deno.test("a device that signs in again stays the same device, and another address makes it another", async () => {
  await using site = await openSite();
  const browser = await signedInBrowser(site, ADA);
  const first = browser.cookies.get("svc_device");
  await signIn(site, browser, ADA);
  assertEquals(browser.cookies.get("svc_device"), first);
  await signIn(site, browser, "bob@example.com");
  assert(browser.cookies.get("svc_device") !== first);
});

Deno.test("a second svc_device of a neighbouring host keeps nobody from signing in", async () => {
  await using site = await openSite();
  const browser = await signedInBrowser(site, ADA);
  const cookie = `${browser.cookie}; svc_device=x`;
  const form = { email: ADA, next: "/" };
  const answer = await browser.post("/sign-in", form, { headers: { cookie } });
  assertEquals(answer.status, 303);
});

Deno.test("a browser that waits for its code has it mailed twice again, whatever others use up", async () => {
  await using site = await openSite();
  const browser = new TestBrowser(site);
  const from = "203.0.113.1";
  const ask = async () => {
    const form = { email: ADA, next: "/account" };
    return (await browser.post("/sign-in", form, { from })).status;
  };
  assertEquals(await ask(), 303);
  const first = await mailedCode(site, ADA);
  await useUp(site, fromAnywhere);
  assertEquals([await ask(), await ask(), await ask()], [303, 303, 429]);
  const wrong = await browser.post("/sign-in/verify", { code: first });
  assertEquals(wrong.status, 400, "an earlier code is over");
  const code = await mailedCode(site, ADA);
  const answer = await browser.post("/sign-in/verify", { code });
  assertEquals(answer.headers.get("location"), "/account");
});

Deno.test("repeats at once are as many as one after the other", async () => {
  await using site = await openSite();
  const browser = new TestBrowser(site);
  const form = { email: ADA, next: "/" };
  await browser.post("/sign-in", form);
  await useUp(site, fromAnywhere);
  const before = await mailsTo(site, ADA);
  const { cookie } = browser;
  const answers = await Promise.all(
    Array.from(
      { length: 6 },
      () =>
        new TestBrowser(site).post("/sign-in", form, {
          from: "203.0.113.9",
          headers: { cookie },
        }),
    ),
  );
  const admitted = answers.filter(({ status }) => status === 303).length;
  // All brought the one code that was waited for: one of them ended it.
  assertEquals(admitted, 1);
  assertEquals(await mailsTo(site, ADA) - before, 1);
});

Deno.test("once a code was tried its browser asks like any other, so that five tries stay five", async () => {
  await using site = await openSite();
  const browser = new TestBrowser(site);
  const form = { email: ADA, next: "/" };
  await browser.post("/sign-in", form);
  const code = await mailedCode(site, ADA);
  const other = code.replace(/^./, (digit) => String((Number(digit) + 1) % 10));
  await browser.post("/sign-in/verify", { code: other });
  await useUp(site, fromAnywhere);
  assertEquals((await browser.post("/sign-in", form)).status, 429);
});

Deno.test("a repeat has a new secret: a planted sign-in cookie opens no code that its victim asks for", async () => {
  await using site = await openSite();
  const attacker = new TestBrowser(site);
  await attacker.post("/sign-in", { email: ADA, next: "/" });
  const victim = new TestBrowser(site);
  const planted = attacker.cookies.get("svc_sign_in");
  assert(planted !== undefined);
  victim.cookies.set("svc_sign_in", planted);
  await victim.post("/sign-in", { email: ADA, next: "/" });
  const code = await mailedCode(site, ADA);
  const stolen = await attacker.post("/sign-in/verify", { code });
  assertEquals(stolen.status, 400);
  assertEquals((await victim.post("/sign-in/verify", { code })).status, 303);
});

/** Uses up the mails of browsers we do not know, but for so many. */
async function drain({ limiter }: SiteApp, left: number): Promise<void> {
  for (let nth = 0; nth < 600 - left; nth++) {
    assert((await limiter.take("new_browser_mails", "all")).admitted);
  }
}

Deno.test("while strangers have to wait, accounts are mailed and nobody is told who has one", async () => {
  await using site = await openSite();
  const known = await signedInBrowser(site, ADA);
  await drain(site, 1);
  const answers = [];
  for (const email of [ADA, "new@example.com"]) {
    const browser = new TestBrowser(site);
    const before = await mailsTo(site, email);
    const answer = await browser.post("/sign-in", { email, next: "/account" });
    const page = (await answer.text()).replaceAll(email, "…");
    const verify = await (await browser.get("/sign-in/verify")).text();
    const wrong = await browser.post("/sign-in/verify", { code: "0000 0000" });
    answers.push({
      status: answer.status,
      headers: [...answer.headers].filter(([name]) => name !== "set-cookie"),
      cookies: [...browser.cookies.keys()],
      page,
      verify: verify.replaceAll(email, "…"),
      wrong: (await wrong.text()).replaceAll(email, "…"),
    });
    assertEquals(await mailsTo(site, email) - before, email === ADA ? 1 : 0);
  }
  const [first, second] = answers;
  assertEquals(first, second);
  assertEquals(first?.status, 503);
  assertMatch(first?.page ?? "", /try again later<\/h1>/);
  assertMatch(first?.page ?? "", /please try again in a minute/);
  assertEquals(Object.fromEntries(first?.headers ?? [])["retry-after"], "6");
  // A known device is mailed as ever, and so is Ada's code good.
  await signsIn(site, known, "203.0.113.1");
  const fresh = new TestBrowser(site);
  await fresh.post("/sign-in", { email: ADA, next: "/account" });
  const code = await mailedCode(site, ADA);
  const answer = await fresh.post("/sign-in/verify", { code });
  assertEquals(answer.headers.get("location"), "/account");
  site.test.clock.advance(6_000);
  assertEquals(await askFrom(site, "203.0.113.3"), 303);
});

Deno.test("whoever has eight IPv6 sites uses up half of the mails to strangers, and newcomers elsewhere are mailed", async () => {
  await using site = await openSite();
  let nth = 0;
  const ask = async (email: string, from: string) => {
    const browser = new TestBrowser(site);
    const form = { email, next: "/" };
    const answer = await browser.post("/sign-in", form, { from });
    await answer.body?.cancel();
    return answer.status;
  };
  const inSite = () => `2001:db8:${nth % 8}:${(nth % 40).toString(16)}00::1`;
  const statuses: number[] = [];
  for (; nth < 640; nth++) {
    statuses.push(await ask(`own${nth}@example.com`, inSite()));
  }
  const begun = statuses.filter((status) => status === 303);
  assertEquals(begun.length, 300 + 8 * 2);
  assert(statuses.includes(503), "its own are told to wait");
  for (let other = 0; other < 20; other++) {
    const from = `203.0.113.${other}`;
    assertEquals(await ask(`new${other}@example.com`, from), 303);
    assertEquals(await mailsTo(site, `new${other}@example.com`), 1);
  }
});

Deno.test("an operator is told each time the mails to strangers run out, not at every request", async () => {
  await using site = await openSite();
  await drain(site, 2);
  const told = () =>
    site.log.lines.filter((line) => line.includes("sign_in.strangers_wait"));
  assertEquals(await askFrom(site, "203.0.113.1"), 303);
  assertEquals(told().length, 0);
  assertEquals(await askFrom(site, "203.0.113.1"), 303);
  for (let nth = 0; nth < 3; nth++) await askFrom(site, "203.0.113.1");
  assertEquals(told().length, 1);
});
