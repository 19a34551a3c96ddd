import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import {
  parsePasskeyName,
  PASSKEY_NAME_MAX,
} from "../../../domain/passkeys/passkey_name.ts";
import { Refused } from "../../../domain/refusal.ts";
import { assertRefused } from "../../support/refused.ts";

Deno.test("parsePasskeyName() keeps a name in one visible line", () => {
  assertEquals(parsePasskeyName("  Ada’s\n\tphone  "), "Ada’s phone");
  assertEquals(parsePasskeyName("e\u0301\u202e\u200bx"), "éx");
  const longest = "😀".repeat(PASSKEY_NAME_MAX);
  assertEquals(parsePasskeyName(longest), longest);
});

Deno.test("parsePasskeyName() refuses what is empty or too long", async () => {
  for (const text of ["", " ", "\u0000", "x".repeat(PASSKEY_NAME_MAX + 1)]) {
    await assertRefused(() => parsePasskeyName(text), "invalid_input");
  }
});

Deno.test("parsePasskeyName() leaves one space where white space and unseen characters stood", () => {
  assertEquals(parsePasskeyName("my\t\u0000\tkey"), "my key");
  assertEquals(parsePasskeyName("e\u200b\u0301"), "\u00e9");
});

Deno.test("parsePasskeyName() answers nothing unseen, whatever it is given", () => {
  fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => {
    try {
      const name = parsePasskeyName(text);
      assert(!/[\p{C}\n\r]/u.test(name));
      assertEquals(parsePasskeyName(name), name);
    } catch (thrown) {
      assert(thrown instanceof Refused);
    }
  }));
});
