import { assert, assertEquals } from "@std/assert";
import { saveMail } from "../../../domain/mail/outbox_mail.ts";
import type { Settings } from "../../../domain/ports.ts";
import { renderPublic } from "../../../routes/errors/public_surface.ts";
import { type HostApp, routeTable } from "../../../routes/route_table.ts";
import { devOutbox } from "../../../routes/site/dev_outbox.tsx";
import { TEST_SETTINGS } from "../../support/auction_world.ts";
import { ask, bindings } from "../../support/bindings.ts";
import { MemoryLog } from "../../support/captured_logs.ts";
import { openTestStore, type TestStore } from "../../support/store.ts";

const JSON_WANTED = { headers: { accept: "application/json" } };

function outboxOf(
  test: TestStore,
  environment: Settings["environment"] = "development",
): HostApp {
  const settings = { ...TEST_SETTINGS, environment };
  return routeTable({ settings, log: new MemoryLog() }, [{
    prefix: "",
    // As the surface of pages is, which it belongs to.
    free: true,
    routes: [devOutbox({ store: test.store, settings })],
    answers: { refused: renderPublic },
  }]);
}

async function queue(test: TestStore, text = "Your code is 123456") {
  const id = test.ids.next("mail");
  await test.store.transact((tx) =>
    saveMail(tx, id, {
      to: "ada@example.com",
      subject: "Sign in <b>now</b>",
      text,
    }, test.clock.now())
  );
  return id;
}

function read(
  app: HostApp,
  init: RequestInit = {},
  from = "127.0.0.1",
): Promise<Response> {
  const headers = new Headers(init.headers);
  if (!headers.has("host")) headers.set("host", "localhost:8000");
  return ask(app, "/dev/outbox", { ...init, headers }, bindings(from));
}

Deno.test("GET /dev/outbox lists mails as JSON, newest first", async () => {
  await using test = await openTestStore();
  const older = await queue(test);
  test.clock.advance(1_000);
  const newer = await queue(test, "Your code is 654321");
  const response = await read(outboxOf(test), JSON_WANTED);
  assertEquals(response.status, 200);
  assertEquals(response.headers.get("cache-control"), "no-store");
  const { mails } = await response.json();
  assertEquals(mails.map(({ id }: { id: string }) => id), [newer, older]);
  assertEquals(mails[0], {
    id: newer,
    to: "ada@example.com",
    subject: "Sign in <b>now</b>",
    text: "Your code is 654321",
    state: "waiting",
    created_at: "2026-11-20T12:00:01.000Z",
  });
});

Deno.test("GET /dev/outbox shows at most a hundred mails", async () => {
  await using test = await openTestStore();
  for (let count = 0; count < 101; count++) await queue(test);
  const { mails } = await (await read(outboxOf(test), JSON_WANTED)).json();
  assertEquals(mails.length, 100);
});

Deno.test("GET /dev/outbox escapes what mails say and runs nothing", async () => {
  await using test = await openTestStore();
  await queue(test, "</pre><script>alert(1)</script>");
  const response = await read(outboxOf(test), {
    headers: { accept: "text/html,application/json" },
  });
  assertEquals(
    response.headers.get("content-type"),
    "text/html; charset=utf-8",
  );
  const policy = response.headers.get("content-security-policy") ?? "";
  assert(policy.startsWith("default-src 'none'"));
  const html = await response.text();
  assert(html.includes("ada@example.com"));
  assert(html.includes("Sign in &lt;b&gt;now&lt;/b&gt;"));
  assert(!html.includes("<script"));
});

Deno.test("GET /dev/outbox says that there is no mail", async () => {
  await using test = await openTestStore();
  const html = await (await read(outboxOf(test))).text();
  assert(html.includes("No mail has been sent"));
});

for (const from of ["127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1"]) {
  Deno.test(`L5: GET /dev/outbox answers a peer at ${from}`, async () => {
    await using test = await openTestStore();
    assertEquals((await read(outboxOf(test), {}, from)).status, 200);
  });
}

const ELSEWHERE = ["192.0.2.1", "10.0.0.1", "::2", "fe80::1", "unknown", ""];
for (const from of ELSEWHERE) {
  Deno.test(`L5: GET /dev/outbox is not found from "${from}"`, async () => {
    await using test = await openTestStore();
    await queue(test);
    const response = await read(outboxOf(test), {
      headers: { "x-forwarded-for": "127.0.0.1" },
    }, from);
    assertEquals(response.status, 404);
    assert(!(await response.text()).includes("ada@"));
  });
}

const FORWARDED: readonly [name: string, value: string][] = [
  ["X-Forwarded-For", "127.0.0.1"],
  ["X-Forwarded-Proto", "https"],
  ["X-Forwarded-Host", "localhost"],
  ["Forwarded", "for=127.0.0.1"],
  ["Via", "1.1 proxy"],
  ["X-Real-IP", "127.0.0.1"],
  ["CF-Connecting-IP", "127.0.0.1"],
  ["X-Forwarded-Scheme", "https"],
  ["X-Amzn-Trace-Id", "Root=1-67891233-abcdef012345678912345678"],
  ["Sec-Fetch-Site", "cross-site"],
  ["Origin", "https://evil.example"],
  ["Origin", "null"],
];
for (const [name, value] of FORWARDED) {
  Deno.test(`GET /dev/outbox is not found for a request with ${name}: ${value}`, async () => {
    await using test = await openTestStore();
    await queue(test);
    const answer = await read(outboxOf(test), { headers: { [name]: value } });
    assertEquals(answer.status, 404);
    assert(!(await answer.text()).includes("ada@"));
  });
}

for (
  const host of [
    "spotlight.example",
    "localhost.evil.example",
    "evil@localhost",
    "128.0.0.1",
    "localhost:x",
    "",
  ]
) {
  Deno.test(`GET /dev/outbox is not found under Host "${host}"`, async () => {
    await using test = await openTestStore();
    const answer = await read(outboxOf(test), { headers: { host } });
    assertEquals(answer.status, 404);
  });
}

for (
  const [name, value] of [
    // As many a program's own client sends it.
    ["Connection", "close"],
    ["Sec-Fetch-Site", "same-site"],
    ["Origin", "http://localhost:8001"],
  ] as const
) {
  Deno.test(`GET /dev/outbox answers who asks on this machine with ${name}: ${value}`, async () => {
    await using test = await openTestStore();
    const answer = await read(outboxOf(test), { headers: { [name]: value } });
    assertEquals(answer.status, 200);
  });
}

for (
  const host of [
    "localhost",
    "LOCALHOST:8000",
    "spotlight.localhost:8000",
    "127.0.0.1:8000",
    "[::1]:8000",
  ]
) {
  Deno.test(`GET /dev/outbox answers under Host ${host}`, async () => {
    await using test = await openTestStore();
    const answer = await read(outboxOf(test), { headers: { host } });
    assertEquals(answer.status, 200);
  });
}

for (const environment of ["preview", "production"] as const) {
  Deno.test(`L5: GET /dev/outbox is not found in ${environment}`, async () => {
    await using test = await openTestStore();
    assertEquals((await read(outboxOf(test, environment))).status, 404);
  });
}
