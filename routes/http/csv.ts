/** What a field of a table may hold. */
export type CsvField = string | number | boolean | null;

/** A program that opens tables takes a text that begins so for a formula. */
const FORMULA = /^[\s\p{Cc}]*[=+\-@\t\r＝＋－＠]/u;
/** Semicolons too: where people write 1,5, programs part fields at them. */
const QUOTED = /[",;\r\n]/;

/**
 * A table as RFC 4180 has it: CRLF ends each line, and what needs quotes has
 * them. Texts that would be taken for formulas begin with an apostrophe.
 *
 * @param rows the header first
 */
export function csvOf(rows: readonly (readonly CsvField[])[]): string {
  return rows.map((row) => `${row.map(fieldOf).join(",")}\r\n`).join("");
}

function fieldOf(field: CsvField): string {
  if (field === null) return "";
  if (typeof field !== "string") return String(field);
  const text = FORMULA.test(field) ? `'${field}` : field;
  return QUOTED.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
