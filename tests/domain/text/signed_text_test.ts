import { assertEquals } from "@std/assert";
import {
  readSignedText,
  signedText,
} from "../../../domain/text/signed_text.ts";
import { TEST_KEYS } from "../../support/keys.ts";

const PARTS = ["acc_1", "2026-11-20", "confirm"];
const read = (text: string, count = PARTS.length) =>
  readSignedText(TEST_KEYS, "erasure", { text, count });

Deno.test("readSignedText() reads what signedText() has signed, for its purpose alone", () => {
  const text = signedText(TEST_KEYS, "erasure", PARTS);
  assertEquals(read(text), PARTS);
  const other = { text, count: PARTS.length };
  assertEquals(readSignedText(TEST_KEYS, "unsubscribe", other), null);
});

Deno.test("readSignedText() knows no text in which anything was changed", () => {
  const text = signedText(TEST_KEYS, "erasure", PARTS);
  for (let at = 0; at < text.length; at++) {
    const letter = text[at] === "a" ? "b" : "a";
    assertEquals(read(text.slice(0, at) + letter + text.slice(at + 1)), null);
    assertEquals(read(text.slice(0, at)), null);
  }
  assertEquals(read(`${text}~`), null);
  assertEquals(read(`${text}~x`), null);
  assertEquals(read(` ${text}`), null);
});

Deno.test("readSignedText() takes as many parts as were signed, and none moved from one to another", () => {
  const text = signedText(TEST_KEYS, "erasure", PARTS);
  assertEquals(read(text, 2), null);
  assertEquals(read(text, 4), null);
  const joined = signedText(TEST_KEYS, "erasure", ["acc_1|2026-11-20", "x"]);
  assertEquals(read(joined, 2), null);
});

Deno.test("readSignedText() reads parts of 64 characters and no longer ones", () => {
  const long = "x".repeat(64);
  assertEquals(read(signedText(TEST_KEYS, "erasure", [long]), 1), [long]);
  assertEquals(read(signedText(TEST_KEYS, "erasure", [`${long}x`]), 1), null);
});
