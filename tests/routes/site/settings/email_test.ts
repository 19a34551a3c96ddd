import {
  assert,
  assertEquals,
  assertMatch,
  assertStringIncludes,
} from "@std/assert";
import { readyAccount } from "../../../support/bidding_world.ts";
import {
  signedInBrowser,
  signIn,
  TestBrowser,
} from "../../../support/browser.ts";
import {
  openSite,
  type SiteApp,
  TEST_SETTINGS,
} from "../../../support/site_app.ts";
import { ledTo } from "../../../support/led_to.ts";

const ADA = "ada@example.com";
const NEW = "ada@lamps.example";
const PATH = "/settings/email";

/** The code of the newest mail of a change to an address. */
async function codeTo({ test }: SiteApp, email: string): Promise<string> {
  const mails = await test.store.listMails({ limit: 100, reverse: true });
  const mail = mails.find(({ to, kind }) =>
    to === email && kind === "email_change"
  );
  const [, a, b] = /(\d{4}) (\d{4})/.exec(mail?.text ?? "") ?? [];
  assert(a !== undefined && b !== undefined, `no code was mailed to ${email}`);
  return a + b;
}

async function codesFor(site: SiteApp, wanted = NEW, current = ADA) {
  return {
    current_code: await codeTo(site, current),
    new_code: await codeTo(site, wanted),
  };
}

async function accountOf({ test }: SiteApp, email: string) {
  return (await test.store.accountEmails.find(email))?.accountId ?? null;
}

async function asked(site: SiteApp, email = NEW): Promise<TestBrowser> {
  const browser = await signedInBrowser(site);
  const answer = await browser.post(PATH, { email });
  assertEquals([answer.status, answer.headers.get("location")], [303, PATH]);
  return browser;
}

/** Any code but this one. */
function notThis(code: string): string {
  return code.replace(/^./, (digit) => digit === "9" ? "0" : "9");
}

Deno.test("an address is changed by a code to each: index, processor and mails move in one commit, other browsers end", async () => {
  await using site = await openSite();
  const { store } = site.test;
  const other = await signedInBrowser(site);
  const browser = await asked(site, " Ada@Lamps.Example ");
  const id = await accountOf(site, ADA) ?? "";
  await store.transact(async (tx) => {
    const account = await tx.accounts.find(id);
    assert(account !== null);
    tx.accounts.save({ ...account, company: readyAccount("ada").company });
  });
  const page = await (await browser.get(PATH)).text();
  assertStringIncludes(page, `Code sent to ${ADA}`);
  assertStringIncludes(page, `Code sent to ${NEW}`);
  const commits = site.test.kv.commits.length;
  const answer = await browser.post(
    `${PATH}/confirm`,
    await codesFor(site),
  );
  assertEquals(site.test.kv.commits.length, commits + 1);
  assertEquals(ledTo(answer), "/settings?done=email");
  assertEquals(await accountOf(site, NEW), id);
  assertEquals(await accountOf(site, ADA), null);
  assertEquals((await store.accounts.find(id))?.email, NEW);
  assertEquals((await store.customerTasks.find(id))?.state, "waiting");
  const told = (await store.listMails({ limit: 100 }))
    .filter(({ kind }) => kind === "email_changed").map(({ to }) => to);
  assertEquals(told.toSorted(), [ADA, NEW]);
  assertEquals((await browser.get("/settings")).status, 200);
  assertEquals((await other.get("/settings")).status, 303);
  const again = new TestBrowser(site);
  await signIn(site, again, NEW);
  assertStringIncludes(await (await again.get("/settings")).text(), NEW);
  assertEquals(await accountOf(site, NEW), id);
});

Deno.test("the codes of a change work once, and both are needed", async () => {
  await using site = await openSite();
  const browser = await asked(site);
  const codes = await codesFor(site);
  for (const side of ["current_code", "new_code"] as const) {
    const wrong = { ...codes, [side]: notThis(codes[side]) };
    const answer = await browser.post(`${PATH}/confirm`, wrong);
    assertEquals(answer.status, 400);
    const html = await answer.text();
    assertMatch(html, /At least one of the codes is wrong/);
    // Both are marked: which of them it is, nobody is told.
    assertEquals(html.match(/aria-invalid="true"/g)?.length, 2);
    assertMatch(html, /href="#current_code">At least one/);
  }
  const swapped = {
    current_code: codes.new_code,
    new_code: codes.current_code,
  };
  assertEquals((await browser.post(`${PATH}/confirm`, swapped)).status, 400);
  const done = await browser.post(`${PATH}/confirm`, codes);
  assertEquals(done.status, 303);
  const again = await browser.post(`${PATH}/confirm`, codes);
  assertEquals(again.status, 409);
  assertMatch(await again.text(), /no longer valid/);
});

Deno.test("after five wrong tries, or ten minutes, the codes of a change are gone", async () => {
  await using site = await openSite();
  const browser = await asked(site);
  const codes = await codesFor(site);
  const wrong = { ...codes, new_code: notThis(codes.new_code) };
  const answers = await Promise.all(
    Array.from({ length: 5 }, () => browser.post(`${PATH}/confirm`, wrong)),
  );
  const statuses = answers.map(({ status }) => status).toSorted();
  assertEquals(statuses, [400, 400, 400, 400, 409]);
  assertEquals((await browser.post(`${PATH}/confirm`, codes)).status, 409);
  await browser.post(PATH, { email: NEW });
  const later = await codesFor(site);
  site.test.clock.advance(10 * 60_000);
  assertEquals((await browser.post(`${PATH}/confirm`, later)).status, 409);
  assertEquals(await accountOf(site, NEW), null);
});

Deno.test("whose the wanted address is, is told to nobody but who has its code", async () => {
  await using site = await openSite();
  await signedInBrowser(site, "bob@example.com");
  const bob = await accountOf(site, "bob@example.com");
  const free = await asked(site, "nobody@example.com");
  const freePage = await (await free.get(PATH)).text();
  const taken = await asked(site, "bob@example.com");
  const takenPage = await (await taken.get(PATH)).text();
  assertEquals(
    takenPage.replaceAll("bob@example.com", "X"),
    freePage.replaceAll("nobody@example.com", "X"),
  );
  const codes = await codesFor(site, "bob@example.com");
  const wrong = { ...codes, new_code: notThis(codes.new_code) };
  const guessed = await taken.post(`${PATH}/confirm`, wrong);
  assert(!(await guessed.text()).includes("account of its own"));
  const answer = await taken.post(`${PATH}/confirm`, codes);
  assertEquals(answer.status, 409);
  assertStringIncludes(await answer.text(), "has an account of its own");
  assertEquals(await accountOf(site, "bob@example.com"), bob);
  assert(await accountOf(site, ADA) !== null);
  assertEquals((await taken.post(`${PATH}/confirm`, codes)).status, 409);
});

Deno.test("of two changes to one address, or a change and a sign-in, one has it", async () => {
  for (let round = 0; round < 4; round++) {
    await using site = await openSite();
    const ada = await asked(site);
    const bob = await signedInBrowser(site, "bob@example.com");
    await bob.post(PATH, { email: NEW });
    const forBob = {
      current_code: await codeTo(site, "bob@example.com"),
      new_code: await codeTo(site, NEW),
    };
    await ada.post(PATH, { email: NEW });
    const forAda = await codesFor(site);
    const rival = new TestBrowser(site);
    await rival.post("/sign-in", { email: NEW, next: "/settings" });
    const mails = await site.test.store.listMails({
      limit: 100,
      reverse: true,
    });
    const code = /#c=(\d{8})/.exec(
      mails.find(({ to, kind }) => to === NEW && kind === "sign_in")?.text ??
        "",
    )?.[1] ?? "";
    const [one, two, three] = await Promise.all([
      ada.post(`${PATH}/confirm`, forAda),
      bob.post(`${PATH}/confirm`, forBob),
      rival.post("/sign-in/verify", { code }),
    ]);
    assertEquals(three.status, 303);
    const changed = [one, two].filter(({ status }) => status === 303).length;
    assert(changed <= 1);
    const owner = await accountOf(site, NEW);
    const accounts = await site.test.store.listAccounts({ limit: 9 });
    const having = accounts.filter(({ email }) => email === NEW);
    assertEquals(having.map(({ id }) => id), [owner]);
    for (const { id, email } of accounts) {
      assertEquals(await accountOf(site, email), id);
    }
  }
});

Deno.test("two confirmations at once change the address once", async () => {
  await using site = await openSite();
  const browser = await asked(site);
  const codes = await codesFor(site);
  const answers = await Promise.all([
    browser.post(`${PATH}/confirm`, codes),
    browser.post(`${PATH}/confirm`, codes),
  ]);
  assertEquals(
    answers.filter(({ status }) => status === 303).length >= 1,
    true,
  );
  const told = (await site.test.store.listMails({ limit: 100 }))
    .filter(({ kind }) => kind === "email_changed");
  assertEquals(told.length, 2);
});

Deno.test("a change of address takes a fresh sign-in, a session that lives, and another address", async () => {
  await using site = await openSite();
  const browser = await asked(site);
  const codes = await codesFor(site);
  for (const email of [ADA, "ada@", "x".repeat(300)]) {
    assertEquals((await browser.post(PATH, { email })).status, 400);
  }
  site.test.clock.advance(10 * 60_000 - 1);
  await signIn(site, browser);
  site.test.clock.advance(10 * 60_000 + 1);
  const stale = await browser.post(`${PATH}/confirm`, codes);
  assertEquals(stale.status, 401);
  const [operator] = TEST_SETTINGS.operatorEmails;
  const desk = await signedInBrowser(site, operator);
  assertEquals((await desk.post(PATH, { email: NEW })).status, 400);
  assertEquals(await accountOf(site, NEW), null);
});

Deno.test("nobody becomes an operator by a change of address", async () => {
  await using site = await openSite();
  const [operator] = TEST_SETTINGS.operatorEmails;
  const browser = await asked(site, operator);
  const codes = await codesFor(site, operator);
  assertEquals((await browser.post(`${PATH}/confirm`, codes)).status, 409);
  assertEquals(await accountOf(site, operator), null);
});

Deno.test("an account begins five changes at once, then one an hour", async () => {
  await using site = await openSite();
  const browser = await signedInBrowser(site);
  const statuses: number[] = [];
  for (let nth = 0; nth < 6; nth++) {
    const email = `ada${nth}@example.com`;
    statuses.push((await browser.post(PATH, { email })).status);
  }
  assertEquals(statuses, [303, 303, 303, 303, 303, 429]);
});
