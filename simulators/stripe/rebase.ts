/**
 * Keeps addresses in the books right when the simulator moves to another
 * port.
 *
 * @module
 */

import type { Books } from "./books.ts";
import type { TableName } from "./objects.ts";

/** Where the books keep addresses of the simulator itself. */
const ADDRESSES: [table: TableName, member: string][] = [
  ["checkout_session", "url"],
  ["credit_note", "pdf"],
  ["invoice", "invoice_pdf"],
  ["portal_session", "url"],
  ["verification_session", "url"],
];

/** Points the addresses in the books at this simulator. */
export function rebase(books: Books, baseUrl: string, nowMs: number): void {
  const moved = ADDRESSES.flatMap(([table, member]) => {
    const objects: Iterable<object> = books.tables[table].values();
    return [...objects].flatMap((object) => {
      const address = Reflect.get(object, member);
      if (typeof address !== "string" || address.startsWith(`${baseUrl}/`)) {
        return [];
      }
      const { pathname } = new URL(address);
      return [{ table, object: { ...object, [member]: baseUrl + pathname } }];
    });
  });
  if (moved.length === 0) return;
  books.transact(nowMs, (change) => {
    for (const { table, object } of moved) change.put(table, object as never);
  });
}
