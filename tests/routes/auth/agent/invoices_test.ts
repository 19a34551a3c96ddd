import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import type { Invoice } from "../../../../domain/invoices/invoice.ts";
import type { Scope } from "../../../../domain/oauth/grant.ts";
import { issueAccessToken } from "../../../../tools/demo/issue_access_token.ts";
import { callTool, resultOf, rpc } from "../../../support/mcp_agent.ts";
import { type AgentApi, openAgentApi } from "../../../support/agent_api.ts";
import { type Agent, BID_SETTINGS } from "../../../support/bidding_world.ts";
import {
  archiveAs,
  FINALIZED_MS,
  invoiceOf,
  saveInvoice,
} from "../../../support/invoices.ts";

const SCOPES: readonly Scope[] = ["invoices:read"];
const PATH = "/v1/agent/invoices";
const PDF = "%PDF-1.7 an invoice %%EOF";

/** An agent that may read invoices, over an API of its own. */
async function openApi(): Promise<{
  api: AgentApi;
  ada: Agent;
  save: (number: string, changes?: Partial<Invoice>) => Promise<Invoice>;
  [Symbol.asyncDispose](): PromiseLike<void>;
}> {
  const api = await openAgentApi();
  const ada = await api.world.agent("ada", { scopes: SCOPES });
  return {
    api,
    ada,
    save: (number, changes) =>
      saveInvoice(
        api.world.services,
        invoiceOf(ada.account.id, number, changes),
      ),
    [Symbol.asyncDispose]: () => api[Symbol.asyncDispose](),
  };
}

async function numbersOf(answer: Response): Promise<string[]> {
  const { items } = await answer.json();
  return items.map(({ number }: { number: string }) => number);
}

Deno.test("GET /v1/agent/invoices lists one's own invoices with their members", async () => {
  await using test = await openApi();
  await test.save("SPOT-0001");
  const answer = await test.api.ask(PATH, { as: test.ada });
  assertEquals(answer.status, 200);
  assertEquals(answer.headers.get("content-type"), "application/json");
  assertEquals(answer.headers.get("cache-control"), "no-store");
  assertEquals(await answer.json(), {
    items: [{
      number: "SPOT-0001",
      day: "2026-11-20",
      status: "paid",
      total_cents: 12_100,
      tax_cents: 2_100,
      currency: "EUR",
      finalized_at: "2026-11-20T23:56:00.000Z",
      paid_at: "2026-11-20T23:56:02.000Z",
      credit_notes: [],
      pdf: `${BID_SETTINGS.authUrl}/v1/agent/invoices/SPOT-0001/pdf`,
    }],
    next_cursor: null,
  });
});

Deno.test("GET /v1/agent/invoices answers an empty list to who has none", async () => {
  await using test = await openApi();
  const bob = invoiceOf("acc_bob", "SPOT-0002");
  await saveInvoice(test.api.world.services, bob);
  const answer = await test.api.ask(PATH, { as: test.ada });
  assertEquals(await answer.json(), { items: [], next_cursor: null });
});

Deno.test("GET /v1/agent/invoices/{number} answers one's own invoice with its credit notes", async () => {
  await using test = await openApi();
  await test.save("SPOT-0001", {
    money: "refunded",
    creditNotes: [{
      id: "cn_1",
      number: "SPOT-0001-CN-01",
      totalCents: 12_100,
      taxCents: 2_100,
      createdAtMs: FINALIZED_MS + 60_000,
    }],
  });
  const answer = await test.api.ask(`${PATH}/SPOT-0001`, { as: test.ada });
  assertEquals(answer.status, 200);
  const { status, credit_notes } = await answer.json();
  assertEquals(status, "refunded");
  const own = `${BID_SETTINGS.authUrl}/v1/agent/invoices/SPOT-0001`;
  assertEquals(credit_notes, [{
    number: "SPOT-0001-CN-01",
    total_cents: 12_100,
    tax_cents: 2_100,
    created_at: "2026-11-20T23:57:00.000Z",
    pdf: `${own}/credit_notes/SPOT-0001-CN-01/pdf`,
  }]);
});

for (
  const [status, changes] of [
    ["open", { state: "open", money: "none", paidAtMs: null }],
    ["void", { state: "void", money: "none", paidAtMs: null }],
    ["uncollectible", { state: "uncollectible", money: "none" }],
    ["paid", {}],
    ["refund_pending", { money: "refunding" }],
    ["refunded", { money: "refunded" }],
    ["charged_back", { money: "written_off" }],
  ] as const satisfies readonly (readonly [string, Partial<Invoice>])[]
) {
  Deno.test(`an invoice can be ${status}`, async () => {
    await using test = await openApi();
    await test.save("SPOT-0001", changes);
    const answer = await test.api.ask(`${PATH}/SPOT-0001`, { as: test.ada });
    assertEquals((await answer.json()).status, status);
  });
}

Deno.test("another's invoice, an unknown one and no number at all are answered alike", async () => {
  await using test = await openApi();
  const { services } = test.api.world;
  await saveInvoice(services, invoiceOf("acc_bob", "SPOT-0002"));
  await archiveAs(services, "SPOT-0002", PDF);
  await test.save("SPOT-0001");
  const long = "x".repeat(65);
  const wanted = [
    "SPOT-0002",
    "SPOT-0003",
    "SPOT-0001-CN-01",
    "%00",
    "%E2%82%AC",
    "a%20b",
    "%ED%B0%80",
    "%",
    long,
  ];
  for (const number of wanted) {
    for (
      const path of [
        number,
        `${number}/pdf`,
        `${number}/credit_notes/SPOT-0002/pdf`,
        `SPOT-0001/credit_notes/${number}/pdf`,
      ]
    ) {
      const answer = await test.api.ask(`${PATH}/${path}`, { as: test.ada });
      assertEquals([path, answer.status], [path, 404]);
      const { code, detail } = await answer.json();
      assertEquals(code, "agent.not-found");
      assert(/^Cannot find (invoice|credit note) ".{0,70}"$/.test(detail));
    }
  }
});

Deno.test("a number with letters that mean something in addresses is found by its address", async () => {
  await using test = await openApi();
  const number = "INV/2026#1?a=b&c%2F";
  await test.save(number);
  await archiveAs(test.api.world.services, number, PDF);
  const [{ pdf }] = (await (await test.api.ask(PATH, { as: test.ada })).json())
    .items;
  const path = pdf.slice(BID_SETTINGS.authUrl.length);
  const answer = await test.api.ask(path, { as: test.ada });
  assertEquals(answer.status, 200);
  assertEquals(
    answer.headers.get("content-disposition"),
    'attachment; filename="invoice-INV-2026-1-a-b-c-2F.pdf"',
  );
  assertEquals(await answer.text(), PDF);
});

Deno.test("GET …/pdf sends what was archived, to keep for oneself", async () => {
  await using test = await openApi();
  await test.save("SPOT-0001");
  const { sha256 } = await archiveAs(
    test.api.world.services,
    "SPOT-0001",
    PDF,
  );
  const path = `${PATH}/SPOT-0001/pdf`;
  const answer = await test.api.ask(path, { as: test.ada });
  assertEquals(answer.status, 200);
  assertEquals(await answer.text(), PDF);
  const header = (name: string) => answer.headers.get(name);
  assertEquals(header("content-type"), "application/pdf");
  assertEquals(header("cache-control"), "private, no-cache");
  assertEquals(header("etag"), `"${sha256}"`);
  assertEquals(header("x-content-type-options"), "nosniff");
  assertEquals(
    header("content-disposition"),
    'attachment; filename="invoice-SPOT-0001.pdf"',
  );
  const again = await test.api.ask(path, {
    as: test.ada,
    headers: { "if-none-match": `"${sha256}"` },
  });
  assertEquals([again.status, await again.text()], [304, ""]);
  const head = await test.api.ask(path, { as: test.ada, method: "HEAD" });
  assertEquals(head.headers.get("content-length"), String(PDF.length));
});

Deno.test("GET …/credit_notes/{number}/pdf sends the note of that invoice only", async () => {
  await using test = await openApi();
  const note = {
    id: "cn_1",
    number: "SPOT-0001-CN-01",
    totalCents: 1,
    taxCents: 0,
    createdAtMs: 0,
  };
  await test.save("SPOT-0001", { creditNotes: [note] });
  await test.save("SPOT-0002");
  await archiveAs(test.api.world.services, note.number, PDF);
  const path = `credit_notes/${note.number}/pdf`;
  const own = await test.api.ask(`${PATH}/SPOT-0001/${path}`, {
    as: test.ada,
  });
  assertEquals(own.status, 200);
  assertEquals(
    own.headers.get("content-disposition"),
    'attachment; filename="credit-note-SPOT-0001-CN-01.pdf"',
  );
  const other = await test.api.ask(`${PATH}/SPOT-0002/${path}`, {
    as: test.ada,
  });
  assertEquals(other.status, 404);
});

Deno.test("GET …/pdf is 503 with Retry-After while a document is not archived", async () => {
  await using test = await openApi();
  await test.save("SPOT-0001");
  const { store, clock } = test.api.world.services;
  const ask = () => test.api.ask(`${PATH}/SPOT-0001/pdf`, { as: test.ada });
  const answer = await ask();
  assertEquals([answer.status, answer.headers.get("retry-after")], [503, "5"]);
  assertEquals("code" in await answer.json(), false);
  const task = await store.archiveTasks.find("SPOT-0001");
  assert(task !== null);
  for (
    const [changes, wait] of [
      [{ dueAtMs: clock.now() + 90_000 }, "90"],
      [{ dueAtMs: clock.now() + 180_000, leaseUntilMs: clock.now() + 1 }, "5"],
      [{ state: "impossible" as const }, "3600"],
    ] as const
  ) {
    await store.transact((tx) => tx.archiveTasks.save({ ...task, ...changes }));
    assertEquals((await ask()).headers.get("retry-after"), wait);
  }
});

Deno.test("GET /v1/agent/invoices takes limits from 1 to 50 and cursors of its own", async () => {
  await using test = await openApi();
  const bad = [
    "limit=0",
    "limit=51",
    "limit=x",
    "limit=1&limit=2",
    "cursor=",
    "cursor=x",
    "cursor=%00",
    `cursor=${btoa("1 ../x")}`,
    `cursor=${"a".repeat(2_000)}`,
  ];
  for (const query of bad) {
    const answer = await test.api.ask(`${PATH}?${query}`, { as: test.ada });
    assertEquals([query, answer.status], [query, 400]);
    assertEquals((await answer.json()).code, "agent.bad-request");
  }
});

Deno.test("GET /v1/agent/invoices goes on where it was, whatever is added meanwhile", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 0, max: 4 }), { minLength: 1, maxLength: 12 }),
      fc.integer({ min: 1, max: 4 }),
      async (moments, limit) => {
        await using test = await openApi();
        const at = (moment: number) => ({
          finalizedAtMs: FINALIZED_MS + moment,
        });
        for (const [nth, moment] of moments.entries()) {
          await test.save(`SPOT-${nth}`, at(moment));
        }
        const seen: string[] = [];
        let cursor: string | null = "";
        for (let page = 0; cursor !== null; page++) {
          assert(page < 20);
          const from = cursor === "" ? "" : `&cursor=${cursor}`;
          const answer = await test.api.ask(`${PATH}?limit=${limit}${from}`, {
            as: test.ada,
          });
          const { items, next_cursor } = await answer.json();
          assert(items.length <= limit);
          seen.push(...items.map(({ number }: Invoice) => number));
          cursor = next_cursor;
          await test.save(`NEW-${page}`, at(10 + page));
        }
        const known = seen.filter((number) => number.startsWith("SPOT-"));
        assertEquals(known.length, moments.length);
        assertEquals(new Set(seen).size, seen.length);
      },
    ),
    { numRuns: 20 },
  );
});

Deno.test("GET /v1/agent/invoices answers 20 unless told otherwise, newest first", async () => {
  await using test = await openApi();
  for (let nth = 0; nth < 22; nth++) {
    const finalizedAtMs = FINALIZED_MS + nth;
    await test.save(`SPOT-${nth}`, { finalizedAtMs });
  }
  const numbers = await numbersOf(await test.api.ask(PATH, { as: test.ada }));
  assertEquals(
    numbers,
    Array.from({ length: 20 }, (_, at) => `SPOT-${21 - at}`),
  );
});

for (
  const path of [
    PATH,
    `${PATH}/SPOT-0001`,
    `${PATH}/SPOT-0001/pdf`,
    `${PATH}/SPOT-0001/credit_notes/SPOT-0001-CN-01/pdf`,
  ]
) {
  Deno.test(`${path} needs a token with invoices:read and is read only`, async () => {
    await using test = await openApi();
    await test.save("SPOT-0001");
    const none = await test.api.ask(path);
    assertEquals([none.status, await none.text()], [401, ""]);
    const eve = await test.api.world.agent("eve", { scopes: ["bids:read"] });
    const other = await test.api.ask(path, { as: eve });
    assertEquals(other.status, 403);
    assertEquals((await other.json()).code, "agent.scope-missing");
    const post = await test.api.ask(path, { as: test.ada, method: "POST" });
    assertEquals([post.status, post.headers.get("allow")], [405, "GET, HEAD"]);
  });
}

Deno.test("the PDFs that get_invoice names open with a token for the tool server alone", async () => {
  await using test = await openApi();
  const { api, ada } = test;
  const { services } = api.world;
  const number = "INV/2026#1?a=b&c%2F";
  await test.save(number);
  await archiveAs(services, number, PDF);
  const narrow = { resources: ["mcp"] } as const;
  const { text } = await issueAccessToken(services, ada.grant.id, narrow);
  const as = { ...ada, accessToken: text };
  const { content } = await callTool(api, as, "get_invoice", { number });
  assertEquals(
    content.pdf,
    `spotlight://invoices/${encodeURIComponent(number)}/pdf`,
  );
  const listed = await callTool(api, as, "list_invoices");
  assertEquals(listed.content.items[0].pdf, content.pdf);
  for (const old of [false, true]) {
    const params = { uri: content.pdf };
    const read = await rpc(api, "resources/read", params, { as, old });
    const [{ mimeType, blob }] = (await resultOf(read)).contents;
    assertEquals([mimeType, atob(blob)], ["application/pdf", PDF]);
  }
  const bob = await api.world.agent("bob", { scopes: SCOPES });
  const params = { uri: content.pdf };
  const other = await rpc(api, "resources/read", params, { as: bob });
  assertEquals((await other.json()).error.code, -32602);
});
