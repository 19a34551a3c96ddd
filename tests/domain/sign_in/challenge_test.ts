import { assert, assertEquals, assertMatch } from "@std/assert";
import fc from "fast-check";
import { codeFrom, parseCode } from "../../../domain/sign_in/challenge.ts";

Deno.test("codeFrom() makes 8 digits of any secret, and parseCode() reads them", () => {
  fc.assert(fc.property(fc.string(), (secret) => {
    const code = codeFrom(secret);
    assertMatch(code, /^\d{8}$/);
    assertEquals(codeFrom(secret), code);
    assertEquals(parseCode(` ${code.slice(0, 4)}-${code.slice(4)}\n`), code);
  }));
});

Deno.test("codeFrom() spreads codes over all first digits", () => {
  const counts = new Map<string, number>();
  for (let at = 0; at < 5_000; at++) {
    const [first = ""] = codeFrom(`secret ${at}`);
    counts.set(first, (counts.get(first) ?? 0) + 1);
  }
  assertEquals(counts.size, 10);
  for (const count of counts.values()) assert(count > 400 && count < 600);
});

for (
  const text of ["", "1234567", "123456789", "1234567a", "１２３４５６７８"]
) {
  Deno.test(`parseCode() takes ${JSON.stringify(text)} for no code`, () => {
    assertEquals(parseCode(text), null);
  });
}
