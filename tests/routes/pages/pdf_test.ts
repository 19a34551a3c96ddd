import { assert, assertEquals } from "@std/assert";
import { PDFDocument } from "pdf-lib";
import { pdfOf } from "../../../routes/pages/pdf.ts";

const text = (bytes: Uint8Array) => new TextDecoder("latin1").decode(bytes);

Deno.test("pdfOf() prints a page that a reader of PDF opens, with its objects where its table says", async () => {
  const bytes = pdfOf({ title: "A (title)", lines: ["Total: €1.00", "ü\\"] });
  const document = await PDFDocument.load(bytes, {
    throwOnInvalidObject: true,
  });
  assertEquals([document.getPageCount(), document.getTitle()], [
    1,
    "A (title)",
  ]);
  const file = text(bytes);
  const places = [...file.matchAll(/^(\d{10}) 00000 n $/gm)];
  for (const [at, [, place]] of places.entries()) {
    assert(file.slice(Number(place)).startsWith(`${at + 1} 0 obj`));
  }
  const [, table] = /startxref\n(\d+)/.exec(file) ?? [];
  assert(file.slice(Number(table)).startsWith("xref"));
  assertEquals(
    bytes,
    pdfOf({ title: "A (title)", lines: ["Total: €1.00", "ü\\"] }),
  );
});

Deno.test("pdfOf() escapes what PDF reads otherwise, keeps Western letters, breaks long lines and bounds the rest", () => {
  const file = text(pdfOf({
    title: "t",
    lines: ["(a) \\b", "“€” ü", "Ełk Ω é漢\n", "x".repeat(500)],
  }));
  assert(file.includes("(\\(a\\) \\\\b) Tj"));
  assert(file.includes("(“€” ü) Tj"));
  assert(file.includes("(Elk ? é??) Tj"));
  const xs = [...file.matchAll(/\((x+)\) Tj/g)].map(([, some]) => some?.length);
  assertEquals(xs, [95, 95, 95, 95, 95, 25]);
  const words = "seven77 ".repeat(30).trim();
  const wrapped = text(pdfOf({ title: "t", lines: [words] }));
  const printed = [...wrapped.matchAll(/\((seven.*)\) Tj/g)].map(([, each]) =>
    each
  );
  assertEquals(printed.length, 3);
  assertEquals(printed.join(" "), words);
  const many = Array.from({ length: 500 }, () => "line");
  const lines = text(pdfOf({ title: "t", lines: many })).match(/\(line\) Tj/g);
  assertEquals(lines?.length, 45);
});
