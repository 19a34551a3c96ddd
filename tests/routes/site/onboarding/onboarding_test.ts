import {
  assert,
  assertEquals,
  assertMatch,
  assertStringIncludes,
} from "@std/assert";
import { assertFaults } from "../../../support/form_faults.ts";
import { placeBid } from "../../../../domain/bidding/place_bid.ts";
import { claimVat } from "../../../../domain/accounts/claim_vat.ts";
import type { VatAnswer } from "../../../../domain/accounts/vat_registry.ts";
import { readVatId } from "../../../../adapters/vies/read_vat_id.ts";
import {
  openAdvertiserSite,
  type SignedInBrowser,
} from "../../../support/advertiser_site.ts";
import {
  approvedCreative,
  BID_DAY,
  bidBy,
} from "../../../support/bidding_world.ts";
import { leadOf, ledTo } from "../../../support/led_to.ts";

const TYPED: Readonly<Record<string, string>> = {
  name: "Ada & Söhne GmbH",
  country: "DE",
  vat_id: "de 123 456 789",
  line1: "Hauptstraße 1",
  postal_code: "10115",
  city: "Berlin",
};

/** A site whose VAT registry answers as it is told to. */
async function openSite(outcome: VatAnswer["outcome"] = "valid") {
  const registry = { outcome, name: "---", asked: [] as string[] };
  const site = await openAdvertiserSite({}, {
    vatRegistry: {
      read: readVatId,
      check(vatId) {
        registry.asked.push(vatId);
        const { outcome } = registry;
        const name = registry.name === "---" ? null : registry.name;
        return Promise.resolve({ outcome, consultation: null, name });
      },
    },
  });
  const company = async (name: string) =>
    await site.services.store.accounts.find(`acc_${name}`);
  return {
    ...site,
    registry,
    company,
    [Symbol.asyncDispose]: () => site[Symbol.asyncDispose](),
  };
}

function save(
  browser: SignedInBrowser,
  changes: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const form = new URLSearchParams({ ...TYPED, ...changes });
  return browser.post("/onboarding", form);
}

async function pageOf(browser: SignedInBrowser): Promise<string> {
  const page = await browser.get("/onboarding");
  assertEquals(page.status, 200);
  return await page.text();
}

Deno.test("/onboarding saves the company, verifies its VAT id and says so", async () => {
  await using site = await openSite();
  const ada = await site.browser("ada");
  const answer = await save(ada);
  assertEquals(answer.status, 303);
  assertEquals(ledTo(answer), "/billing?done=company");
  const next = await (await ada.get(leadOf(answer))).text();
  assertStringIncludes(next, "Your company was saved and verified.");
  const account = await site.company("ada");
  assertEquals(account?.company, {
    name: "Ada & Söhne GmbH",
    country: "DE",
    vatId: "DE123456789",
    address: { line1: "Hauptstraße 1", city: "Berlin", postalCode: "10115" },
  });
  assertEquals(account?.vatCheck?.outcome, "valid");
  assertEquals(site.registry.asked, ["DE123456789"]);
  const html = await (await ada.get("/onboarding")).text();
  assertStringIncludes(html, "confirms <strong>DE123456789</strong>");
  assertStringIncludes(html, 'value="Ada &amp; Söhne GmbH"');
  assertMatch(html, /value="DE" selected/);
});

Deno.test("/onboarding asks the processor for nothing itself and leaves a task", async () => {
  await using site = await openSite();
  const ada = await site.browser("ada");
  // The world's processor throws when it is asked.
  assertEquals((await save(ada)).status, 303);
  const { store, clock } = site.services;
  const due = await store.listDue("customers", clock.now(), { limit: 9 });
  assertEquals(due.map(({ accountId }) => accountId), ["acc_ada"]);
});

for (
  const [field, value, sentence] of [
    ["name", "", "Enter the company’s name."],
    ["name", "x".repeat(101), "Shorten this to 100 characters."],
    ["name", "a\u202eb", "Remove the characters that can’t be seen"],
    ["country", "", "Choose the country."],
    ["country", "XX", "Choose a country of the list."],
    ["vat_id", "DE1", "This is not the form of a VAT id"],
    ["vat_id", "DE12", "In development any of that form passes."],
    ["vat_id", "FR12345678901", "This VAT id is of another country"],
    ["line1", "", "Enter the street and number."],
    ["city", " ", "Enter the city."],
    ["postal_code", "", "Enter the postal code."],
  ] as const
) {
  const shown = JSON.stringify(value.slice(0, 15)).replace(/[^ -~]/g, "?");
  Deno.test(`/onboarding with ${field} ${shown} is 400 and says what is wanted`, async () => {
    await using site = await openSite();
    const ada = await site.browser("ada");
    const answer = await save(ada, { [field]: value });
    assertEquals(answer.status, 400);
    const html = await answer.text();
    assertStringIncludes(html, sentence);
    assertFaults(html, [field]);
    const kept = field === "city" ? "name" : "city";
    assertStringIncludes(
      html,
      `name="${kept}" type="text" value="${
        (TYPED[kept] ?? "").replace("&", "&amp;")
      }"`,
    );
    assertEquals((await site.company("ada"))?.company, null);
    assertEquals(site.registry.asked, []);
  });
}

Deno.test("/onboarding shows what was typed as text and never as HTML", async () => {
  await using site = await openSite();
  const ada = await site.browser("ada");
  const answer = await save(ada, { name: `"><script>x</script>`, city: "" });
  const html = await answer.text();
  assert(!html.includes("<script>x"));
  assertStringIncludes(html, "&quot;&gt;&lt;script&gt;");
});

Deno.test("/onboarding says an outage of the registry as it is, and asks again", async () => {
  await using site = await openSite("unknown");
  const ada = await site.browser("ada");
  const saved = await save(ada);
  assertEquals(ledTo(saved), "/onboarding?done=saved");
  const html = await (await ada.get(leadOf(saved))).text();
  assertStringIncludes(html, "The company was saved.");
  assertStringIncludes(html, "We don’t know yet whether");
  assertStringIncludes(html, "We ask again by ourselves, next after");
  assertStringIncludes(html, "20 November 2026, 12:05 UTC");
  site.registry.outcome = "valid";
  const checked = await ada.post("/onboarding/vat", "");
  assertEquals(ledTo(checked), "/billing?done=company");
  assertStringIncludes(await pageOf(ada), "confirms");
});

Deno.test("/onboarding says a no of the registry and what to do", async () => {
  await using site = await openSite("invalid");
  const ada = await site.browser("ada");
  await save(ada);
  const html = await pageOf(ada);
  assertStringIncludes(html, "does not know");
  assertStringIncludes(html, "Check the VAT id now");
  assertStringIncludes(html, "#vat-ids-in-development");
});

Deno.test("/onboarding takes a company without a VAT id and says what that means", async () => {
  await using site = await openSite();
  const ada = await site.browser("ada");
  await save(ada, { vat_id: "" });
  assertStringIncludes(await pageOf(ada), "You gave no VAT id.");
  await save(ada, { vat_id: "", country: "US", postal_code: "" });
  assertStringIncludes(await pageOf(ada), "elsewhere can’t bid yet");
  assertEquals(site.registry.asked, []);
});

Deno.test("a company outside of the Union is told that it can't bid yet, and sent to no check of identity", async () => {
  await using site = await openSite();
  const ada = await site.browser("ada");
  const before = await pageOf(ada);
  assertStringIncludes(before, "Only companies in the European Union can bid");
  assertStringIncludes(before, "Other countries, which can’t bid yet");
  assertStringIncludes(before, "Prove your identity");
  await save(ada, { vat_id: "", country: "US", postal_code: "" });
  const page = await pageOf(ada);
  assertStringIncludes(page, "there is nothing else to do");
  for (const way of ["/identity", "/billing", "Prove your identity"]) {
    assert(!page.slice(page.indexOf("<h2")).includes(way), way);
  }
  const identity = await (await ada.get("/identity")).text();
  assertStringIncludes(identity, "there is nothing to verify");
  assert(!identity.includes("/identity/start"));
});

Deno.test("/onboarding tells nobody that another account holds the VAT id", async () => {
  await using site = await openSite();
  const complete = {
    identityStatus: "verified",
    defaultPaymentMethodId: "pm_1",
  } as const;
  const others = await site.browser("ada", complete);
  assertEquals((await save(others)).status, 303);
  assertStringIncludes(await pageOf(others), "is verified");
  /** What an account reads at each step, of an id that another has or not. */
  const told = async (name: string, vatId: string, registered: string) => {
    site.registry.name = registered;
    const browser = await site.browser(name);
    const typed = { vat_id: vatId };
    const pages: string[] = [];
    const note = async (answer: Response) => {
      pages.push(`${answer.status} ${ledTo(answer)}`);
      const text = (await pageOf(browser)).replaceAll(vatId, "ID")
        .replaceAll(registered, "REGISTERED");
      pages.push(/<h2>VAT id<\/h2>.*?<\/section>/s.exec(text)?.[0] ?? "");
    };
    await note(await save(browser, typed));
    await site.browser(name, complete);
    await note(await save(browser, typed));
    await note(await browser.post("/onboarding/vat", ""));
    return pages;
  };
  const held = await told("eve", "DE123456789", "---");
  const differs = await told("mia", "DE987654321", "Other SE");
  // The first page names what the register calls it, where that differs.
  assertEquals(held.slice(2), differs.slice(2));
  // Who reads that a person compares it learns nothing of why.
  for (const page of [held[1], held.at(-1), differs.at(-1)]) {
    assertStringIncludes(page ?? "", "whatever the company is called");
  }
  assertStringIncludes(held.at(-1) ?? "", "An operator now compares it");
  const eve = await site.company("eve");
  assertEquals([eve?.vatCase?.why, eve?.vatStatus], ["held", "unverified"]);
});

Deno.test("/onboarding changes the company later and keeps a verified id", async () => {
  await using site = await openSite();
  const ada = await site.browser("ada");
  await save(ada);
  await save(ada, { city: "Köln" });
  assertEquals(site.registry.asked.length, 1);
  const account = await site.company("ada");
  assertEquals(account?.company?.address.city, "Köln");
  assertEquals(account?.vatCheck?.outcome, "valid");
});

Deno.test("/onboarding shows where its step is among the five, and no step that is not among them", async () => {
  await using site = await openSite();
  const ada = await site.browser("ada");
  const steps = async () => {
    const html = (await pageOf(ada)).split("Until your first bid")[1] ?? "";
    return [...html.matchAll(/<li (.*?)>(.*?)<\/li>/gs)].map(
      ([, how, what]) => {
        const name = what?.replace(/<[^>]+>/g, "").trim();
        return how?.includes("step") ? `next: ${name}` : name;
      },
    ).slice(0, 5);
  };
  const company = "Enter your company and its VAT id";
  const rest = [
    "Prove your identity",
    "Write your ad and have it approved",
    "Bid",
  ];
  assertEquals(await steps(), [`next: ${company}`, "Save a card", ...rest]);
  await save(ada);
  assertEquals(await steps(), [
    `${company} – done`,
    "next: Save a card",
    ...rest,
  ]);
});

Deno.test("/onboarding leads to the bid once nothing else is left, and says what is in the way of that", async () => {
  await using site = await openSite();
  const ada = await site.browser("ada");
  await save(ada);
  const ready = await site.browser("ada", {
    identityStatus: "verified",
    defaultPaymentMethodId: "pm_1",
  });
  await claimVat(site.services, { accountId: "acc_ada" });
  const toBid = '<a href="/bids">place a bid</a>';
  assert(!(await pageOf(ready)).includes(toBid), "no ad is approved yet");
  await site.services.store.transact((tx) => {
    tx.creatives.save({ ...approvedCreative("ada"), accountId: "acc_ada" });
    return Promise.resolve();
  });
  assertStringIncludes(await pageOf(ready), toBid);
  const suspended = await site.browser("ada", { suspendedAtMs: 1 });
  const page = await pageOf(suspended);
  assertStringIncludes(page, "Your account is suspended. ");
  assert(!page.includes(toBid));
});

Deno.test("/onboarding needs a session and our own Origin", async () => {
  await using site = await openSite();
  const page = await site.visitor("/onboarding");
  assertEquals(page.headers.get("location"), "/sign-in?next=%2Fonboarding");
  const ada = await site.browser("ada");
  const form = new URLSearchParams(TYPED);
  for (const path of ["/onboarding", "/onboarding/vat"]) {
    for (const origin of [null, "https://evil.example"]) {
      assertEquals((await ada.post(path, form, { origin })).status, 403);
    }
  }
  assertEquals((await site.company("ada"))?.company, null);
});

Deno.test("/onboarding/vat without a VAT id asks nobody", async () => {
  await using site = await openSite();
  const ada = await site.browser("ada");
  assertEquals((await ada.post("/onboarding/vat", "")).status, 303);
  assertEquals(site.registry.asked, []);
});

Deno.test("/onboarding answers too many changes from one address with 429", async () => {
  await using site = await openSite();
  const ada = await site.browser("ada");
  let status = 303;
  for (let i = 0; i < 200 && status === 303; i++) {
    status = (await ada.post("/onboarding/vat", "")).status;
  }
  assertEquals(status, 429);
});

Deno.test("/onboarding says that another name waits, and why one was refused", async () => {
  await using site = await openSite();
  const rename = { name: "Ada <AG>", askedAtMs: 0 };
  const { account } = await site.world.agent("ada");
  const waiting = await site.browser("ada", { ...account, rename });
  const page = await pageOf(waiting);
  assertStringIncludes(
    page,
    "You asked for the name <bdi>Ada &lt;AG&gt;</bdi>",
  );
  assertStringIncludes(page, 'value="Ada &lt;AG&gt;"');
  const refusal = "Not registered.";
  const refused = await site.browser("ada", { rename: { ...rename, refusal } });
  const after = await pageOf(refused);
  assertStringIncludes(after, "was not approved");
  assertStringIncludes(after, refusal);
  assertStringIncludes(after, 'value="ada GmbH"');
});

Deno.test("/onboarding keeps VAT id and country while a bid stands on them, and says until when", async () => {
  await using site = await openSite();
  const agent = await site.world.agent("ada");
  const ada = await site.browser("ada", agent.account);
  await placeBid(site.services, bidBy(agent));
  const answer = await save(ada, { vat_id: "" });
  assertEquals(answer.status, 409);
  const html = await answer.text();
  assertStringIncludes(html, `your bid for ${BID_DAY} stands on them`);
  const { company } = agent.account;
  assertEquals((await site.company("ada"))?.company, company);
});
