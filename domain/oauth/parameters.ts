/** The parameters of a query or a form, read as OAuth 2.1 §3.2 says. */
export interface Parameters {
  /** The value; null when it is absent or empty, which is the same. */
  get(name: string): string | null;
  /** Every value of a parameter that may be repeated. */
  all(name: string): readonly string[];
  /** The names that came more than once. */
  readonly repeated: ReadonlySet<string>;
  /** The value, percent-encoded, that decodes to the very bytes that came. */
  encoded(name: string): string | null;
}

/** Reads `application/x-www-form-urlencoded` text. */
export function readParameters(text: string): Parameters {
  const values = new Map<string, string[]>();
  const raw = new Map<string, string>();
  for (const pair of text.split("&")) {
    for (const [name, value] of new URLSearchParams(pair)) {
      if (value === "") continue;
      values.set(name, [...values.get(name) ?? [], value]);
      raw.set(name, pair.slice(pair.indexOf("=") + 1));
    }
  }
  const repeated = [...values].filter(([, each]) => each.length > 1);
  return {
    get: (name) => values.get(name)?.[0] ?? null,
    all: (name) => values.get(name) ?? [],
    repeated: new Set(repeated.map(([name]) => name)),
    encoded(name) {
      const value = raw.get(name);
      return value === undefined ? null : reencode(value);
    },
  };
}

/**
 * Other percent-encodings of a text decode to the same bytes; this one is
 * safe in an address, a header and a page.
 */
function reencode(raw: string): string {
  return raw.replaceAll("+", "%20")
    .replace(/%(?![0-9A-Fa-f]{2})/g, "%25")
    .toWellFormed()
    .replace(/[^A-Za-z0-9\-._~%]/gu, encodeURIComponent)
    .replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16)}`);
}
