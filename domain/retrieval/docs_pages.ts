/** The pages of the documentation, as the documentation tools name them. */
export const DOCS_PATHS = [
  "/affiliate.md",
  "/developers.md",
  "/auth.md",
  "/versioning.md",
  "/privacy.md",
] as const;

/** The path of a page of the documentation. */
export type DocsPath = typeof DOCS_PATHS[number];

/** The pages that are searched: these two too, though no tool reads them whole. */
export const SEARCHED_PATHS = [
  ...DOCS_PATHS,
  "/hosts.md",
  "/terms.md",
] as const;

/** The path of a page that is searched. */
export type SearchedPath = typeof SEARCHED_PATHS[number];

/**
 * The published documents by their path, with the service's own addresses
 * written into them. Others than the pages above may be among them.
 */
export type PublishedDocuments = Readonly<Record<string, string>>;

/**
 * The address at which people read a page; headings are its fragments, see
 * `HeadingSlugs`.
 */
export function docsPageUrl(baseUrl: string, path: SearchedPath): string {
  return baseUrl + path.slice(0, -".md".length);
}
