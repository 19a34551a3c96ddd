import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { preferredType } from "../../../routes/http/preferred_type.ts";

const BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9," +
  "image/avif,image/webp,*/*;q=0.8";

/** Accept, and what is preferred where Markdown and where HTML is usual. */
const CASES: readonly [string | null, string, string][] = [
  [null, "text/markdown", "text/html"],
  ["", "text/markdown", "text/html"],
  ["*/*", "text/markdown", "text/html"],
  ["text/*", "text/markdown", "text/html"],
  ["application/json", "text/markdown", "text/html"],
  ["application/json, */*;q=0.5", "text/markdown", "text/html"],
  [BROWSER, "text/html", "text/html"],
  ["text/html", "text/html", "text/html"],
  ["text/markdown", "text/markdown", "text/markdown"],
  ["Text/Markdown; charset=utf-8", "text/markdown", "text/markdown"],
  ["text/markdown, text/html", "text/markdown", "text/markdown"],
  ["text/html, text/markdown", "text/html", "text/html"],
  ["text/markdown, */*", "text/markdown", "text/markdown"],
  ["text/markdown, text/html, */*", "text/markdown", "text/markdown"],
  ["*/*, text/markdown", "text/markdown", "text/markdown"],
  ["text/markdown, text/*", "text/markdown", "text/markdown"],
  ["text/html, */*", "text/html", "text/html"],
  ["text/markdown;q=0, text/html;q=0", "text/markdown", "text/html"],
  ["text/markdown, text/html;q=0.9", "text/markdown", "text/markdown"],
  ["text/markdown;q=0.5, text/html", "text/html", "text/html"],
  ["text/markdown, */*;q=0.1", "text/markdown", "text/markdown"],
  ["text/html;q=0, */*", "text/markdown", "text/markdown"],
  ["text/html;q=nonsense, text/*;q=0.1", "text/markdown", "text/markdown"],
];

Deno.test("preferredType() takes what Accept likes best: by weight, then by how closely and how early it is named, the usual one when in doubt", () => {
  for (const [accept, asMarkdown, asPage] of CASES) {
    const message = String(accept);
    assertEquals(
      preferredType(accept, ["text/markdown", "text/html"]),
      asMarkdown,
      message,
    );
    assertEquals(
      preferredType(accept, ["text/html", "text/markdown"]),
      asPage,
      message,
    );
  }
});

Deno.test("preferredType() answers one of the offered, whatever is sent", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary-ascii" }), (accept) => {
      const offered = ["text/html", "text/markdown"] as const;
      assertEquals(offered.includes(preferredType(accept, offered)), true);
    }),
  );
});
