import { sha256Hex } from "../../../domain/sha256.ts";
import {
  assert,
  assertEquals,
  assertMatch,
  assertNotEquals,
} from "@std/assert";
import { StoreUnavailable } from "../../../domain/failure.ts";
import { Refused } from "../../../domain/refusal.ts";
import {
  FRESH_SIGN_IN_MS,
  SESSION_IDLE_MS,
  SESSION_MAX_MS,
} from "../../../domain/sessions/session.ts";
import { renderPublic } from "../../../routes/errors/public_surface.ts";
import {
  readVisitorGate,
  requireSessionFor,
} from "../../../routes/middleware/session.ts";
import {
  type Gate,
  type Method,
  route,
  routeTable,
} from "../../../routes/route_table.ts";
import { MemoryLog } from "../../support/captured_logs.ts";
import { signedInBrowser, signIn, TestBrowser } from "../../support/browser.ts";
import { testCookie } from "../../support/cookies.ts";
import { openSite, type SiteApp } from "../../support/site_app.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const SITE = "https://spotlight.example";

/** The id in a browser's session cookie. */
function idOf(browser: TestBrowser): string {
  const [id = ""] = (browser.cookies.get("svc_sess") ?? "").split(".");
  return id;
}

function sessionOf({ test }: SiteApp, browser: TestBrowser) {
  return test.store.sessions.find(sha256Hex(idOf(browser)));
}

async function statusOf(browser: TestBrowser): Promise<number> {
  return (await browser.get("/account")).status;
}

Deno.test("S1 every sign-in has a new session id, and ends the one before", async () => {
  await using site = await openSite();
  const browser = await signedInBrowser(site);
  const before = await sessionOf(site, browser);
  const old = new TestBrowser(site);
  old.cookies.set("svc_sess", browser.cookies.get("svc_sess") ?? "");
  await signIn(site, browser);
  const after = await sessionOf(site, browser);
  assertNotEquals(before?.hash, after?.hash);
  assertEquals(before?.bindingId, after?.bindingId);
  assertEquals(await statusOf(old), 303);
  assertEquals(await statusOf(browser), 200);
});

Deno.test("S1 a planted session cookie is not the one after sign-in", async () => {
  await using site = await openSite();
  const browser = new TestBrowser(site);
  const planted = testCookie("svc_sess").set("A".repeat(43));
  const value = /=([^;]*)/.exec(planted)?.[1] ?? "";
  browser.cookies.set("svc_sess", value);
  assertEquals(await statusOf(browser), 303);
  await signIn(site, browser);
  assertNotEquals(idOf(browser), "A".repeat(43));
});

Deno.test("S1 another person's sign-in begins a stay of its own", async () => {
  await using site = await openSite();
  const browser = await signedInBrowser(site);
  const before = await sessionOf(site, browser);
  await signIn(site, browser, "bob@example.com");
  const after = await sessionOf(site, browser);
  assertNotEquals(before?.bindingId, after?.bindingId);
  assertNotEquals(before?.accountId, after?.accountId);
});

Deno.test("S2 two svc_sess cookies are refused", async () => {
  await using site = await openSite();
  const browser = await signedInBrowser(site);
  const headers = { cookie: `${browser.cookie}; svc_sess=tossed` };
  for (const path of ["/account", "/sign-in"]) {
    const answer = await browser.get(path, { headers });
    assertEquals(answer.status, 400, path);
    assertMatch(await answer.text(), /Your browser sent two sign-ins/);
  }
  const change = await browser.post("/settings/sign-out", {}, { headers });
  assertEquals(change.status, 400);
  assertEquals(await statusOf(browser), 200);
});

Deno.test("S2 public pages show nobody's state to two cookies", async () => {
  await using site = await openSite();
  const browser = await signedInBrowser(site);
  const signedIn = await (await browser.get("/")).text();
  assertMatch(signedIn, /href="\/account"/);
  const headers = { cookie: `${browser.cookie}; svc_sess=tossed` };
  const answer = await browser.get("/", { headers });
  assertEquals(answer.status, 200);
  const signedOut = await (await new TestBrowser(site).get("/")).text();
  assertMatch(signedOut, /href="\/sign-in"/);
});

Deno.test("S3 preview's cookie opens nothing in production", async () => {
  await using site = await openSite();
  const browser = await signedInBrowser(site);
  const preview = testCookie("svc_sess", "preview").set(idOf(browser));
  const cookie = preview.split("; ")[0] ?? "";
  const answer = await browser.get("/account", { headers: { cookie } });
  assertEquals(answer.status, 303);
});

Deno.test("a session ends after 7 days without use", async () => {
  await using site = await openSite();
  const browser = await signedInBrowser(site);
  site.test.clock.advance(SESSION_IDLE_MS - 1);
  assertEquals(await statusOf(browser), 200);
  site.test.clock.advance(SESSION_IDLE_MS);
  assertEquals(await statusOf(browser), 303);
});

Deno.test("a session ends 30 days after sign-in, however much it is used", async () => {
  await using site = await openSite();
  const browser = await signedInBrowser(site);
  for (let days = 0; days < SESSION_MAX_MS / DAY_MS; days += 5) {
    assertEquals(await statusOf(browser), 200, `day ${days}`);
    site.test.clock.advance(5 * DAY_MS);
  }
  assertEquals(await statusOf(browser), 303);
});

Deno.test("a use is written down at most once a minute", async () => {
  await using site = await openSite();
  const browser = await signedInBrowser(site);
  const begun = await sessionOf(site, browser);
  site.test.clock.advance(MINUTE_MS - 1);
  await statusOf(browser);
  assertEquals(await sessionOf(site, browser), begun);
  site.test.clock.advance(1);
  await Promise.all([1, 2, 3].map(() => statusOf(browser)));
  const used = await sessionOf(site, browser);
  assertEquals(used?.lastUsedAtMs, site.test.clock.now());
  assertEquals(used?.expiresAtMs, site.test.clock.now() + SESSION_IDLE_MS);
});

Deno.test("requireSessionFor() leads to sign-in and back with path and query", async () => {
  await using site = await openSite();
  const browser = new TestBrowser(site);
  const answer = await browser.get("/settings?done=passkey-added&x=%2F");
  assertEquals(answer.status, 303);
  assertEquals(answer.headers.get("cache-control"), "no-store");
  assertEquals(
    answer.headers.get("location"),
    "/sign-in?next=%2Fsettings%3Fdone%3Dpasskey-added%26x%3D%252F",
  );
  const change = await browser.post("/settings/passkeys/rename");
  assertEquals(change.headers.get("location"), "/sign-in?next=%2Fsettings");
});

Deno.test("requireFresh() asks to sign in again after 10 minutes", async () => {
  await using site = await openSite();
  const browser = await signedInBrowser(site);
  site.test.clock.advance(FRESH_SIGN_IN_MS);
  const form = { passkey: "pk_unknown" };
  const path = "/settings/passkeys/remove";
  assertEquals((await browser.post(path, form)).status, 404);
  site.test.clock.advance(1);
  const stale = await browser.post(path, form);
  assertEquals(stale.status, 303);
  assertEquals(stale.headers.get("location"), "/sign-in?next=%2Fsettings");
  const page = await (await browser.get("/sign-in")).text();
  assertMatch(page, /<h1>Confirm it is you<\/h1>/);
  assertMatch(page, /value="ada@example\.com"/);
  await signIn(site, browser);
  assertEquals((await browser.post(path, form)).status, 404);
});

Deno.test("who is freshly signed in is not asked again", async () => {
  await using site = await openSite();
  const browser = await signedInBrowser(site);
  const answer = await browser.get("/sign-in?next=/connect/areq_1");
  assertEquals(answer.status, 303);
  assertEquals(answer.headers.get("location"), "/connect/areq_1");
});

Deno.test("an agent's token is no session, and a session no token", async () => {
  await using site = await openSite();
  const browser = new TestBrowser(site);
  const headers = { authorization: "Bearer svc_at_grant_1" };
  const answer = await browser.get("/account", { headers });
  assertEquals(answer.status, 303);
  assert(answer.headers.get("location")?.startsWith("/sign-in"));
});

/** Asks for a page behind a gate; the session was read as `signedIn`. */
async function behind(
  gate: Gate,
  { signedIn, method = "GET", accept }: {
    signedIn: unknown;
    method?: Method;
    accept?: string;
  },
): Promise<{ status: number; location: string | null }> {
  const settings = { baseUrl: SITE, authUrl: SITE };
  const read: Gate = (context) => {
    context.set("signedIn", signedIn as never);
    return null;
  };
  const answers = { refused: renderPublic };
  const host = routeTable({ settings, log: new MemoryLog() }, [{
    prefix: "",
    enter: [read, gate],
    routes: (["GET", "POST"] as const).map((each) =>
      route(each, "/billing/set-up", () => new Response("here"))
    ),
    answers,
  }]);
  const headers = accept === undefined ? {} : { accept };
  const request = new Request(`${SITE}/billing/set-up?a=b`, {
    method,
    headers,
  });
  const trace = { requestId: "1", route: "", grantId: null };
  const answer = await host.fetch(request, { trace } as never);
  await answer.body?.cancel();
  const { status } = answer;
  return { status, location: answer.headers.get("location") };
}

Deno.test("requireSessionFor() leads back to the address after a read, and to the page after a change", async () => {
  const gate = requireSessionFor("/billing");
  assertEquals(await behind(gate, { signedIn: null }), {
    status: 303,
    location: "/sign-in?next=%2Fbilling%2Fset-up%3Fa%3Db",
  });
  assertEquals(await behind(gate, { signedIn: null, method: "POST" }), {
    status: 303,
    location: "/sign-in?next=%2Fbilling",
  });
  for (const method of ["GET", "POST"] as const) {
    const passed = await behind(gate, { signedIn: {}, method });
    assertEquals(passed, { status: 200, location: null });
  }
});

/** The visitor's gate over a session that can't be read for this reason. */
function visitorGate(why: Error): { gate: Gate; reads: () => number } {
  let reads = 0;
  const gate = readVisitorGate({
    services: {} as never,
    limiter: {} as never,
    sessionCookie: {
      read() {
        reads++;
        throw why;
      },
      set: () => "",
      clear: () => "",
    },
  });
  return { gate, reads: () => reads };
}

Deno.test("readVisitorGate() takes a session that can't be told for none, and hides no fault", async () => {
  const asked = { signedIn: null, accept: "text/html,*/*" };
  const told = [
    new Refused({ code: "cookie_repeated" }),
    new StoreUnavailable(),
  ];
  for (const why of told) {
    const { gate } = visitorGate(why);
    assertEquals((await behind(gate, asked)).status, 200, why.name);
  }
  const { gate } = visitorGate(new TypeError("a fault"));
  assertEquals((await behind(gate, asked)).status, 500);
});

Deno.test("readVisitorGate() reads no session for what is not a page", async () => {
  const { gate, reads } = visitorGate(new StoreUnavailable());
  for (const accept of [undefined, "image/svg+xml", "application/json"]) {
    const asked = { signedIn: null, ...accept !== undefined && { accept } };
    assertEquals((await behind(gate, asked)).status, 200);
  }
  assertEquals(reads(), 0);
  await behind(gate, { signedIn: null, accept: "text/html" });
  assertEquals(reads(), 1);
});
