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
  const repeated = new Set<string>();
  for (const pair of text.split("&")) {
    const [name, value] = decoded(pair);
    if (value === "") continue;
    const before = values.get(name);
    if (before === undefined) values.set(name, [value]);
    else {
      before.push(value);
      repeated.add(name);
    }
    raw.set(name, pair);
  }
  return {
    get: (name) => values.get(name)?.[0] ?? null,
    all: (name) => values.get(name) ?? [],
    repeated,
    encoded(name) {
      const pair = raw.get(name);
      return pair === undefined
        ? null
        : reencode(pair.slice(pair.indexOf("=") + 1));
    },
  };
}

/** What needs nothing but percent-decoding, or not even that. */
const PLAIN = /^[^+?\ud800-\udfff]*$/;

/** Name and value of a pair; both empty where there is none. */
function decoded(pair: string): readonly [name: string, value: string] {
  const plain = PLAIN.test(pair) ? plainlyDecoded(pair) : null;
  return plain ?? [...new URLSearchParams(pair)][0] ?? ["", ""];
}

/** As URLSearchParams does it, but sooner; null for what is malformed. */
function plainlyDecoded(
  pair: string,
): readonly [name: string, value: string] | null {
  const at = pair.indexOf("=");
  const [name, value] = at < 0
    ? [pair, ""]
    : [pair.slice(0, at), pair.slice(at + 1)];
  if (!pair.includes("%")) return [name, value];
  try {
    return [decodeURIComponent(name), decodeURIComponent(value)];
  } catch {
    return null;
  }
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
