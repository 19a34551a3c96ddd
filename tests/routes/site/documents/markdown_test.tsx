import { assert, assertEquals, assertMatch } from "@std/assert";
import fc from "fast-check";
import {
  type LinkRewriter,
  markdownPage,
} from "../../../../routes/site/documents/markdown.tsx";

function html(text: string, rewrite?: LinkRewriter): string {
  const { blocks } = markdownPage(text, rewrite);
  return String(<main>{blocks}</main>).slice(
    "<main>".length,
    -"</main>".length,
  );
}

Deno.test("markdownPage() writes headings with the fragments that GitHub gives", () => {
  const page = markdownPage(
    "# A `title`\n\n## Rate limits\n\n### 1. *Find* [it](/x)\n\n## Rate limits",
  );
  assertEquals(page.title, "A title");
  assertEquals(page.contents, [
    { depth: 2, slug: "rate-limits", text: "Rate limits" },
    { depth: 3, slug: "1-find-it", text: "1. Find it" },
    { depth: 2, slug: "rate-limits-1", text: "Rate limits" },
  ]);
  const text = String(<main>{page.blocks}</main>);
  assertMatch(text, /<h1 id="a-title">A <code>title<\/code><\/h1>/);
  assertMatch(text, /<h2 id="rate-limits">Rate limits <a /);
  assertMatch(text, /<h2 id="rate-limits-1">/);
  assertMatch(text, /aria-label="Link to “1. Find it”"/);
});

Deno.test("markdownPage() writes paragraphs, lists, tables, code and quotes", () => {
  const cases: readonly [string, string][] = [
    [
      "a *b* **c** ~~d~~",
      "<p>a <em>b</em> <strong>c</strong> <del>d</del></p>",
    ],
    ["a  \nb", "<p>a<br>b</p>"],
    ["a\\*b", "<p>a*b</p>"],
    ["- a\n- b", "<ul><li>a</li><li>b</li></ul>"],
    [
      "- a\n  - b",
      "<ul><li>a<ul><li>b</li></ul></li></ul>",
    ],
    ["3. a\n4. b", '<ol start="3"><li>a</li><li>b</li></ol>'],
    ["> a", "<blockquote><p>a</p></blockquote>"],
    ["---", "<hr>"],
    [
      "```sh\na <b> && c\n```",
      '<pre tabindex="0"><code>a &lt;b&gt; &amp;&amp; c</code></pre>',
    ],
    [
      "| a | b |\n|---|---|\n| `c\\|d` | e |",
      '<div class="wide" tabindex="0"><table class="prose"><thead><tr>' +
      '<th scope="col">a</th><th scope="col">b</th></tr></thead><tbody>' +
      "<tr><td><code>c|d</code></td><td>e</td></tr></tbody></table></div>",
    ],
  ];
  for (const [markdown, wanted] of cases) assertEquals(html(markdown), wanted);
});

Deno.test("markdownPage() shows HTML in the source as text", () => {
  const cases: readonly [string, string][] = [
    [
      "<script>alert(1)</script>",
      "<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>",
    ],
    ["a <b onclick=x>c</b>", "<p>a &lt;b onclick=x&gt;c&lt;/b&gt;</p>"],
    [
      "![i](https://a.example/x.png)",
      "<p>![i](https://a.example/x.png)</p>",
    ],
    ['`"<i>"`', "<p><code>&quot;&lt;i&gt;&quot;</code></p>"],
  ];
  for (const [markdown, wanted] of cases) assertEquals(html(markdown), wanted);
});

Deno.test("markdownPage() links to the web, to mail and to this site only", () => {
  for (
    const href of ["https://a.example/?b=1", "mailto:a@b.example", "/x", "#y"]
  ) {
    assertEquals(html(`[a](${href})`), `<p><a href="${href}">a</a></p>`);
  }
  for (
    const href of [
      "javascript:alert(1)",
      "JaVaScRiPt:alert(1)",
      "data:text/html,x",
      "//evil.example",
      "/\\\\evil.example",
      "vbscript:x",
    ]
  ) assertEquals(html(`[a](${href})`), "<p>a</p>");
  const rewrite = (href: string) => `${href}?rewritten`;
  assertEquals(
    html("[a](/b.md)", rewrite),
    '<p><a href="/b.md?rewritten">a</a></p>',
  );
});

/** Pieces that mean something in Markdown or in HTML. */
const PIECES = [
  ..."<>&\"'`*_[]()#|-!\\\n :",
  "<script>",
  "</code>",
  "<img src=x onerror=y>",
  "javascript:",
  "```\n",
  "\n\n",
  "| a |\n|---|\n",
];

const anyMarkdown = fc.array(
  fc.oneof(fc.constantFrom(...PIECES), fc.string({ maxLength: 8 })),
  { maxLength: 30 },
).map((parts) => parts.join(""));

const TAG =
  /<\/?(?:h[1-6]|p|a|ul|ol|li|em|strong|del|code|pre|br|hr|blockquote|table|thead|tbody|tr|th|td|div)(?: (?:id|href|class|tabindex|scope|start|aria-label)="[^"<>]*")*\/?>/g;

Deno.test("markdownPage() writes no tag and no attribute but those that it knows", () => {
  fc.assert(
    fc.property(anyMarkdown, (markdown) => {
      const written = html(markdown);
      assert(!/[<>]/.test(written.replace(TAG, "")), written);
      for (const [, href = ""] of written.matchAll(/href="([^"]*)"/g)) {
        assertMatch(href, /^(https?:\/\/|mailto:|#|\/)/);
      }
    }),
    { numRuns: 1_000 },
  );
});
