import { type Piece, PIECE_BYTES } from "./large_body.ts";

/** Pieces that are remembered: 256, with at most 80 KB each and its text. */
export const REMEMBERED_MAX = 256;

interface Remembered {
  text: string;
  piece: Piece;
}

/** By their text, the one used longest ago first. */
const remembered = new Map<string, Remembered>();

/** A text in pieces. */
export interface SharedPieces {
  pieces: Piece[];
  /** Bytes of those that no answer before had. */
  ownBytes: number;
}

/**
 * A text as bytes, of which equal pieces are the same bytes in all answers. Of an
 * answer that Deno has buffered whole nobody learns when, or whether, its client
 * reads it: what thousands are sent is to be in memory once.
 */
export function sharedPieces(text: string): SharedPieces {
  const pieces: Piece[] = [];
  let ownBytes = 0;
  for (let from = 0; from < text.length;) {
    const end = endOfPiece(text, from);
    const part = text.slice(from, end);
    const before = remembered.get(part);
    const { piece } = before ?? made(part);
    if (before === undefined) ownBytes += piece.length;
    else keep(before);
    pieces.push(piece);
    from = end;
  }
  return { pieces, ownBytes };
}

/** Where a piece ends: never within a character of two halves. */
function endOfPiece(text: string, from: number): number {
  const end = from + PIECE_BYTES;
  const isWithin = (text.codePointAt(end - 1) ?? 0) > 0xffff;
  return isWithin ? end + 1 : end;
}

const encoder = new TextEncoder();
/** Whatever a text begins with is part of it. */
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

function made(part: string): Remembered {
  const piece = encoder.encode(part);
  // A part would keep the whole text that it was cut out of: hence a copy.
  const entry = { text: decoder.decode(piece), piece };
  keep(entry);
  return entry;
}

/** Puts it last of those that are to be forgotten. */
function keep(entry: Remembered): void {
  remembered.delete(entry.text);
  remembered.set(entry.text, entry);
  const [oldest] = remembered.keys();
  if (remembered.size > REMEMBERED_MAX && oldest !== undefined) {
    remembered.delete(oldest);
  }
}
