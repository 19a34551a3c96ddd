/** How wide a text is. */
export type WidthOf = (text: string) => number;

/** A text in lines of at most this width; a word that is wider is cut. */
export function brokenLines(
  text: string,
  width: number,
  widthOf: WidthOf,
): string[] {
  const lines: string[] = [];
  let line = "";
  const words = text.split(/\s+/).flatMap((word) => cut(word, width, widthOf));
  for (const word of words) {
    const longer = line === "" ? word : `${line} ${word}`;
    if (widthOf(longer) <= width) {
      line = longer;
      continue;
    }
    lines.push(line);
    line = word;
  }
  return [...lines, line];
}

/** A word in pieces of at most this width, as the sum of its letters'. */
export function cut(word: string, width: number, widthOf: WidthOf): string[] {
  const pieces: string[] = [];
  let piece = "";
  let taken = 0;
  for (const letter of word) {
    const more = widthOf(letter);
    if (taken + more > width) {
      pieces.push(piece);
      piece = "";
      taken = 0;
    }
    piece += letter;
    taken += more;
  }
  return [...pieces, piece];
}
