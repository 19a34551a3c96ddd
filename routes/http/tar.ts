import { invariant } from "../../domain/invariant.ts";
import { joinedBytes } from "../../domain/joined_bytes.ts";
import type { Piece } from "./large_body.ts";

/** What an archive is made of: headers and contents fill whole blocks. */
const BLOCK = 512;
/** Longest path that a plain header has room for. */
const PATH_MAX = 100;
/** When archives say that their files were written; the same for good. */
const WRITTEN_S = Date.UTC(2026, 0, 1) / 1_000;

const encoder = new TextEncoder();

/**
 * Text files as an archive (ustar, POSIX.1-1988), in the order given. The same
 * files always give the same bytes.
 *
 * @param files texts by their path in the archive, 100 bytes at most
 */
export function tarOf(files: readonly (readonly [string, string])[]): Piece {
  const parts = files.flatMap(([path, text]) => {
    const content = encoder.encode(text);
    return [headerOf(path, content.length), padded(content)];
  });
  // Two empty blocks end an archive.
  return joinedBytes([...parts, new Uint8Array(2 * BLOCK)]);
}

function padded(content: Uint8Array): Uint8Array {
  const made = new Uint8Array(Math.ceil(content.length / BLOCK) * BLOCK);
  made.set(content);
  return made;
}

/** Fields by the place at which they begin; numbers are octal. */
function headerOf(path: string, size: number): Uint8Array {
  const header = new Uint8Array(BLOCK);
  const put = (at: number, text: string) => {
    header.set(encoder.encode(text), at);
  };
  invariant(encoder.encode(path).length <= PATH_MAX, `${path} is short enough`);
  put(0, path);
  put(100, "0000644\0");
  put(108, "0000000\0");
  put(116, "0000000\0");
  put(124, `${octal(size)}\0`);
  put(136, `${octal(WRITTEN_S)}\0`);
  // The sum is taken with blanks in its own place.
  put(148, " ".repeat(8));
  put(156, "0");
  put(257, "ustar\0");
  put(263, "00");
  const sum = header.reduce((total, byte) => total + byte, 0);
  put(148, `${sum.toString(8).padStart(6, "0")}\0 `);
  return header;
}

function octal(count: number): string {
  return count.toString(8).padStart(11, "0");
}
