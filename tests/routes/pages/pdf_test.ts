import { assert, assertEquals } from "@std/assert";
import { PDFDocument } from "pdf-lib";
import { pdfOf, type PdfPage } from "../../../routes/pages/pdf.ts";
import { linesOf } from "../../simulators/stripe/pdf_text.ts";

const printed = (page: PdfPage) => linesOf(pdfOf(page));

Deno.test("pdfOf() prints a page that a reader of PDF opens, with its objects where its table says", async () => {
  const page = { title: "A (title) of Łódź", lines: ["Total: €1.00", "ü\\"] };
  const bytes = pdfOf(page);
  const document = await PDFDocument.load(bytes, {
    throwOnInvalidObject: true,
  });
  assertEquals([document.getPageCount(), document.getTitle()], [
    1,
    page.title,
  ]);
  const file = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  const places = [...file.matchAll(/^(\d{10}) 00000 n $/gm)];
  assertEquals(places.length, 10);
  for (const [at, [, place]] of places.entries()) {
    assert(file.slice(Number(place)).startsWith(`${at + 1} 0 obj`));
  }
  const [, table] = /startxref\n(\d+)/.exec(file) ?? [];
  assert(file.slice(Number(table)).startsWith("xref"));
  assertEquals(await linesOf(bytes), [page.title, ...page.lines]);
  assertEquals(pdfOf(page), bytes);
});

Deno.test("pdfOf() prints the names of companies of all the Union in their letters", async () => {
  const lines = [
    "Łódź Świeże Pączki Spółka z o.o.",
    "Αθηναϊκή Ζυθοποιία Α.Ε., Ώρα, ΐ ΰ",
    "„Щъркел Жълт“ ЕООД – Ґанок, їжак, Љубљана",
    "Žluťoučký kůň s.r.o., Ľubľana, Árvíztűrő Kft.",
    "Ștefan și țară SRL, Għandek ħobż Ltd, Ķīmija SIA, UAB „Ąžuolas“",
    "A/S Smørrebrød & Straße, Ðæ, İğdır, Ẁ ṡ",
  ];
  assertEquals((await printed({ title: "t", lines })).slice(1), lines);
  // A letter that has its mark beside it is the one letter.
  const [, joined] = await printed({ title: "t", lines: ["Cafe\u0301"] });
  assertEquals(joined, "Café");
});

Deno.test("pdfOf() shows that a letter is lacking, and bounds what it prints before it does", async () => {
  const lines = [
    "(a) \\b",
    "a🎉b",
    "שלום",
    "\u202ex\u200b\0\n",
    "日",
    "\ud800",
  ];
  assertEquals((await printed({ title: "t", lines })).slice(1), [
    "(a) \\b",
    "a\ufffdb",
    "\ufffd\ufffd\ufffd\ufffd",
    "\ufffdx\ufffd\ufffd\ufffd",
    "\ufffd",
    "\ufffd",
  ]);
  const many = Array.from({ length: 500 }, () => `a${"\u0316".repeat(10_000)}`);
  const [title, ...marks] = await printed({
    title: "T".repeat(500),
    lines: many,
  });
  assertEquals(title, "T".repeat(49));
  assertEquals(marks.length, 45);
  assert(marks.every((line) => line.length === 1_000));
});

Deno.test("pdfOf() breaks what is wider than the page, between words where there are any", async () => {
  const [, ...wide] = await printed({ title: "t", lines: ["W".repeat(120)] });
  assertEquals(wide.map(({ length }) => length), [51, 51, 18]);
  const words = "seven77 ".repeat(30).trim();
  const [, ...lines] = await printed({ title: "t", lines: [words, "", "end"] });
  assertEquals(lines.slice(-2), ["", "end"]);
  assertEquals(lines.slice(0, -2).join(" "), words);
  assertEquals(lines.length, 5);
});
