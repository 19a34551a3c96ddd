import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { mailedTo } from "../../../domain/accounts/mailed_to.ts";
import { chooseMails } from "../../../domain/accounts/mail_choices.ts";
import {
  UNSUBSCRIBE_PATH,
  unsubscribeUrl,
} from "../../../domain/accounts/unsubscribe_link.ts";
import {
  MAIL_CHOICES,
  MUTABLE_MAILS,
  type MutableMail,
} from "../../../domain/mail/mail_kinds.ts";
import { newAccount } from "../../../domain/accounts/new_account.ts";
import { DAY_MS } from "../../../domain/day.ts";
import { secretKeys } from "../../../config/secret_keys.ts";
import {
  type AdvertiserSite,
  openAdvertiserSite,
} from "../../support/advertiser_site.ts";

/** What a mailbox sends on one click (RFC 8058 §3.1): no Origin, no cookie. */
const ONE_CLICK = {
  method: "POST",
  headers: { "content-type": "application/x-www-form-urlencoded" },
  body: "List-Unsubscribe=One-Click",
};

const ACCOUNT = "acc_ada";
const TO = mailedTo({ id: ACCOUNT, email: "ada@example.com" });

/** A link of now, as a path. */
function linkOf(
  { services }: AdvertiserSite,
  choice: MutableMail = "bid_lost",
  nowMs = services.clock.now(),
  to = TO,
): string {
  const url = unsubscribeUrl(
    services,
    { accountId: ACCOUNT, choice, to },
    nowMs,
  );
  assert(url.startsWith(`${services.settings.baseUrl}${UNSUBSCRIBE_PATH}/`));
  return url.slice(services.settings.baseUrl.length);
}

async function mutedOf({ services }: AdvertiserSite) {
  return (await services.store.accounts.find(ACCOUNT))?.mutedMails ?? [];
}

/** A site with ada's account. */
async function openSite(): Promise<AdvertiserSite> {
  const site = await openAdvertiserSite();
  const account = newAccount(ACCOUNT, "ada@example.com", 0);
  await site.services.store.transact((tx) => tx.accounts.save(account));
  return site;
}

Deno.test("a link in a mail shows what it switches off and changes nothing by being looked at", async () => {
  await using site = await openSite();
  for (const choice of MUTABLE_MAILS) {
    for (const method of ["GET", "HEAD"]) {
      const answer = await site.visitor(linkOf(site, choice), { method });
      assertEquals(answer.status, 200);
      assertEquals(answer.headers.get("cache-control"), "no-store");
      const html = await answer.text();
      if (method === "HEAD") continue;
      assertStringIncludes(html, `“${MAIL_CHOICES[choice]}”`);
      assertStringIncludes(html, `action="${linkOf(site, choice)}"`);
      assertStringIncludes(html, "Switch it off");
    }
  }
  assertEquals(await mutedOf(site), []);
});

Deno.test("one click of a mailbox switches a mail off without a sign-in, however often, and the owner switches it on again", async () => {
  await using site = await openSite();
  for (let nth = 0; nth < 3; nth++) {
    const answer = await site.visitor(linkOf(site), ONE_CLICK);
    assertEquals(answer.status, 200);
    assertStringIncludes(await answer.text(), "You get no more mails called");
    assertEquals(await mutedOf(site), ["bid_lost"]);
  }
  await site.visitor(linkOf(site, "review"), ONE_CLICK);
  assertEquals(await mutedOf(site), ["review", "bid_lost"]);
  await chooseMails(site.services, {
    accountId: ACCOUNT,
    choices: { bid_lost: true },
  });
  assertEquals(await mutedOf(site), ["review"]);
});

Deno.test("one click is taken whatever its body is, and as a form of many parts", async () => {
  const form = new FormData();
  form.set("List-Unsubscribe", "One-Click");
  for (const init of [{ body: form }, {}, { body: "x".repeat(100_000) }]) {
    await using site = await openSite();
    const answer = await site.visitor(linkOf(site), {
      method: "POST",
      ...init,
    });
    assertEquals(answer.status, 200);
    assertEquals(await mutedOf(site), ["bid_lost"]);
  }
});

Deno.test("two clicks at once, about two kinds of mail, switch off both", async () => {
  await using site = await openSite();
  await Promise.all(
    MUTABLE_MAILS.map((choice) =>
      site.visitor(linkOf(site, choice), ONE_CLICK)
    ),
  );
  assertEquals(await mutedOf(site), MUTABLE_MAILS);
});

Deno.test("a link that is forged, cut off or too old is refused in plain words, and changes nothing", async () => {
  await using site = await openSite();
  const good = linkOf(site);
  const nowMs = site.services.clock.now();
  const stranger = unsubscribeUrl(
    { ...site.services, keys: secretKeys({ secrets: ["z".repeat(40)] }) },
    { accountId: ACCOUNT, choice: "bid_lost", to: TO },
    nowMs,
  ).slice(site.services.settings.baseUrl.length);
  const bad = [
    good.slice(0, -1),
    `${good}A`,
    good.replace("bid_lost", "review"),
    good.replace("bid_lost", "bid_won"),
    good.replace(ACCOUNT, "acc_bob"),
    good.replace(TO, mailedTo({ id: ACCOUNT, email: "bob@example.com" })),
    good.replace(/~\d{4}-/, "~2999-"),
    good.replace(/[^~]{43}$/, "A".repeat(43)),
    stranger,
    linkOf(site, "bid_lost", nowMs - 366 * DAY_MS),
    `${UNSUBSCRIBE_PATH}/x`,
    `${UNSUBSCRIBE_PATH}/${"~".repeat(5_000)}`,
    `${UNSUBSCRIBE_PATH}/%00%ff`,
  ];
  for (const path of bad) {
    for (const init of [{}, ONE_CLICK]) {
      const answer = await site.visitor(path, init);
      assert([400, 404, 414].includes(answer.status), path);
      const html = await answer.text();
      if (answer.status === 404) {
        assertStringIncludes(html, "This link no longer works");
        assertStringIncludes(html, 'href="/settings#mails"');
      }
    }
  }
  assertEquals(await mutedOf(site), []);
  // For a year, to the day, it works.
  const old = linkOf(site, "bid_lost", nowMs - 365 * DAY_MS);
  assertEquals((await site.visitor(old, ONE_CLICK)).status, 200);
});

Deno.test("a link of an account that is gone changes nothing and tells nobody so", async () => {
  await using site = await openSite();
  const url = unsubscribeUrl(
    site.services,
    { accountId: "acc_gone", choice: "review", to: TO },
    site.services.clock.now(),
  );
  const path = url.slice(site.services.settings.baseUrl.length);
  const answer = await site.visitor(path, ONE_CLICK);
  assertEquals(answer.status, 200);
  assertEquals(await site.services.store.accounts.find("acc_gone"), null);
});

Deno.test("a link that was mailed to an address that the account has left switches nothing off", async () => {
  await using site = await openSite();
  const { store } = site.services;
  const link = linkOf(site);
  await store.transact(async (tx) => {
    const account = await tx.accounts.find(ACCOUNT);
    assert(account !== null);
    tx.accounts.save({ ...account, email: "ada@lamps.example" });
  });
  assertEquals((await site.visitor(link, ONE_CLICK)).status, 404);
  assertEquals(await mutedOf(site), []);
  const to = mailedTo({ id: ACCOUNT, email: "ada@lamps.example" });
  const now = linkOf(site, "bid_lost", site.services.clock.now(), to);
  assertEquals((await site.visitor(now, ONE_CLICK)).status, 200);
});
