import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { csvOf } from "../../../routes/http/csv.ts";

/** Reads a table as RFC 4180 says. */
function readCsv(text: string): string[][] {
  const rows: string[][] = [];
  let [row, field, quoted] = [[] as string[], "", false];
  for (let at = 0; at < text.length; at++) {
    const [one, two] = [text[at], text[at + 1]];
    if (quoted && one === '"' && two === '"') {
      [field, at] = [field + '"', at + 1];
    } else if (one === '"') quoted = !quoted;
    else if (quoted) field += one;
    else if (one === ",") [row, field] = [[...row, field], ""];
    else if (one === "\r" && two === "\n") {
      rows.push([...row, field]);
      [row, field, at] = [[], "", at + 1];
    } else field += one;
  }
  assertEquals([quoted, field, row], [false, "", []], "the table ends a line");
  return rows;
}

const TEXT = fc.oneof(
  fc.string({ unit: "grapheme" }),
  fc.string({ unit: fc.constantFrom(..."=+-@\t\r\n\",;'a1 ".split("")) }),
);

Deno.test("csvOf() is read back as it was written, and no text begins a formula", () => {
  const table = fc.array(fc.array(TEXT, { minLength: 1, maxLength: 4 }));
  fc.assert(fc.property(table, (rows) => {
    const read = readCsv(csvOf(rows));
    assertEquals(read.length, rows.length);
    rows.forEach((row, at) =>
      row.forEach((text, column) => {
        const field = read[at]?.[column] ?? "";
        assertEquals(field.replaceAll("'", ""), text.replaceAll("'", ""));
        for (const part of field.split(";")) {
          assert(!/^[=+\-@]/.test(part.trimStart()), field);
        }
        assert(!/^[\t\r]/.test(field), field);
      })
    );
  }));
});

Deno.test("csvOf() leaves numbers as they are, and nothing for null", () => {
  assertEquals(
    csvOf([["a", "b"], [-5, null], [true, "=1+1"]]),
    "a,b\r\n-5,\r\ntrue,'=1+1\r\n",
  );
});

Deno.test("csvOf() keeps a field whole where programs part fields at semicolons", () => {
  assertEquals(csvOf([["x;y", "y"]]), '"x;y",y\r\n');
});

Deno.test("csvOf() marks what would be a formula where quotes do not keep a field behind another one whole", () => {
  assertEquals(
    csvOf([["a", "x;=1+1;y; -2;a-b;"]]),
    `a,"x;'=1+1;y;' -2;a-b;"\r\n`,
  );
});
