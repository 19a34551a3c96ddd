import { respond } from "./respond.ts";

/** A table to be saved by who asked for it, and by nobody on the way. */
export function csvFile(table: string, name: string): Response {
  return respond(table, {
    headers: {
      "content-type": "text/csv; charset=utf-8; header=present",
      "content-disposition": `attachment; filename="${name}"`,
      "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
    },
  });
}
