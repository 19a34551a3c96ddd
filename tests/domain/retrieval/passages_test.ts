import { assert, assertEquals } from "@std/assert";
import { PASSAGE_WORDS_MAX } from "../../../domain/retrieval/limits.ts";
import { wordCount } from "../../../domain/retrieval/markdown_blocks.ts";
import {
  pagePassages,
  passagesOf,
} from "../../../domain/retrieval/passages.ts";
import { DOCS_PATHS } from "../../../domain/retrieval/docs_pages.ts";
import { markdownPage } from "../../../routes/site/documents/markdown.tsx";
import { docsPages } from "../../adapters/search/support/demo_corpus.ts";
import { TEST_BASE_URL } from "../../support/public_spotlights.ts";

const PAGE = `# Access

What this page says.

## Scopes

A scope is one thing.

\`\`\`sh
# not a heading
curl x

curl y
\`\`\`

### The \`bids:write\` scope

Spends [money](#money).

## Scopes

Once more.
`;

function passagesOfPage(markdown: string) {
  return pagePassages("/auth.md", markdown, TEST_BASE_URL);
}

Deno.test("pagePassages() cuts a page at its headings", () => {
  const found = passagesOfPage(PAGE).map(({ id, heading, chapter, number }) => [
    id,
    heading,
    chapter,
    number,
  ]);
  assertEquals(found, [
    ["auth.md", "Access", null, 0],
    ["auth.md#scopes", "Scopes", null, 1],
    ["auth.md#the-bidswrite-scope", "The bids:write scope", "Scopes", 2],
    ["auth.md#scopes-1", "Scopes", null, 3],
  ]);
});

Deno.test("pagePassages() keeps code whole and gives every passage its address", () => {
  const [intro, scopes] = passagesOfPage(PAGE);
  assertEquals(intro?.url, `${TEST_BASE_URL}/auth`);
  assertEquals(intro?.title, "Access");
  assertEquals(scopes?.url, `${TEST_BASE_URL}/auth#scopes`);
  assertEquals(
    scopes?.text,
    "A scope is one thing.\n\n```sh\n# not a heading\ncurl x\n\ncurl y\n```",
  );
});

Deno.test("pagePassages() cuts a long section between paragraphs", () => {
  const paragraph = "word ".repeat(PASSAGE_WORDS_MAX / 2).trim();
  const page = ["# T", "## Long", paragraph, paragraph, paragraph].join("\n\n");
  assertEquals(
    passagesOfPage(page).map(({ id, text }) => [id, wordCount(text)]),
    [["auth.md#long", PASSAGE_WORDS_MAX], ["auth.md#long:2", 75]],
  );
});

Deno.test("pagePassages() repeats the head of a table that is cut", () => {
  const row = `| ${"word ".repeat(80)}| x |`;
  const page = `# T\n\n## Table\n\n| A | B |\n|---|---|\n${row}\n${row}\n`;
  const texts = passagesOfPage(page).map(({ text }) => text);
  assertEquals(texts, Array(2).fill(`| A | B |\n|---|---|\n${row}`));
});

Deno.test("pagePassages() takes an empty page, and one without headings", () => {
  assertEquals(passagesOfPage(""), []);
  assertEquals(
    passagesOfPage("Only text.").map(({ id, heading }) => [
      id,
      heading,
    ]),
    [["auth.md", "/auth.md"]],
  );
});

Deno.test("passagesOf() cuts what is published into passages of their own ids", async () => {
  const passages = passagesOf(await docsPages(), TEST_BASE_URL);
  const ids = passages.map(({ id }) => id);
  assert(ids.includes("auth.md#scopes"), ids.join(" "));
  assertEquals(new Set(ids).size, ids.length);
  const long = passages.filter(({ text }) =>
    wordCount(text) > PASSAGE_WORDS_MAX && !text.includes("```")
  );
  assertEquals(long.map(({ id }) => id), []);
});

Deno.test("passagesOf() leaves out documents that are no pages of the documentation", () => {
  const passages = passagesOf(
    { "/other.md": "# Other\n\nText.", "/privacy.md": "# Privacy\n\nText." },
    TEST_BASE_URL,
  );
  assertEquals(passages.map(({ id }) => id), ["privacy.md"]);
});

Deno.test("passagesOf() has the terms, which people ask about", () => {
  const passages = passagesOf(
    { "/terms.md": "# Terms\n\n## Refunds\n\nWhen money goes back." },
    TEST_BASE_URL,
  );
  assertEquals(passages.map(({ url }) => url), [
    `${TEST_BASE_URL}/terms#refunds`,
  ]);
});

Deno.test("the address of every passage leads to a heading of its page", async () => {
  const pages = await docsPages();
  for (const path of DOCS_PATHS) {
    const markdown = pages[path] ?? "";
    const { contents } = markdownPage(markdown);
    const headings = new Set(contents.map(({ slug }) => slug));
    for (const { url } of pagePassages(path, markdown, TEST_BASE_URL)) {
      const { pathname, hash } = new URL(url);
      assertEquals(`${pathname}.md`, path);
      assert(
        hash === "" || headings.has(decodeURIComponent(hash.slice(1))),
        url,
      );
    }
  }
});
