/** Longest header that is read; a browser's has 150 characters. */
const ACCEPT_MAX = 1_024;

/**
 * The media type that a request prefers (RFC 9110 §12.5.1). Of those it likes
 * alike the first is taken, and so it is where it likes none of them.
 *
 * @param accept the header Accept; null when it was not sent. A longer one than
 *   anybody needs is as good as none.
 * @param offered at least one type, the usual one first, in lower case
 */
export function preferredType<Type extends string>(
  accept: string | null,
  offered: readonly [Type, ...Type[]],
): Type {
  const [usual] = offered;
  const ranges = rangesOf(accept);
  let best = usual;
  let weight = weightOf(usual, ranges);
  for (const type of offered) {
    const of = weightOf(type, ranges);
    if (of > weight) [best, weight] = [type, of];
  }
  return best;
}

/** What a request likes, and how much: from 0 to 1. */
export interface Range {
  range: string;
  weight: number;
}

/**
 * The parts of a header that says what is liked. None of one that is longer
 * than anybody needs.
 */
export function rangesOf(header: string | null): Range[] {
  if (header === null || header.length > ACCEPT_MAX) return [];
  return header.split(",").map(rangeOf);
}

function rangeOf(text: string): Range {
  const [range = "", ...parameters] = text.split(";")
    .map((part) => part.trim().toLowerCase());
  const sent = parameters.find((each) => each.startsWith("q="))?.slice(2);
  const weight = sent === undefined ? 1 : Number(sent);
  return { range, weight: weight >= 0 && weight <= 1 ? weight : 0 };
}

/** The range that names the type most closely decides. */
function weightOf(type: string, ranges: readonly Range[]): number {
  const group = `${type.slice(0, type.indexOf("/"))}/*`;
  for (const wanted of [type, group, "*/*"]) {
    const found = ranges.find(({ range }) => range === wanted);
    if (found !== undefined) return found.weight;
  }
  return 0;
}
