import {
  assert,
  assertEquals,
  assertMatch,
  assertStringIncludes,
} from "@std/assert";
import { assertFaults } from "../../../support/form_faults.ts";
import { placeBid } from "../../../../domain/bidding/place_bid.ts";
import {
  approveCreative,
  rejectCreative,
} from "../../../../domain/creatives/review_creative.ts";
import { CREATIVES_KEPT_MAX } from "../../../../domain/creatives/creative_quota.ts";
import {
  type AdvertiserSite,
  openAdvertiserSite,
  type SignedInBrowser,
} from "../../../support/advertiser_site.ts";
import {
  approvedCreative,
  bidBy,
  readyAccount,
} from "../../../support/bidding_world.ts";
import { leadOf, ledTo } from "../../../support/led_to.ts";

const COPY = {
  headline: "Bread by bicycle",
  description: "Warm loaves at your door before eight, every day.",
  target_url: "https://bakery.example/",
};

const DESK = { kind: "operator_key" } as const;

function fields(changes: Record<string, string> = {}): URLSearchParams {
  return new URLSearchParams({ ...COPY, do: "save", ...changes });
}

async function textOf(answer: Response, status = 200): Promise<string> {
  assertEquals(answer.status, status);
  return await answer.text();
}

/** Writes an advertisement in the browser; answers its id. */
async function write(
  browser: SignedInBrowser,
  changes: Record<string, string> = {},
): Promise<string> {
  const answer = await browser.post("/creatives/new", fields(changes));
  assertEquals(answer.status, 303, await answer.clone().text());
  const location = ledTo(answer) ?? "";
  const [, adId] = /^\/creatives\/(ad_[a-z0-9]+)\?done=saved$/.exec(location) ??
    [];
  assert(adId !== undefined, location);
  return adId;
}

/** Ada, who may bid; her account is the one of `world.agent("ada")`. */
function ada(site: AdvertiserSite): Promise<SignedInBrowser> {
  return site.browser("ada", readyAccount("ada"));
}

Deno.test("/creatives is for who is signed in, and leads back after it", async () => {
  await using site = await openAdvertiserSite();
  for (const path of ["/creatives", "/creatives/new", "/creatives/ad_1"]) {
    const answer = await site.visitor(path);
    assertEquals(answer.status, 303);
    const next = encodeURIComponent(path);
    assertEquals(answer.headers.get("location"), `/sign-in?next=${next}`);
  }
});

Deno.test("an advertisement is written, submitted and archived in the browser", async () => {
  await using site = await openAdvertiserSite();
  const browser = await ada(site);
  const empty = await textOf(await browser.get("/creatives"));
  assertStringIncludes(empty, "You have not written an ad yet");
  const written = leadOf(await browser.post("/creatives/new", fields()));
  const [adId = ""] = /ad_[a-z0-9]+/.exec(written) ?? [];
  const page = await textOf(await browser.get(written));
  for (const text of ["The draft was saved", "Draft.", COPY.headline, adId]) {
    assertStringIncludes(page, text);
  }
  const submitted = await browser.post(`/creatives/${adId}/submit`, "");
  assertEquals(
    ledTo(submitted),
    `/creatives/${adId}?done=submitted`,
  );
  assertStringIncludes(
    await textOf(await browser.get(`/creatives/${adId}`)),
    "Under review.",
  );
  await browser.post(`/creatives/${adId}/archive`, "");
  const list = await textOf(await browser.get("/creatives"));
  assertStringIncludes(list, "Archived, last changed");
  assertStringIncludes(list, `<code>${adId}</code>`);
  const found = await site.services.store.creatives.find("acc_ada", adId);
  assertEquals(found?.state, "archived");
});

Deno.test("the form shows a preview after a round trip and saves nothing by it", async () => {
  await using site = await openAdvertiserSite();
  const browser = await ada(site);
  const changes = { do: "preview", headline: "<b>Bread</b> & more" };
  const page = await textOf(
    await browser.post("/creatives/new", fields(changes)),
  );
  assertStringIncludes(page, "&lt;b&gt;Bread&lt;/b&gt; &amp; more</h3>");
  assertStringIncludes(page, 'value="&lt;b&gt;Bread&lt;/b&gt; &amp; more"');
  assertStringIncludes(
    page,
    'Visit <bdi data-preview="host">bakery.example</bdi>',
  );
  assertStringIncludes(page, "<bdi>ada GmbH</bdi>");
  const all = await site.services.store.listCreatives("acc_ada", { limit: 9 });
  assertEquals(all, []);
});

Deno.test("the form comes back with what was typed and what is wrong with it", async () => {
  await using site = await openAdvertiserSite();
  const browser = await ada(site);
  const typed = {
    headline: "Hi",
    description: "Two\nlines of </textarea><script>alert(1)</script>",
    target_url: "http://bakery.example/",
  };
  for (const [how, status] of [["save", 400], ["preview", 200]] as const) {
    const answer = await browser.post(
      "/creatives/new",
      fields({ ...typed, do: how }),
    );
    const page = await textOf(answer, status);
    assertStringIncludes(page, 'value="Hi"');
    assertStringIncludes(page, "Write at least 4 characters.");
    assertStringIncludes(page, "without line breaks.");
    assertStringIncludes(page, "&lt;/textarea&gt;&lt;script&gt;");
    assertStringIncludes(page, "begins with https://.");
    assert(!page.includes("<script>alert"));
    // Who only looks at it is not told off.
    if (how === "save") {
      assertFaults(page, ["headline", "description", "target_url"]);
    } else assert(!page.includes('role="alert"'));
  }
  const policy = (await browser.get("/creatives/new")).headers
    .get("content-security-policy") ?? "";
  assertStringIncludes(policy, "default-src 'none'");
  assertStringIncludes(policy, "script-src 'self'");
});

Deno.test("an address without its scheme gets the one it has to have, and no other is put right", async () => {
  await using site = await openAdvertiserSite();
  const browser = await ada(site);
  const adId = await write(browser, {
    target_url: " Bakery.example/bread?a=b ",
  });
  const kept = await site.services.store.creatives.find("acc_ada", adId);
  assertEquals(kept?.targetUrl, "https://bakery.example/bread?a=b");
  for (
    const target_url of [
      "//bakery.example/",
      "ftp://bakery.example/",
      "javascript:alert(1.5)",
      "ada:secret@bakery.example/",
      "bakery.example:8443/",
      "bakery",
    ]
  ) {
    const answer = await browser.post("/creatives/new", fields({ target_url }));
    assertStringIncludes(await textOf(answer, 400), "begins with https://.");
  }
});

Deno.test("a draft is edited in place, an approved one as a new version", async () => {
  await using site = await openAdvertiserSite();
  const browser = await ada(site);
  const adId = await write(browser);
  const edit = `/creatives/${adId}/edit`;
  assertStringIncludes(await textOf(await browser.get(edit)), COPY.description);
  const changed = await browser.post(edit, fields({ headline: "Rolls" }));
  assertEquals(
    ledTo(changed),
    `/creatives/${adId}?done=saved`,
  );
  await browser.post(`/creatives/${adId}/submit`, "");
  const locked = await textOf(await browser.get(edit), 409);
  assertStringIncludes(locked, "it is under review");
  await approveCreative(site.services, { adId, by: DESK });
  const made = await browser.post(edit, fields({ headline: "Better rolls" }));
  const location = ledTo(made) ?? "";
  assert(/^\/creatives\/ad_[a-z0-9]+\?done=version$/.test(location), location);
  assert(!location.includes(adId));
  const { store } = site.services;
  assertEquals(
    (await store.creatives.find("acc_ada", adId))?.headline,
    "Rolls",
  );
  assertStringIncludes(await textOf(await browser.get(location)), adId);
});

Deno.test("the page of a rejected advertisement says policy, message and remedy", async () => {
  await using site = await openAdvertiserSite();
  const browser = await ada(site);
  const adId = await write(browser);
  await browser.post(`/creatives/${adId}/submit`, "");
  const typed = {
    policyId: "deceptive",
    message: "The loaves are <cold>.",
    remedy: "Warm them.",
  };
  await rejectCreative(site.services, { adId, by: DESK, typed });
  const page = await textOf(await browser.get(`/creatives/${adId}`));
  for (
    const text of [
      "Not approved.",
      "Deceptive copy.",
      "The loaves are &lt;cold&gt;.",
      "Warm them.",
      "Make a new version",
    ]
  ) assertStringIncludes(page, text);
  const list = await textOf(await browser.get("/creatives"));
  assertStringIncludes(list, "The loaves are &lt;cold&gt;.");
});

Deno.test("what is in the way is said on the page, with the way out of it", async () => {
  await using site = await openAdvertiserSite();
  const agent = await site.world.agent("ada");
  const browser = await site.browser("ada");
  await placeBid(site.services, bidBy(agent));
  const kept = await textOf(
    await browser.post(`/creatives/${agent.adId}/archive`, ""),
    409,
  );
  assertStringIncludes(kept, "your bid for 2026-11-20 stands on it");

  const bob = await site.browser("bob");
  const adId = await write(bob);
  const early = await textOf(
    await bob.post(`/creatives/${adId}/submit`, ""),
    409,
  );
  assertStringIncludes(early, 'href="/onboarding"');
});

Deno.test("the form comes back where an account has as many as can be kept", async () => {
  await using site = await openAdvertiserSite();
  const browser = await ada(site);
  await site.services.store.transact((tx) => {
    for (let at = 0; at < CREATIVES_KEPT_MAX; at++) {
      tx.creatives.save({ ...approvedCreative("ada"), adId: `ad_${at}` });
    }
  });
  const page = await textOf(
    await browser.post("/creatives/new", fields()),
    409,
  );
  assertStringIncludes(page, "as many as can be kept");
  assertStringIncludes(page, COPY.description);
});

Deno.test("another's advertisement is 404 on every page and form", async () => {
  await using site = await openAdvertiserSite();
  const adId = await write(await ada(site));
  const bob = await site.browser("bob", readyAccount("bob"));
  const own = `/creatives/${adId}`;
  const answers = [
    await bob.get(own),
    await bob.get(`${own}/edit`),
    await bob.post(`${own}/edit`, fields()),
    await bob.post(`${own}/submit`, ""),
    await bob.post(`${own}/archive`, ""),
    await bob.get("/creatives/%00"),
  ];
  for (const answer of answers) {
    assertStringIncludes(await textOf(answer, 404), "no such advertisement");
  }
});

Deno.test("an advertisement is handed in from its form, where the desk would look at it", async () => {
  await using site = await openAdvertiserSite();
  const browser = await ada(site);
  const handIn = fields({ do: "submit" });
  const way = ">Submit for review</button>";
  assertStringIncludes(await textOf(await browser.get("/creatives/new")), way);
  const wrong = fields({ do: "submit", headline: "" });
  await textOf(await browser.post("/creatives/new", wrong), 400);
  const answer = await browser.post("/creatives/new", handIn);
  const { pathname, search } = new URL(
    ledTo(answer) ?? "",
    "http://x",
  );
  assertEquals(search, "?done=submitted");
  const { store } = site.services;
  const [, , adId = ""] = pathname.split("/");
  assertEquals(
    (await store.creatives.find("acc_ada", adId))?.state,
    "submitted",
  );
  // Whose identity nobody knows has a draft, and is told why by its page.
  const bob = await site.browser("bob");
  const form = await textOf(await bob.get("/creatives/new"));
  assert(!form.includes(way));
  const kept = await bob.post("/creatives/new", handIn);
  assertMatch(ledTo(kept) ?? "", /\?done=saved$/);
});

Deno.test("a form that is sent twice makes one advertisement, and another once something else is typed", async () => {
  await using site = await openAdvertiserSite();
  const browser = await ada(site);
  const form = await textOf(await browser.get("/creatives/new"));
  const [, token = ""] = /name="token" value="([\w-]{43})"/.exec(form) ?? [];
  const sent = (changes: Record<string, string> = {}) =>
    browser.post("/creatives/new", fields({ token, ...changes }));
  const places = (await Promise.all([sent(), sent(), sent({ do: "submit" })]))
    .map((answer) => answer.headers.get("location")?.split("?")[0]);
  assertEquals(new Set(places).size, 1);
  const { store } = site.services;
  const count = async () =>
    (await store.listNewestCreatives("acc_ada", { limit: 9, before: null }))
      .length;
  assertEquals(await count(), 1);
  await sent({ headline: "Another one" });
  assertEquals(await count(), 2);
});

Deno.test("changes come from our own pages only", async () => {
  await using site = await openAdvertiserSite();
  const browser = await ada(site);
  const adId = await write(browser);
  for (const origin of [null, "null", "https://evil.example"]) {
    for (const verb of ["submit", "archive", "edit"]) {
      const path = `/creatives/${adId}/${verb}`;
      const answer = await browser.post(path, fields(), { origin });
      assertEquals(answer.status, 403);
    }
  }
  const found = await site.services.store.creatives.find("acc_ada", adId);
  assertEquals(found?.state, "draft");
});

Deno.test("/creatives goes through many advertisements page after page", async () => {
  await using site = await openAdvertiserSite();
  const browser = await ada(site);
  await site.services.store.transact((tx) => {
    for (let at = 10; at < 33; at++) {
      const adId = `ad_${at}`;
      const headline = `Number ${at} of many`;
      const creative = { ...approvedCreative("ada"), adId, headline };
      tx.creatives.save({ ...creative, createdAtMs: at });
    }
  });
  const first = await textOf(await browser.get("/creatives"));
  assertStringIncludes(first, "Number 32 of many");
  assert(!first.includes("Number 12 of many"));
  const [, cursor] = /href="\/creatives\?cursor=([\w-]+)"/.exec(first) ?? [];
  const second = await textOf(await browser.get(`/creatives?cursor=${cursor}`));
  assertStringIncludes(second, "Number 12 of many");
  assertStringIncludes(second, "Newest advertisements");
  await textOf(await browser.get("/creatives?cursor=!"), 400);
});
