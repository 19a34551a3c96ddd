import type { Documents } from "./routes/site/pages/asset_routes.ts";

/** The published documents, by the path they are served at. */
const PUBLISHED = [
  "/developers.md",
  "/auth.md",
  "/privacy.md",
  "/terms.md",
] as const;

/** Reads the published documents once, from `docs/` beside this file. */
export async function readDocuments(): Promise<Documents> {
  const documents: Record<`/${string}.md`, string> = {};
  for (const path of PUBLISHED) {
    const file = new URL(`./docs${path}`, import.meta.url);
    documents[path] = await Deno.readTextFile(file);
  }
  return documents;
}
