/** A table of a Markdown document. */
export interface DocTable {
  /** The heading of the second level that it stands under. */
  section: string;
  /** What its columns are called. */
  head: readonly string[];
  /** Its cells, row by row, without the spaces around them. */
  rows: readonly string[][];
}

/** The tables of a Markdown document, in their order. */
export function tablesOf(doc: string): DocTable[] {
  return doc.split(/^## /m).slice(1).flatMap((text) => {
    const [section = ""] = text.split("\n", 1);
    const tables = text.match(/(?:^\|.*\n?)+/gm) ?? [];
    return tables.map((table) => {
      const [head = [], _line, ...rows] = table.trimEnd().split("\n")
        .map(cellsOf);
      return { section, head, rows };
    });
  });
}

function cellsOf(line: string): string[] {
  return line.split(/(?<!\\)\|/).slice(1, -1).map((cell) => cell.trim());
}

/** The names of tests in a cell, which stand between backticks. */
export function testsIn(cell: string): string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, name = ""]) =>
    name.replaceAll("\\|", "|")
  );
}
