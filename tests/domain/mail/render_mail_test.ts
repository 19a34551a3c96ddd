import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import fc from "fast-check";
import type {
  MailContent,
  MailPart,
} from "../../../domain/mail/mail_content.ts";
import { renderMail } from "../../../domain/mail/render_mail.ts";

/** A mail of those parts. */
function mailOf(...parts: MailPart[]): MailContent {
  return { kind: "bid_stands", to: "ada@example.com", subject: "S", parts };
}

const BUTTON = {
  button: "Raise your bid",
  url: "https://spotlight.example/bids",
} as const;

Deno.test("renderMail() says the same as plain text and as HTML", () => {
  const { text, html = "" } = renderMail(mailOf(
    "Your bid stands.",
    { facts: [["Amount", "EUR 10.00"], ["Ad", "Fresh bread"]] },
    { quote: "All is well." },
    { code: "1234 5678" },
    BUTTON,
    { link: "Your agents", url: "https://spotlight.example/agents" },
  ));
  assertEquals(
    text,
    `Your bid stands.

Amount: EUR 10.00
Ad: Fresh bread

  All is well.

    1234 5678

Raise your bid:
https://spotlight.example/bids

Your agents:
https://spotlight.example/agents
`,
  );
  for (
    const said of [
      "<!doctype html>\n",
      "<h1",
      ">S</h1>",
      ">Your bid stands.</p>",
      ">Amount</th>",
      ">EUR 10.00</td>",
      ">All is well.</p>",
      ">1234 5678</p>",
      '<a href="https://spotlight.example/bids"',
      ">Raise your bid</a>",
    ]
  ) assertStringIncludes(html, said);
});

Deno.test("the plain text of a mail is wrapped at 72 columns, long words apart", () => {
  const url = `https://spotlight.example/${"a".repeat(100)}`;
  const { text } = renderMail(mailOf(
    "word ".repeat(60),
    { quote: "quoted words ".repeat(20) },
    { facts: [["Ad", "a headline of many words ".repeat(5)]] },
    { ...BUTTON, url },
  ));
  const lines = text.split("\n");
  for (const line of lines) {
    assert(line.length <= 72 || line === url, line);
    assertEquals(line, line.trimEnd());
  }
  assert(lines.includes(url));
  assert(lines.some((line) => /^ {2}quoted/.test(line)));
  assert(lines.some((line) => line.startsWith("Ad: a headline")));
});

Deno.test("a line break in somebody's text begins no line of a mail", () => {
  const { text } = renderMail(mailOf(
    'placed by your agent "Nice\n\nYour password:\nhttps://evil.example"',
  ));
  assertEquals(
    text,
    'placed by your agent "Nice Your password: https://evil.example"\n',
  );
});

Deno.test("the HTML of a mail has no element, attribute or style of anybody else", () => {
  const shape = (said: string) =>
    (renderMail({
      ...mailOf(
        said,
        { facts: [[said, said]] },
        { quote: said },
        { code: said },
        { button: said, url: `https://spotlight.example/?q=${said}` },
        { link: said, url: `https://spotlight.example/?q=${said}` },
      ),
      subject: said,
    }).html ?? "").match(/<[^>]*>/g)
      ?.map((tag) => tag.replace(/href="[^"]*"/, "href"));
  const plain = shape("a");
  assert((plain?.length ?? 0) > 20);
  for (
    const said of [
      "<script>alert(1)</script>",
      '"><img src=x onerror=alert(1)>',
      "' style='position:fixed",
      "<!-- ",
      "</title></head>",
    ]
  ) assertEquals(shape(said), plain, said);
  fc.assert(
    fc.property(fc.string(), (said) => assertEquals(shape(said), plain)),
  );
});

Deno.test("the HTML of a mail loads nothing and leaves its colours to the reader", () => {
  const { html = "" } = renderMail(mailOf("Hello", BUTTON, {
    facts: [["Amount", "EUR 1.00"]],
  }));
  assert(!/<(?:img|link|script|style|iframe|video)|url\(|@import/i.test(html));
  assertStringIncludes(
    html,
    '<meta name="color-scheme" content="light dark">',
  );
  // A colour alone would be unreadable on the other ground.
  for (const [style = ""] of html.matchAll(/style="[^"]*"/g)) {
    const hasGround = /background-color:#/.test(style);
    assertEquals(/[";]color:#/.test(style), hasGround, style);
  }
});
