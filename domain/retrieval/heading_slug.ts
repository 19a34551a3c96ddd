/**
 * The fragment of a heading in a published document, as GitHub writes it: in
 * lower case, without punctuation, spaces as hyphens.
 *
 * Whoever renders a document to HTML gives each heading (`#` to `######`) the
 * `id` that a `HeadingSlugs` of that document answers for it, asked in the
 * order of the document: the addresses of search results end in these
 * fragments.
 *
 * @param heading the heading as it reads, or its Markdown source
 */
export function headingSlug(heading: string): string {
  return heading.normalize("NFC").toLowerCase().trim()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, "")
    .replaceAll(" ", "-");
}

/** Gives the headings of one document fragments that differ. */
export class HeadingSlugs {
  readonly #given = new Set<string>();

  /** The next heading's fragment: `scopes`, then `scopes-1`, `scopes-2`. */
  next(heading: string): string {
    const slug = headingSlug(heading);
    let free = slug;
    for (let n = 1; this.#given.has(free); n++) free = `${slug}-${n}`;
    this.#given.add(free);
    return free;
  }
}
