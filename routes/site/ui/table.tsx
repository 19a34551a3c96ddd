import type { Child } from "@hono/hono/jsx";
import type { Html } from "../../pages/html.ts";

/** A column of a table. */
export interface Column {
  name: string;
  /** It has numbers, which stand at the right. */
  numeric?: boolean;
  /** It is left out where there is little room. */
  roomy?: boolean;
}

/** What a table shows. */
export interface TableProps {
  /** Names the table, and with `id` its elements. */
  caption: string;
  id: string;
  columns: readonly Column[];
  /** The cells of each row; the first names it. */
  rows: readonly (readonly Child[])[];
}

/** With more columns, a phone shows each row of the desk's as lines. */
const COLUMNS_ABREAST = 3;

/** Figures in rows; what is too wide for the window can be scrolled to. */
export function Table({ caption, id, columns, rows }: TableProps): Html {
  const classOf = ({ numeric, roomy }: Column = { name: "" }) =>
    [numeric && "number", roomy && "roomy"].filter(Boolean).join(" ") ||
    undefined;
  const isStacked = columns.length > COLUMNS_ABREAST;
  return (
    <section class="wide" tabindex={0} aria-labelledby={id}>
      <table class={isStacked ? "figures stacked" : "figures"}>
        <caption id={id}>{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <th scope="col" class={classOf(column)}>{column.name}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([first, ...rest]) => (
            <tr>
              <th scope="row">{first}</th>
              {rest.map((cell, at) => (
                <td
                  class={classOf(columns[at + 1])}
                  data-column={isStacked ? columns[at + 1]?.name : undefined}
                >
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
