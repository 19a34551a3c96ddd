import { respond } from "./respond.ts";

/** The headers of a file to be saved by who asked for it, and never to be shown. */
export function savedAs(name: string, type: string): Record<string, string> {
  return {
    "content-type": type,
    "content-disposition": `attachment; filename="${name}"`,
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
  };
}

/** A table to be saved by who asked for it, and by nobody on the way. */
export function csvFile(table: string, name: string): Response {
  const saved = savedAs(name, "text/csv; charset=utf-8; header=present");
  return respond(table, { headers: { ...saved, "cache-control": "no-store" } });
}
