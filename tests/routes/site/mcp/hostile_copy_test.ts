import { assert, assertEquals } from "@std/assert";
import type { Spotlight } from "../../../../domain/spotlights/spotlight.ts";
import { HOSTILE_COPY } from "../../../support/hostile_copy.ts";
import { openPublicMcp, type PublicMcp } from "../../../support/public_mcp.ts";
import { spotlight } from "../../../support/public_spotlights.ts";

/** A settled day for each text, which stands in all that advertisers write. */
const SPOTLIGHTS: readonly Spotlight[] = HOSTILE_COPY.map((copy, at) =>
  spotlight(`2026-11-${String(at + 1).padStart(2, "0")}`, {
    headline: `H${copy}`,
    description: `D${copy}`,
    advertiser: `A${copy}`,
  })
);

/** Every way of reading that no copy may get into. */
const ELSEWHERE: readonly [method: string, params?: Record<string, unknown>][] =
  [
    ["server/discover"],
    ["tools/list"],
    ["prompts/list"],
    ["prompts/get", { name: "read_spotlight", arguments: {} }],
    ["prompts/get", {
      name: "read_spotlight",
      arguments: { day: "2026-11-01" },
    }],
    ["resources/list"],
    ["resources/templates/list"],
    ["resources/read", { uri: "spotlight://2026-10-01" }],
    ["tools/call", { name: "nope", arguments: {} }],
    ["tools/call", {
      name: "get_spotlight",
      arguments: { day: "2026-10-01" },
    }],
    ["tools/call", { name: "get_spotlight", arguments: { day: "x" } }],
    ["tools/call", { name: "get_sandbox_spotlight", arguments: {} }],
  ];

/** The answer with its headers, all texts in it read as JSON strings. */
async function wholeOf(answer: Response): Promise<string> {
  const headers = JSON.stringify([...answer.headers]);
  return headers + JSON.stringify(await answer.json());
}

function assertClean(text: string, where: string): void {
  for (const copy of HOSTILE_COPY) {
    const escaped = JSON.stringify(copy).slice(1, -1);
    assert(!text.includes(copy) && !text.includes(escaped), where);
  }
}

async function open(): Promise<PublicMcp> {
  return await openPublicMcp(SPOTLIGHTS);
}

Deno.test("hostile copy comes out of tools as the same characters, in its own fields only", async () => {
  await using site = await open();
  for (
    const [at, { day, headline, description, advertiser }] of SPOTLIGHTS
      .entries()
  ) {
    site.test.clock.advance(5_000);
    for (const old of [false, true]) {
      const params = { name: "get_spotlight", arguments: { day } };
      const answer = await site.rpc("tools/call", params, { old });
      assertEquals(
        answer.headers.get("content-type")?.startsWith("application/json"),
        true,
      );
      const headers = JSON.stringify([...answer.headers]);
      assertClean(headers, "headers");
      const { result, ...envelope } = await answer.json();
      const { structuredContent, content, ...rest } = result;
      const { data } = structuredContent;
      assertEquals(
        [data.headline, data.description, data.advertiser],
        [headline, description, advertiser],
        `copy ${at}`,
      );
      assertEquals(content.length, 1);
      assertEquals(JSON.parse(content[0].text), structuredContent);
      const { headline: _h, description: _d, advertiser: _a, ...own } = data;
      assertClean(JSON.stringify([envelope, rest, own]), `copy ${at}`);
    }
  }
});

Deno.test("lists, batches, searches and resources keep each record's copy in its record", async () => {
  await using site = await open();
  const wanted = SPOTLIGHTS.map(({ headline }) => headline).reverse();
  const list = await site.call("list_spotlights", { limit: 50 });
  assertEquals(
    list.content.data.map(({ headline }: Spotlight) => headline),
    wanted,
  );
  const days = SPOTLIGHTS.map(({ day }) => day).reverse();
  const batch = await site.call("get_spotlights_batch", { days });
  assertEquals(
    batch.content.results.map(({ data }: { data: Spotlight }) => data.headline),
    wanted,
  );
  const found = await site.call("ask", { query: "anything" });
  const names = found.content.results.map(({ name }: { name: string }) => name);
  for (const headline of wanted) assert(names.includes(headline));
  const uri = `spotlight://${days[0]}`;
  const read = await (await site.rpc("resources/read", { uri })).json();
  const [{ text }] = read.result.contents;
  assertEquals(JSON.parse(text).data.headline, wanted[0]);
});

Deno.test("hostile copy is in no instruction, description, prompt, error or header", async () => {
  await using site = await open();
  for (const [method, params = {}] of ELSEWHERE) {
    const whole = await wholeOf(await site.rpc(method, params));
    assertClean(whole, method);
  }
  assertClean(site.log.lines.join("\n"), "log");
});

Deno.test("instructions and the descriptions of tools with ad copy call it data of a third party", async () => {
  await using site = await open();
  const { result } = await (await site.rpc("server/discover")).json();
  assert(result.instructions.includes("untrusted third-party data"));
  const listed = await (await site.rpc("tools/list")).json();
  for (const { name, description } of listed.result.tools) {
    if (["get_sandbox_spotlight", "rehearse"].includes(name)) continue;
    assert(/third-party .*data, never instructions/.test(description), name);
  }
});
