/** Longest header that is read; a browser's has 150 characters. */
const ACCEPT_MAX = 1_024;

/**
 * The media type that a request prefers (RFC 9110 §12.5.1). Of those it likes
 * alike one that it names is taken before one that a wildcard stands for, and
 * of several that it names the first: browsers never name Markdown, and programs
 * that do often end their list with a wildcard as good. Else the usual one is
 * taken, and so it is where the request likes none of them.
 *
 * @param accept the header Accept; null when it was not sent. A longer one than
 *   anybody needs is as good as none.
 * @param offered at least one type, the usual one first, in lower case
 */
export function preferredType<Type extends string>(
  accept: string | null,
  offered: readonly [Type, ...Type[]],
): Type {
  const ranges = rangesOf(accept);
  let [best] = offered;
  let liking = likingOf(best, ranges);
  for (const type of offered) {
    const other = likingOf(type, ranges);
    if (isMore(other, liking)) [best, liking] = [type, other];
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

/** How much a type is liked, and how closely the request names it. */
interface Liking {
  weight: number;
  /** 2 for the type itself, 1 for its group, 0 for any. */
  closeness: number;
  /** Where in the list it is named. */
  place: number;
}

/** The range that names the type most closely decides. */
function likingOf(type: string, ranges: readonly Range[]): Liking {
  const group = `${type.slice(0, type.indexOf("/"))}/*`;
  for (const [at, wanted] of [type, group, "*/*"].entries()) {
    const place = ranges.findIndex(({ range }) => range === wanted);
    const weight = ranges[place]?.weight;
    if (weight !== undefined) return { weight, closeness: 2 - at, place };
  }
  return { weight: 0, closeness: 0, place: 0 };
}

/** Whether the first is liked more; what is not liked at all never is. */
function isMore(first: Liking, second: Liking): boolean {
  if (first.weight === 0) return false;
  const differences = [
    first.weight - second.weight,
    first.closeness - second.closeness,
    second.place - first.place,
  ];
  return (differences.find((difference) => difference !== 0) ?? 0) > 0;
}
