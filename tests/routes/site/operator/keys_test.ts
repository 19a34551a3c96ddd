import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { DAY_MS } from "../../../../domain/day.ts";
import type { Services } from "../../../../domain/ports.ts";
import {
  type AdvertiserSite,
  openAdvertiserSite,
  type SignedInBrowser,
} from "../../../support/advertiser_site.ts";
import { ask, bindings } from "../../../support/bindings.ts";
import { actAtDesk, askedToken } from "../../../support/desk_acts.ts";
import { deskText } from "../../../support/desk_site.ts";
import { assertFaults } from "../../../support/form_faults.ts";
import { KEY, openHost, OTHER_KEY } from "./operator_site.ts";
import { ledTo } from "../../../support/led_to.ts";

const PATH = "/operator/keys";

/** A desk, and the operator API over the same store. */
async function openKeys() {
  const site = await openAdvertiserSite();
  const host = await openHost(site.services, site.world.testStore.realKv);
  const desk = await site.browser("operator");
  return {
    site,
    desk,
    operate: (method: string, path: string, key: string) =>
      ask(host.app, `/operator/v1/${path}`, {
        method,
        headers: { authorization: `Bearer ${key}` },
      }, bindings()),
    async [Symbol.asyncDispose]() {
      await host.close();
      await site[Symbol.asyncDispose]();
    },
  };
}

async function makeAt(
  desk: SignedInBrowser,
  changes: Record<string, string> = {},
): Promise<string> {
  const fields = { name: "night shift", scope: "act", days: "30", ...changes };
  const answer = await actAtDesk(desk, PATH, fields);
  assertEquals(answer.headers.get("cache-control"), "no-store");
  const html = await answer.text();
  const [, key] = /<code>(opk_\w{20}_[\w-]{43})<\/code>/.exec(html) ?? [];
  assert(key !== undefined, html);
  return key;
}

const statusOf = async (answer: Promise<Response>) => {
  const { status, body } = await answer;
  await body?.cancel();
  return status;
};

async function linesOf({ store }: Services) {
  const any = { subject: null, person: null, fromMs: 0, untilMs: 4e12 };
  return await store.listOperatorActs(any, { limit: 9, before: null });
}

async function signInAgainAfter(
  { site, desk }: { site: AdvertiserSite; desk: SignedInBrowser },
  ms: number,
): Promise<void> {
  site.world.clock.advance(ms);
  await desk.signInAgain();
}

Deno.test("a key that was made at the desk is shown once, kept as its hash, and opens the operator API", async () => {
  await using keys = await openKeys();
  const key = await makeAt(keys.desk);
  assertEquals(await statusOf(keys.operate("GET", "jobs", key)), 200);
  const page = await deskText(keys.desk, PATH);
  assertStringIncludes(page, "night shift");
  assert(!page.includes(key));
  const [row] = await keys.site.services.store.listOperatorKeys({ limit: 9 });
  assert(!JSON.stringify(row).includes(key.slice(-43)));
});

Deno.test("what a key does is in the audit under its name, and whose it is", async () => {
  await using keys = await openKeys();
  const key = await makeAt(keys.desk);
  const day = "2026-11-21";
  await statusOf(keys.operate("POST", `auctions/${day}/open`, key));
  const [opened, made] = await linesOf(keys.site.services);
  assertEquals(opened?.by, {
    kind: "key",
    name: "night shift",
    madeBy: "acc_operator",
  });
  assertEquals([made?.act, made?.change?.after.name], [
    "key.make",
    "night shift",
  ]);
});

Deno.test("a key to read with is 403 on every act, and on the backup", async () => {
  await using keys = await openKeys();
  const key = await makeAt(keys.desk, { scope: "read" });
  for (const path of ["jobs", "reviews", "accounts", "service"]) {
    assertEquals(await statusOf(keys.operate("GET", path, key)), 200, path);
  }
  const host = await openHost(
    keys.site.services,
    keys.site.world.testStore.realKv,
  );
  const acts = host.routes.filter(({ method }) => method !== "GET");
  await host.close();
  assert(acts.length > 15);
  for (const { method, path } of acts) {
    const asked = path.replace("/operator/v1/", "").replaceAll(/:\w+/g, "x_1");
    assertEquals(await statusOf(keys.operate(method, asked, key)), 403, path);
  }
  assertEquals(await statusOf(keys.operate("GET", "backup", key)), 403);
  assertEquals(await statusOf(keys.operate("HEAD", "backup", key)), 403);
  assertEquals((await linesOf(keys.site.services)).length, 1);
});

Deno.test("a key is refused from its end on, and after its time", async () => {
  await using keys = await openKeys();
  const first = await makeAt(keys.desk);
  const [keyId = ""] = /^opk_\w{20}/.exec(first) ?? [];
  const second = await makeAt(keys.desk);
  const status = (key: string) => statusOf(keys.operate("GET", "jobs", key));
  assertEquals([await status(first), await status(second)], [200, 200]);
  const ended = await actAtDesk(keys.desk, `${PATH}/${keyId}/end`, {});
  assertEquals(ledTo(ended), `${PATH}?done=end`);
  assertEquals([await status(first), await status(second)], [401, 200]);
  await signInAgainAfter(keys, 30 * DAY_MS - 1);
  assertEquals(await status(second), 200);
  await signInAgainAfter(keys, 1);
  assertEquals(await status(second), 401);
  assertStringIncludes(await deskText(keys.desk, PATH), "all have ended");
});

Deno.test("a key ends with its maker's being an operator", async () => {
  await using keys = await openKeys();
  const key = await makeAt(keys.desk);
  await keys.site.browser("operator", { email: "former@example.com" });
  assertEquals(await statusOf(keys.operate("GET", "jobs", key)), 401);
});

Deno.test("no text that only looks like a key opens the operator API", async () => {
  await using keys = await openKeys();
  const key = await makeAt(keys.desk);
  for (
    const other of [
      `${key.slice(0, -1)}${key.endsWith("A") ? "B" : "A"}`,
      key.slice(0, -1),
      `${key}A`,
      key.slice(0, 24),
      `opk_${"a".repeat(20)}_${"A".repeat(43)}`,
    ]
  ) assertEquals(await statusOf(keys.operate("GET", "jobs", other)), 401);
});

Deno.test("the last use of a key is written at most once an hour", async () => {
  await using keys = await openKeys();
  const { store } = keys.site.services;
  const key = await makeAt(keys.desk);
  const lastUse = async () => {
    await statusOf(keys.operate("GET", "jobs", key));
    return (await store.listOperatorKeys({ limit: 1 }))[0]?.lastUsedAtMs;
  };
  const first = await lastUse();
  assertEquals(first, keys.site.world.clock.now());
  keys.site.world.clock.advance(3_599_999);
  assertEquals(await lastUse(), first);
  keys.site.world.clock.advance(1);
  assertEquals(await lastUse(), keys.site.world.clock.now());
});

Deno.test("two keys of the configuration are good at once, each under its name", async () => {
  await using keys = await openKeys();
  for (const [nth, key] of [KEY, OTHER_KEY].entries()) {
    const day = `2026-11-2${1 + nth}`;
    const opened = keys.operate("POST", `auctions/${day}/open`, key);
    assertEquals(await statusOf(opened), 200);
  }
  const lines = await linesOf(keys.site.services);
  assertEquals(lines.map(({ by }) => by), [
    { kind: "key", name: "OPERATOR_KEY 2" },
    { kind: "key", name: "OPERATOR_KEY" },
  ]);
});

Deno.test("a key without a name, with a hidden character or beyond a year is not made", async () => {
  await using keys = await openKeys();
  for (
    const [field, value, why] of [
      ["name", " ", "Write 1 to 60"],
      ["name", "night\u200bshift", "zero-width"],
      ["days", "367", "from 1 to 366"],
      ["days", "soon", "from 1 to 366"],
    ] as const
  ) {
    const fields = { name: "n", scope: "act", days: "9", [field]: value };
    const answer = await actAtDesk(keys.desk, PATH, fields);
    assertEquals(answer.status, 400);
    const html = await answer.text();
    assertStringIncludes(html, why);
    assertFaults(html, [field]);
  }
  const { store } = keys.site.services;
  assertEquals(await store.listOperatorKeys({ limit: 9 }), []);
});

Deno.test("no more than twenty keys are good at a time", async () => {
  await using keys = await openKeys();
  for (let nth = 0; nth < 20; nth++) await makeAt(keys.desk);
  const fields = { name: "n", scope: "act", days: "9" };
  const answer = await actAtDesk(keys.desk, PATH, fields);
  assertEquals(answer.status, 400);
  assertStringIncludes(await answer.text(), "end one first");
});

Deno.test("a form that is sent twice makes one key", async () => {
  await using keys = await openKeys();
  const { desk, site } = keys;
  const fields = { name: "night shift", scope: "act", days: "30" };
  const page = await desk.get(PATH);
  const token = await askedToken(page);
  const send = () => desk.post(PATH, new URLSearchParams({ ...fields, token }));
  assertStringIncludes(await (await send()).text(), "Copy it now");
  const again = await (await send()).text();
  assertStringIncludes(again, "This form was sent before");
  assert(!/<code>opk_\w{20}_/.test(again));
  const made = await site.services.store.listOperatorKeys({ limit: 9 });
  assertEquals(made.length, 1);
  assertEquals((await linesOf(site.services)).length, 1);
});
