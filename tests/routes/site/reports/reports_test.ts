import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import {
  type AdvertiserSite,
  openAdvertiserSite,
  type SignedInBrowser,
} from "../../../support/advertiser_site.ts";
import type { Agent } from "../../../support/bidding_world.ts";
import {
  removed,
  settle,
  spotlight,
} from "../../../support/public_spotlights.ts";
import {
  CLICKS,
  count,
  DAY,
  pay,
  wonBy,
} from "../../auth/agent/report_world.ts";

/** Days that end with one that is final, won by Ada, and one of a house ad. */
const HOUSE = {
  contentType: "house_advertisement",
  accountId: null,
  adId: null,
} as const;

/** Ada, who may bid, and her browser. */
async function openAda(
  site: AdvertiserSite,
): Promise<{ ada: Agent; browser: SignedInBrowser }> {
  const ada = await site.world.agent("ada");
  return { ada, browser: await site.browser("ada") };
}

/** A page as people read it, and as it is written. */
async function read(browser: SignedInBrowser, path: string) {
  const answer = await browser.get(path);
  const html = await answer.text();
  const text = html.replace(/<[^>]+>/g, " ").replace(/\s+/g, " ");
  return { status: answer.status, headers: answer.headers, html, text };
}

Deno.test("/reports says what is there once a day was won, where none was", async () => {
  await using site = await openAdvertiserSite();
  const { browser } = await openAda(site);
  const page = await read(browser, "/reports");
  assertEquals(page.status, 200);
  assertEquals(page.headers.get("cache-control"), "no-store");
  assertStringIncludes(page.text, "You have not won a day yet");
  assertStringIncludes(page.html, 'href="/bids"');
  assertEquals(page.html.includes('<svg viewBox="0 0 300'), false);
});

Deno.test("/reports sums up thirty days, draws them and lists each", async () => {
  await using site = await openAdvertiserSite();
  const { store } = site.services;
  const { ada, browser } = await openAda(site);
  await settle(
    store,
    wonBy(ada, "2026-11-15"),
    wonBy(ada, DAY),
    spotlight("2026-11-17", HOUSE),
    spotlight("2026-11-18"),
    wonBy(ada, "2026-11-19", { headline: `<i>&"${"x".repeat(55)}` }),
  );
  await count(store, DAY, CLICKS);
  await pay(site, ada, DAY);
  await pay(site, ada, "2026-11-15" as never, { totalCents: 900 });
  const { html, text } = await read(browser, "/reports");
  // EUR 130.00 for 100 human clicks.
  for (
    const said of [
      "22 October 2026 to 20 November 2026",
      "Human clicks 100",
      "Cost of a human click EUR 1.30",
      "Spent EUR 130.00",
      "Days won 3",
      "16 November 2026 Headline of 2026-11-16 100 EUR 1.21 121.00",
      "15 November 2026 Headline of 2026-11-15 0 – 9.00",
      "3 of 30 days were won. Most clicks: 100 on 16 November 2026",
      "still counting",
    ]
  ) assertStringIncludes(text, said);
  assertStringIncludes(html, 'role="img" aria-labelledby="days-plot-title');
  assertStringIncludes(html, "<title>16 November 2026: 100</title>");
  assertEquals(html.includes("<i>"), false);
  const days = [...html.matchAll(/href="\/reports\/(\d[\d-]+)"/g)];
  assertEquals(days.map(([, day]) => day), [
    "2026-11-19",
    "2026-11-16",
    "2026-11-15",
  ]);
});

Deno.test("/reports leads to the 30 days before and back, as far as there are days", async () => {
  await using site = await openAdvertiserSite();
  const { store } = site.services;
  const { ada } = await openAda(site);
  const browser = await site.browser("ada", { paidWins: 1 });
  await store.transact((tx) =>
    tx.calendar.save({
      launchDay: "2026-09-10" as never,
      settledThroughDay: null,
    })
  );
  await settle(store, wonBy(ada, "2026-10-01"));
  const newest = await read(browser, "/reports");
  assertStringIncludes(newest.html, 'href="/reports?to=2026-10-21"');
  const before = await read(browser, "/reports?to=2026-10-21");
  assertStringIncludes(before.text, "1 October 2026 Headline of 2026-10-01");
  assertEquals(/rel="next"/.test(before.html), true);
  assertStringIncludes(before.html, 'href="/reports?to=2026-11-20" rel="prev"');
  const first = await read(browser, "/reports?to=2026-09-21");
  assertStringIncludes(first.html, 'href="/reports?to=2026-10-21" rel="prev"');
  assertEquals(/rel="next"/.test(first.html), false);
  for (const to of ["2030-01-01", "x", "2026-02-30", ""]) {
    const { text } = await read(browser, `/reports?to=${to}`);
    assertStringIncludes(text, "22 October 2026 to 20 November 2026");
  }
});

Deno.test("/reports/{day} tells clicks by hour and country, what was not counted, and the cost", async () => {
  await using site = await openAdvertiserSite();
  const { store } = site.services;
  const { ada, browser } = await openAda(site);
  await settle(store, wonBy(ada, DAY), spotlight("2026-11-17"));
  await count(store, DAY, CLICKS);
  await pay(site, ada, DAY);
  const { status, html, text } = await read(browser, `/reports/${DAY}`);
  assertEquals(status, 200);
  for (
    const said of [
      "Report of 16 November 2026",
      "Shown 16 Nov 23:55 – 17 Nov 23:55 UTC",
      "Human clicks 100 of 130 in all",
      "Cost of a human click EUR 1.21",
      "16 Nov 23:00 90",
      "All others 10",
      "Germany 60",
      "Latvia 20",
      "All others 20",
      "Programs that call themselves robots 30",
      "Loaded by a browser ahead of any click 7",
      "SPOT-2026-11-16",
      "EUR 121.00",
    ]
  ) assertStringIncludes(text, said);
  // Estonia's 9 go with the few, and the hour of 7 with that of 3.
  assertEquals(/Estonia|France|17 Nov 00:00 \d/.test(text), false);
  assertEquals(text.includes("Still counting"), false);
  for (const path of [`/bids?through=${DAY}`, `/spotlights/${DAY}`]) {
    assertStringIncludes(html, `href="${path}"`);
  }
});

Deno.test("/reports/{day} of a day that is still counted says so, and no countries", async () => {
  await using site = await openAdvertiserSite();
  const { ada, browser } = await openAda(site);
  await settle(site.services.store, wonBy(ada, "2026-11-19"));
  const { text } = await read(browser, "/reports/2026-11-19");
  assertStringIncludes(text, "Still counting");
  assertStringIncludes(text, "Nobody has clicked");
  assertStringIncludes(text, "Countries are shown once the figures are final");
  assertStringIncludes(text, "Cost of a human click –");
});

Deno.test("/reports/{day} of a removed day that was refunded says both", async () => {
  await using site = await openAdvertiserSite();
  const { store } = site.services;
  const { ada, browser } = await openAda(site);
  await settle(
    store,
    {
      ...removed(wonBy(ada, DAY)),
      removedAtMs: Date.parse("2026-11-17T08:30Z"),
      removalReason: "A court has forbidden <it>",
    },
    spotlight("2026-11-17"),
  );
  await count(store, DAY, CLICKS);
  await pay(site, ada, DAY, {
    money: "refunded",
    refunds: [{ id: "re_1", amountCents: 12_100 }],
  });
  const { html, text } = await read(browser, `/reports/${DAY}`);
  assertStringIncludes(text, "We removed this Spotlight on 17 November 2026");
  const { email } = site.services.settings.seller;
  assertStringIncludes(
    text,
    "Why: A court has forbidden &lt;it&gt; If you think this is a mistake, " +
      `write to ${email} .`,
  );
  assertStringIncludes(text, "Spent EUR 0.00 EUR 121.00 given back");
  assertStringIncludes(text, "Cost of a human click –");
  assertEquals(html.includes(`href="/spotlights/${DAY}"`), false);
  const list = await read(browser, "/reports");
  assertStringIncludes(list.text, "removed, EUR 121.00 given back");
});

Deno.test("/reports/{day} is no page for another's day, a house day and what is no day", async () => {
  await using site = await openAdvertiserSite();
  const { browser } = await openAda(site);
  const { store } = site.services;
  await settle(store, spotlight(DAY), spotlight("2026-11-17", HOUSE));
  const answers = new Set<string>();
  for (
    const name of [DAY, "2026-11-17", "2026-11-18", "2026-02-30", "csv2", "%00"]
  ) {
    for (const path of [`/reports/${name}`, `/reports/${name}/csv`]) {
      const { status, text } = await read(browser, path);
      answers.add(`${status} ${text}`);
    }
  }
  assertEquals(answers.size, 1);
  assertStringIncludes([...answers].join(), "404");
});

Deno.test("reports are downloaded as the tables that agents get", async () => {
  await using site = await openAdvertiserSite();
  const { store } = site.services;
  const { browser } = await openAda(site);
  const ada = await site.world.agent("ada", { scopes: ["reports:read"] });
  await settle(store, wonBy(ada, "2026-11-15"), wonBy(ada, DAY));
  await settle(store, spotlight("2026-11-17"));
  await count(store, DAY, CLICKS);
  await pay(site, ada, DAY);
  const ofAgent = async (path: string) => {
    const headers = { accept: "text/csv" };
    const answer = await site.api(
      `/v1/agent/reports${path}`,
      ada.accessToken,
      headers,
    );
    assertEquals(answer.status, 200);
    return await answer.text();
  };
  const list = await browser.get("/reports/csv?to=2026-11-18");
  assertEquals(
    list.headers.get("content-disposition"),
    'attachment; filename="reports-2026-10-20-2026-11-18.csv"',
  );
  assertEquals(
    list.headers.get("content-type"),
    "text/csv; charset=utf-8; header=present",
  );
  assertEquals(
    await list.text(),
    await ofAgent("?from=2026-10-20&to=2026-11-18"),
  );
  const day = await browser.get(`/reports/${DAY}/csv`);
  assertEquals(
    day.headers.get("content-disposition"),
    `attachment; filename="report-${DAY}.csv"`,
  );
  assertEquals(await day.text(), await ofAgent(`/${DAY}`));
});

Deno.test("/reports ask who is not signed in to sign in, and are read by HEAD too", async () => {
  await using site = await openAdvertiserSite();
  const { ada, browser } = await openAda(site);
  await settle(site.services.store, wonBy(ada, DAY));
  for (const path of ["/reports", `/reports/${DAY}`, `/reports/${DAY}/csv`]) {
    const refused = await site.visitor(path);
    assertEquals(refused.status, 303);
    const location = decodeURIComponent(refused.headers.get("location") ?? "");
    assert(location.endsWith(`/sign-in?next=${path}`), location);
    const whole = await browser.get(path);
    const head = await browser.get(path, { method: "HEAD" });
    assertEquals(head.status, 200);
    assertEquals(await head.text(), "");
    assertEquals(
      head.headers.get("content-length"),
      String((await whole.bytes()).byteLength),
    );
  }
});
