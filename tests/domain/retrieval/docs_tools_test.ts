import { assert, assertEquals, assertRejects } from "@std/assert";
import { readDocsPage } from "../../../domain/retrieval/read_docs_page.ts";
import { IndexNotReady } from "../../../domain/retrieval/search_index.ts";
import { searchDocs } from "../../../domain/retrieval/search_docs.ts";
import {
  SearchWorld,
  SMALL_PAGES,
} from "../../adapters/search/support/search_world.ts";
import { TEST_BASE_URL } from "../../support/public_spotlights.ts";
import { assertRefused } from "../../support/refused.ts";

Deno.test("searchDocs() answers passages with id, address and score", async () => {
  await using world = await SearchWorld.open([]);
  const { retrieval } = await world.ready();
  const found = await searchDocs(retrieval, { query: "scopes", limit: 5 });
  const [first] = found;
  assertEquals(found.length, 1);
  assertEquals({ ...first, score: 0 }, {
    id: "auth.md#scopes",
    url: `${TEST_BASE_URL}/auth#scopes`,
    heading: "Scopes",
    text: "A scope is what a user allows.",
    score: 0,
  });
  assert(first !== undefined && first.score > 0 && first.score <= 1);
  assertEquals(first.score, Math.round(first.score * 1e6) / 1e6);
});

Deno.test("searchDocs() answers no more than its limit", async () => {
  await using world = await SearchWorld.open([]);
  const { retrieval } = await world.ready();
  const query = "access scopes token cookies";
  assertEquals((await searchDocs(retrieval, { query, limit: 10 })).length, 4);
  assertEquals((await searchDocs(retrieval, { query, limit: 2 })).length, 2);
});

Deno.test("searchDocs() fails for a while until everything is indexed", async () => {
  await using world = await SearchWorld.open([]);
  const { retrieval } = world.start();
  await assertRejects(
    () => searchDocs(retrieval, { query: "scopes", limit: 5 }),
    IndexNotReady,
  );
});

Deno.test("readDocsPage() reads a whole page, indexed or not", async () => {
  await using world = await SearchWorld.open([]);
  const { retrieval } = world.start();
  const page = await readDocsPage(retrieval, { path: "/auth.md" });
  assertEquals(page.text, SMALL_PAGES["/auth.md"]);
});

Deno.test("readDocsPage() reads what fits a query, in the order of the page", async () => {
  await using world = await SearchWorld.open([]);
  const { retrieval } = await world.ready();
  const read = (query: string) =>
    readDocsPage(retrieval, { path: "/auth.md", query });
  assertEquals(
    (await read("tokens, scopes and cookies")).text,
    "# Access\n\n## Scopes\n\nA scope is what a user allows.\n\n" +
      "## Tokens\n\nA token lasts an hour.\n",
  );
  assertEquals(
    (await read("cookie")).text,
    SMALL_PAGES["/auth.md"],
    "nothing of this page fits",
  );
});

Deno.test("readDocsPage() refuses a page that is not published", async () => {
  await using world = await SearchWorld.open([]);
  const { retrieval } = await world.ready();
  const { message } = await assertRefused(
    () => readDocsPage(retrieval, { path: "/affiliate.md" }),
    "not_found",
  );
  assertEquals(
    message,
    'Cannot read "/affiliate.md": there is no such page',
  );
});
