import { assert, assertEquals, assertMatch } from "@std/assert";
import { CODE_MS } from "../../../../domain/hold/has_code.ts";
import { CODE_TRIES } from "../../../../domain/sign_in/challenge.ts";
import {
  mailedCode,
  signedInBrowser,
  TestBrowser,
} from "../../../support/browser.ts";
import { openSite, type SiteApp } from "../../../support/site_app.ts";

const ADA = "ada@example.com";

/** A code that is not this one. */
function otherCode(code: string): string {
  return code.replace(/^./, (digit) => String((Number(digit) + 1) % 10));
}

/** A browser that has asked for a code, and the code. */
async function asking(site: SiteApp, email = ADA) {
  const browser = new TestBrowser(site);
  const answer = await browser.post("/sign-in", { email, next: "/account" });
  assertEquals(answer.status, 303);
  const code = await mailedCode(site, email);
  const give = (given: string) =>
    browser.post("/sign-in/verify", { code: given });
  return { browser, code, give };
}

Deno.test("the page of a code leads to the outbox in development, where no mail is sent, and nowhere else", async () => {
  for (const environment of ["development", "production"] as const) {
    await using site = await openSite([], { environment });
    const { browser, code, give } = await asking(site);
    const pages = [
      await browser.get("/sign-in/verify"),
      await give(otherCode(code)),
    ];
    for (const page of pages) {
      const leads = (await page.text()).includes('href="/dev/outbox"');
      assertEquals(leads, environment === "development", environment);
    }
  }
});

async function accountsOf({ test }: SiteApp): Promise<number> {
  return (await test.store.listAccounts({ limit: 100 })).length;
}

Deno.test("S5 the sixth try is refused, even with the right code", async () => {
  await using site = await openSite();
  const { browser, code, give } = await asking(site);
  for (let left = CODE_TRIES - 1; left > 0; left--) {
    const answer = await give(otherCode(code));
    assertEquals(answer.status, 400);
    const tries = left === 1 ? "one try" : `${left} tries`;
    assertMatch(await answer.text(), new RegExp(`You have ${tries} left`));
  }
  const last = await give(otherCode(code));
  assertEquals(last.status, 400);
  assertMatch(await last.text(), /no longer valid/);
  const sixth = await give(code);
  assertEquals(sixth.status, 400);
  assertEquals(browser.cookies.has("svc_sess"), false);
  assertEquals(await accountsOf(site), 0);
});

Deno.test("S5 the fifth try signs in", async () => {
  await using site = await openSite();
  const { code, give } = await asking(site);
  for (let wrong = 1; wrong < CODE_TRIES; wrong++) await give(otherCode(code));
  assertEquals((await give(code)).status, 303);
});

Deno.test("S5 parallel wrong tries are all counted", async () => {
  await using site = await openSite();
  const { code, give } = await asking(site);
  const wrong = Array.from({ length: CODE_TRIES }, () => otherCode(code));
  const answers = await Promise.all(wrong.map(give));
  assertEquals(answers.map(({ status }) => status), wrong.map(() => 400));
  assertEquals((await give(code)).status, 400);
});

Deno.test("S5 a code of another shape costs no try", async () => {
  await using site = await openSite();
  const { code, give } = await asking(site);
  for (let at = 0; at < CODE_TRIES + 1; at++) {
    const answer = await give("1234567");
    assertMatch(await answer.text(), /The code has 8 digits/);
  }
  const spaced = `${code.slice(0, 4)} - ${code.slice(4)} `;
  assertEquals((await give(spaced)).status, 303);
});

Deno.test("S5 a code is over after 10 minutes exactly", async () => {
  await using site = await openSite();
  const early = await asking(site);
  site.test.clock.advance(CODE_MS - 1);
  assertEquals((await early.give(early.code)).status, 303);
  const late = await asking(site);
  site.test.clock.advance(CODE_MS);
  assertEquals((await late.give(late.code)).status, 400);
});

Deno.test("S5 a code works in the browser that asked and in no other", async () => {
  await using site = await openSite();
  const { code, give } = await asking(site);
  const other = await asking(site, "bob@example.com");
  const without = new TestBrowser(site);
  const answers = [
    await other.give(code),
    await without.post("/sign-in/verify", { code }),
  ];
  assertEquals(answers.map(({ status }) => status), [400, 400]);
  assertEquals(await accountsOf(site), 0);
  assertEquals((await give(code)).status, 303);
});

Deno.test("S5 GET never uses a code up", async () => {
  await using site = await openSite();
  const { browser, code, give } = await asking(site);
  const paths = ["/sign-in/verify", `/sign-in/verify?c=${code}&code=${code}`];
  for (const path of paths) {
    assertEquals((await browser.get(path)).status, 200);
    assertEquals((await browser.get(path, { method: "HEAD" })).status, 200);
  }
  assertEquals(browser.cookies.has("svc_sess"), false);
  assertEquals((await give(code)).status, 303);
});

Deno.test("S5 a code works once, also when given twice at once", async () => {
  await using site = await openSite();
  const { code, give } = await asking(site);
  const answers = await Promise.all([give(code), give(code)]);
  assertEquals(answers.map(({ status }) => status).toSorted(), [303, 400]);
  assertEquals((await give(code)).status, 400);
  assertEquals(await accountsOf(site), 1);
});

Deno.test("S5 the answer is the same whether there is an account or not", async () => {
  await using site = await openSite();
  await signedInBrowser(site);
  const answers = await Promise.all(
    [ADA, "new@example.com"].map(async (email) => {
      const browser = new TestBrowser(site);
      const asked = await browser.post("/sign-in", { email, next: "/" });
      const headers = [...asked.headers].filter(([name]) =>
        name !== "set-cookie"
      );
      const page = await (await browser.get("/sign-in/verify")).text();
      return {
        status: asked.status,
        headers,
        cookies: [...browser.cookies.keys()],
        page: page.replaceAll(email, "…"),
      };
    }),
  );
  assertEquals(answers[0], answers[1]);
});

Deno.test("S5 a network has 5 codes sent to an address, then one an hour", async () => {
  await using site = await openSite();
  const ask = (email: string) =>
    new TestBrowser(site).post("/sign-in", { email, next: "/" });
  for (let at = 0; at < 5; at++) {
    assertEquals((await ask(ADA)).status, 303);
    site.test.clock.advance(60_000);
  }
  const refused = await ask(ADA);
  assertEquals(refused.status, 429);
  assertEquals(refused.headers.get("retry-after"), "3301");
  assertMatch(
    await refused.text(),
    /role="alert"[^>]*>Too many .* in 56 minutes/,
  );
  assertEquals((await ask("bob@example.com")).status, 303);
  site.test.clock.advance(3_301_000);
  assertEquals((await ask(ADA)).status, 303);
  assertEquals((await ask(ADA)).status, 429);
});

Deno.test("S5 one client is sent 20 codes an hour", async () => {
  await using site = await openSite();
  const ask = (at: number, from: string) =>
    new TestBrowser(site).post(
      "/sign-in",
      { email: `user${at}@example.com`, next: "/" },
      { from },
    );
  for (let at = 0; at < 20; at++) {
    assertEquals((await ask(at, "192.0.2.7")).status, 303);
  }
  assertEquals((await ask(20, "192.0.2.7")).status, 429);
  assertEquals((await ask(20, "192.0.2.8")).status, 303);
  const { length } = await site.test.store.listMails({ limit: 100 });
  assertEquals(length, 21);
});

for (
  const email of [
    "",
    "ada",
    "ada@",
    "@example.com",
    "ada@example",
    "ada@exa mple.com",
    "ada@example.com\r\nBcc: all@example.com",
    "ada@example.com,bob@example.com",
    "Ada <ada@example.com>",
    "ad\u0430@example.com",
    "\u212Aay@example.com",
    `${"a".repeat(65)}@example.com`,
    `a@${"b".repeat(63)}.${"c".repeat(63)}.${"d".repeat(63)}.${
      "e".repeat(63)
    }.com`,
  ]
) {
  Deno.test(`no code is sent to ${JSON.stringify(email.slice(0, 40))}`, async () => {
    await using site = await openSite();
    const browser = new TestBrowser(site);
    const answer = await browser.post("/sign-in", { email, next: "/agents" });
    assertEquals(answer.status, 400);
    const page = await answer.text();
    assertMatch(page, /<title>Error: Sign in/);
    assertMatch(page, /id="email-error">Type an e-mail address/);
    assertMatch(page, /aria-describedby="email-hint email-error"/);
    assertMatch(page, /required="" autofocus=""/);
    assertMatch(page, /name="next" value="\/agents"/);
    assertMatch(page, /aria-invalid="true"/);
    assertEquals(await site.test.store.listMails({ limit: 1 }), []);
  });
}

Deno.test("the mail links to the form with the code behind the #", async () => {
  await using site = await openSite();
  const { code } = await asking(site);
  const [mail] = await site.test.store.listMails({ limit: 1 });
  const link = `https://spotlight.example/sign-in/verify#c=${code}`;
  assert(mail?.text.includes(`\n${link}\n`) === true, mail?.text);
  assertEquals(mail?.subject, "Your Spotlight sign-in code");
});

Deno.test("sign-in costs tokens of the address bucket", async () => {
  await using site = await openSite();
  const browser = new TestBrowser(site);
  for (let at = 0; at < 60; at++) await browser.get("/sign-in");
  const answer = await browser.get("/sign-in");
  assertEquals(answer.status, 429);
  assertEquals(answer.headers.get("retry-after"), "1");
  assertMatch(await answer.text(), /<h1>Too many requests<\/h1>/);
});

Deno.test("asking for another code leads where the first one would have", async () => {
  await using site = await openSite();
  const browser = new TestBrowser(site);
  const next = "/connect/areq_1?a=b";
  await browser.post("/sign-in", { email: ADA, next });
  const link = 'href="/sign-in?next=%2Fconnect%2Fareq_1%3Fa%3Db"';
  const page = await (await browser.get("/sign-in/verify")).text();
  assert(page.includes(link), page);
  const code = await mailedCode(site, ADA);
  for (let left = CODE_TRIES - 1; left >= 0; left--) {
    const given = { code: otherCode(code), next };
    const answer = await browser.post("/sign-in/verify", given);
    // The last one says that the code is gone.
    assert((await answer.text()).includes(link), `${left} tries left`);
  }
  const elsewhere = await browser.post("/sign-in/verify", {
    code,
    next: "//evil.example/",
  });
  assert((await elsewhere.text()).includes('href="/sign-in">'));
});
