import { assertEquals, assertThrows } from "@std/assert";
import { Refused } from "../../../domain/refusal.ts";
import { readText } from "../../../domain/text/read_text.ts";

const NAME = { min: 1, max: 5 };

Deno.test("readText() keeps a plain text, composed and without white space around it", () => {
  assertEquals(readText("  cafe\u0301 ", NAME, "Cannot name it"), "café");
});

Deno.test("readText() says what can't be done, and what to do about the text", () => {
  const said = new Map([
    ["", "Cannot name it: Write 1 to 5 characters here."],
    ["longer", "Cannot name it: Shorten this to 5 characters."],
  ]);
  for (const [typed, message] of said) {
    const thrown = assertThrows(
      () => readText(typed, NAME, "Cannot name it"),
      Refused,
    );
    assertEquals(thrown.refusal, { code: "invalid_input", message });
  }
});
