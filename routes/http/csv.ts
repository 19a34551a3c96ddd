/** What a field of a table may hold. */
export type CsvField = string | number | boolean | null;

/** A program that opens tables takes a text that begins so for a formula. */
const FORMULA = /^[\s\p{Cc}]*[=+\-@\t\r＝＋－＠]/u;
/**
 * Where people write 1,5, programs part fields at semicolons, and see no quotes
 * but at the beginning of what they take for a field: not of ours, behind a comma.
 */
const FORMULA_INSIDE = /;(?=[\s\p{Cc}]*[=+\-@＝＋－＠])/gu;
const QUOTED = /[",;\r\n]/;

/**
 * A table as RFC 4180 has it: CRLF ends each line, and what needs quotes has
 * them. What would be taken for a formula begins with an apostrophe.
 *
 * @param rows the header first
 */
export function csvOf(rows: readonly (readonly CsvField[])[]): string {
  return rows.map((row) => `${row.map(fieldOf).join(",")}\r\n`).join("");
}

function fieldOf(field: CsvField): string {
  if (field === null) return "";
  if (typeof field !== "string") return String(field);
  const marked = field.replace(FORMULA_INSIDE, ";'");
  const text = FORMULA.test(field) ? `'${marked}` : marked;
  return QUOTED.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
