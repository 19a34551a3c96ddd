import { assert, assertEquals } from "@std/assert";
import { PIECE_BYTES } from "../../../routes/http/large_body.ts";
import { LargeAnswer, respond } from "../../../routes/http/respond.ts";
import {
  REMEMBERED_MAX,
  sharedPieces,
} from "../../../routes/http/shared_pieces.ts";

/** A text of so many pieces that no other test has. */
function textOf(name: string, pieces = 3): string {
  return Array.from(
    { length: pieces },
    (_, nth) => `${name} ${nth} `.padEnd(PIECE_BYTES, "."),
  ).join("");
}

/** The bytes that an answer gives out, as they lie in memory. */
async function buffersOf(answer: Response): Promise<ArrayBuffer[]> {
  const pieces = await Array.fromAsync(answer.body ?? []);
  return pieces.map((piece) => piece.buffer);
}

Deno.test("a large text that is made anew for each of many who read nothing is kept once", async () => {
  const buffers = new Set<ArrayBuffer>();
  const own: number[] = [];
  for (let nth = 0; nth < 100; nth++) {
    const answer = respond(textOf("page"));
    if (answer instanceof LargeAnswer) own.push(answer.ownBytes);
    for (const each of await buffersOf(answer)) buffers.add(each);
  }
  assertEquals(buffers.size, 3);
  assertEquals(own, [3 * PIECE_BYTES, ...new Array<number>(99).fill(0)]);
});

Deno.test("of large texts that differ at their end only the end is kept for each", () => {
  sharedPieces(`${textOf("call")}"id":1`);
  assertEquals(sharedPieces(`${textOf("call")}"id":2`).ownBytes, 6);
});

Deno.test("a text in shared pieces is the same text, whatever lies where it is cut", async () => {
  const before = "a".repeat(PIECE_BYTES - 1);
  const after = "z".repeat(PIECE_BYTES);
  for (const within of ["😀", "é", "\ufeff", "a\ufeff", "\ud83d", "b\udc00"]) {
    const text = before + within + after;
    // The second time from memory.
    for (const _ of [1, 2]) {
      const got = await respond(text).bytes();
      assertEquals(got, encoded(text), JSON.stringify(within));
    }
  }
  // Begins as the other does not, and is its own all the same.
  assertEquals(
    await respond(`\ufeff${after}`).bytes(),
    encoded(`\ufeff${after}`),
  );
  assertEquals(await respond(after).bytes(), encoded(after));
});

Deno.test("pieces are short enough that a map tells them apart by more than their length", () => {
  const find = (length: number) => {
    const texts = Array.from(
      { length: REMEMBERED_MAX },
      (_, nth) => `${nth}`.padStart(length, "a"),
    );
    const known = new Map(texts.map((text) => [text, text]));
    // A string made anew has no hash yet.
    const asked = texts.map((text) => `x${text}`.slice(1));
    const startMs = performance.now();
    asked.forEach((text) => known.get(text));
    return performance.now() - startMs;
  };
  const times = [0, 1, 2].map(() => find(PIECE_BYTES + 1) / find(20_000));
  assert(Math.min(...times) < 0.5, `${times}`);
});

function encoded(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}

Deno.test("of the pieces of texts so many are remembered, and those that are used longest", () => {
  const used = textOf("used", 1);
  sharedPieces(used);
  sharedPieces(textOf("unused", 1));
  for (let nth = 0; nth < REMEMBERED_MAX - 1; nth++) {
    sharedPieces(textOf(`other ${nth}`, 1));
    assertEquals(sharedPieces(used).ownBytes, 0);
  }
  assertEquals(sharedPieces(textOf("unused", 1)).ownBytes, PIECE_BYTES);
});
