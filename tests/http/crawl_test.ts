/**
 * Every page is reached by links, and no link leads nowhere: for who is signed
 * out, for an advertiser who has some of everything, and for an operator.
 *
 * @module
 */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { openAuction } from "../../domain/auction/open_auction.ts";
import { dayOf } from "../../domain/day.ts";
import { bookEntry } from "../../domain/ledger/book_entry.ts";
import { createGrant } from "../../tools/demo/create_grant.ts";
import { approvedCreative, readyAccount } from "../support/bidding_world.ts";
import { ManualClock, TEST_START_MS } from "../support/clock.ts";
import { crawl, linksOf, type Visits } from "../support/crawl.ts";
import { askFromAnywhere, signInAt } from "../support/every_route.ts";
import { invoiceOf, saveInvoice } from "../support/invoices.ts";
import { dayText, settle, spotlight } from "../support/public_spotlights.ts";
import { type RunningService, runService } from "../support/running_service.ts";
import { htmlFaultsOf } from "../support/valid_html.ts";

const OPERATOR = "operator@example.com";
const ADA = "ada@example.com";
const WON = dayText("2026-11-19");

/** Pages that are led to by a form, a mail or another site's request. */
const BY_OTHER_MEANS: ReadonlySet<string> = new Set([
  "/sign-in/verify",
  "/identity/return",
  "/billing/return",
  "/billing/portal/return",
  "/partner/set-up/return",
  "/partner/set-up/again",
  "/connect/:request",
  "/report/thanks",
  "/r/:code",
  "/problems/:slug",
  "/dev/mails",
  "/dev/outbox",
  "/unsubscribe/:token",
  // Named once a copy was asked for.
  "/settings/privacy/exports/:id",
  "/settings/privacy/exports/:id/document",
  // Named by what the sandbox answers.
  "/spotlights/sandbox",
]);

/** Documents that pages show as pages, and files. */
const NO_PAGES = /\.md$|\/pdf$/;

interface World extends AsyncDisposable {
  running: RunningService;
  clock: ManualClock;
  walk(email: string | null, ...starts: string[]): Promise<Visits>;
  /** Whether an address that forms are sent to leads an operator to its page. */
  leadsBack(path: string): Promise<boolean>;
}

/** A service with something of everything that pages are about. */
async function openWorld(): Promise<World> {
  const clock = new ManualClock(TEST_START_MS);
  const running = await runService({
    clock,
    env: { TRUSTED_PROXY_HOPS: "1", OPERATOR_EMAILS: OPERATOR },
  });
  const ask = askFromAnywhere();
  const cookies = new Map<string, string>();
  for (const email of [ADA, OPERATOR]) {
    cookies.set(email, await signInAt(running, ask, email));
  }
  await fill(running);
  const { baseUrl } = running.config.settings;
  return {
    running,
    clock,
    walk: (email, ...starts) => {
      const cookie = email === null ? "" : cookies.get(email) ?? "";
      return crawl({ baseUrl, clock, cookie, starts });
    },
    async leadsBack(path) {
      const cookie = cookies.get(OPERATOR) ?? "";
      const answer = await ask(baseUrl + path, { headers: { cookie } });
      await answer.body?.cancel();
      return answer.status === 303 &&
        path.startsWith(`${answer.headers.get("location")}/`);
    },
    [Symbol.asyncDispose]: () => running[Symbol.asyncDispose](),
  };
}

async function fill({ service }: RunningService): Promise<void> {
  const { services, records } = service.core;
  const { store, clock } = services;
  const accountId = (await store.accountEmails.find(ADA))?.accountId ?? "";
  await openAuction(services, { day: dayOf(clock.now()) });
  const nowMs = clock.now();
  await store.transact(async (tx) => {
    const account = await tx.accounts.find(accountId);
    assert(account !== null);
    const { id: _, email: __, ...ready } = readyAccount("ada");
    tx.accounts.save({ ...account, ...ready });
    const approved = {
      ...approvedCreative("ada"),
      accountId,
      adId: spotlight(WON).adId ?? "",
    };
    tx.creatives.save(approved);
    tx.creatives.save({
      ...approved,
      adId: "ad_00000000000000000099",
      state: "submitted",
      submittedAtMs: nowMs,
    });
    tx.adReports.save({
      id: "rep_1",
      day: WON,
      policyId: null,
      text: "It is not true.",
      reportedAtMs: nowMs,
      closedAtMs: null,
      expiresAtMs: nowMs + 86_400_000,
    });
    bookEntry(tx, {
      id: "sale_1",
      atMs: nowMs,
      kind: "sale",
      paymentId: "pi_1",
      movement: { processor_clearing: 100, spotlight_revenue: -100 },
    });
  });
  await saveInvoice(services, invoiceOf(accountId, "SPOT-1", { day: WON }));
  await createGrant(services, {
    accountId,
    clientId: "client_1",
    scopes: ["account:read"],
    mandate: null,
  });
  await settle(
    store,
    spotlight("2026-11-18", { accountId }),
    spotlight(WON, { accountId }),
  );
  await records.refresh();
}

/** Whether a route's pattern is that of a path. */
function isOf(pattern: string, path: string): boolean {
  const shape = pattern.replace(/:\w+/g, "[^/]+").replace("*", ".*");
  return new RegExp(`^${shape}$`).test(path.split("?")[0] ?? "");
}

/** Asserts that nothing that was visited is missing, and no part of a page. */
function assertAlive(visits: Visits, baseUrl: string): void {
  const dead: string[] = [];
  for (const [path, { status, from, html }] of visits) {
    // What takes a sign-in says so by leading there.
    if (status !== 200 && status !== 303) {
      dead.push(`${from} -> ${path}: ${status}`);
    }
    for (const link of linksOf(html, baseUrl, path)) {
      const target = visits.get(link.path);
      const isThere = link.fragment === "" || !target?.isPage ||
        target.html.includes(`id="${link.fragment}"`);
      if (!isThere) dead.push(`${path} -> ${link.path}#${link.fragment}`);
    }
  }
  assertEquals(dead, []);
}

Deno.test("every page is reached by links from /, /account or /operator, and no link is dead", async () => {
  await using world = await openWorld();
  const { baseUrl } = world.running.config.settings;
  const walks = [
    await world.walk(null, "/"),
    await world.walk(ADA, "/", "/account"),
    await world.walk(OPERATOR, "/", "/operator"),
  ];
  for (const visits of walks) assertAlive(visits, baseUrl);
  const reached = walks.flatMap((visits) =>
    [...visits].filter(([, { status }]) => status === 200)
      .map(([path]) => path)
  );
  assert(reached.length > 40, `only ${reached.length} places`);
  const ask = askFromAnywhere();
  const missing: string[] = [];
  for (const { method, path } of world.running.service.routes.site) {
    if (method !== "GET" || BY_OTHER_MEANS.has(path)) continue;
    if (NO_PAGES.test(path)) continue;
    if (reached.some((each) => isOf(path, each))) continue;
    const asked = path.replaceAll(/:\w+/g, "x_1");
    if (await world.leadsBack(asked)) continue;
    const answer = await ask(baseUrl + asked, {
      headers: { accept: "text/html" },
    });
    await answer.body?.cancel();
    const type = answer.headers.get("content-type") ?? "";
    const isPage = type.startsWith("text/html") && answer.status === 200;
    const isBehindSignIn = answer.status === 303 &&
      answer.headers.get("location")?.startsWith("/sign-in");
    if (isPage || isBehindSignIn) missing.push(path);
  }
  assertEquals(missing, []);
});

Deno.test("each role has one navigation, which says where one is", async () => {
  await using world = await openWorld();
  const roles: [string | null, string, string[]][] = [
    [null, "/", [
      "Today",
      "Archive",
      "How the auction works",
      "Advertise",
      "Sign in",
    ]],
    [ADA, "/account", [
      "Dashboard",
      "Bids",
      "Ads",
      "Reports",
      "Cards",
      "Invoices",
      "Agents",
      "Settings",
    ]],
    [OPERATOR, "/operator", [
      "Desk",
      "Days",
      "Review",
      "Reports",
      "Accounts",
      "Partners",
      "House ads",
      "Money",
      "Jobs",
      "Audit",
      "Hold",
      "Settings",
    ]],
  ];
  for (const [email, start, names] of roles) {
    const visits = await world.walk(email, start);
    const pages = [...visits].filter(([, { isPage }]) => isPage);
    for (const [path, { html }] of pages) {
      const [, inside = ""] =
        /<nav aria-label="Site">(.*?)<\/nav>/s.exec(html) ?? [];
      const links = [...inside.matchAll(/<a ([^>]*)>([^<]*)<\/a>/g)];
      assertEquals(links.map(([, , name]) => name), names, path);
      const current = links.filter(([, rest = ""]) =>
        /aria-current/.test(rest)
      );
      assert(current.length <= 1, path);
      const own = links.find(([, rest = ""]) =>
        rest.includes(`href="${path}"`)
      );
      if (own !== undefined) {
        assert(own[1]?.includes('aria-current="page"'), path);
      }
    }
  }
});

Deno.test("nobody who is signed out reads of an account in the navigation", async () => {
  await using world = await openWorld();
  const { baseUrl } = world.running.config.settings;
  const ask = askFromAnywhere();
  const paths = ["/", `/report/${WON}`, "/nowhere", "/report/x", "/sign-in"];
  for (const path of paths) {
    const answer = await ask(baseUrl + path, {
      headers: { accept: "text/html" },
    });
    const html = await answer.text();
    const [, inside = ""] = /<nav aria-label="Site">(.*?)<\/nav>/s
      .exec(html) ?? [];
    assert(inside.includes("Sign in"), path);
    assert(!/Account|Dashboard/.test(inside), path);
  }
});

Deno.test("the desk counts what waits, for operators alone", async () => {
  await using world = await openWorld();
  const desk = (await world.walk(OPERATOR, "/operator")).get("/operator");
  for (
    const text of [
      "<strong>1</strong> ad to review",
      "<strong>1</strong> report by a reader",
      "<strong>0</strong> accounts to decide about",
      "<strong>0</strong> days on which the books differ",
    ]
  ) assertStringIncludes(desk?.html ?? "", text);
  const other = (await world.walk(ADA, "/operator")).get("/operator");
  assertEquals(other?.status, 404);
  const nobody = (await world.walk(null, "/operator")).get("/operator");
  assertEquals(nobody?.status, 303);
});

Deno.test("every page that is reached is valid HTML", async () => {
  await using world = await openWorld();
  const walks = [
    await world.walk(null, "/", "/sign-in", "/nowhere"),
    await world.walk(ADA, "/account"),
    await world.walk(OPERATOR, "/operator"),
  ];
  const faults = new Map<string, string>();
  for (const [path, { html, isPage }] of walks.flatMap((walk) => [...walk])) {
    if (!isPage) continue;
    for (const fault of await htmlFaultsOf(html)) faults.set(fault, path);
  }
  assertEquals([...faults], []);
});
