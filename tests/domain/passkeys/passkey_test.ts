import { assertEquals } from "@std/assert";
import { isFull } from "../../../domain/passkeys/passkey.ts";

/** So many passkeys, with keys of so many characters. */
function passkeys(count: number, characters: number) {
  const one = {
    credentialId: "x".repeat(43),
    publicKey: "k".repeat(characters),
  };
  return Array.from({ length: count }, () => one);
}

for (
  const [count, characters, full] of [
    [19, 103, false],
    [20, 103, true],
    // The largest keys that there are: their row stays far below 64 KiB.
    [9, 4_096, false],
    [10, 4_096, true],
  ] as const
) {
  Deno.test(`${count} passkeys of ${characters} characters leave ${full ? "no room" : "room"} for another`, () => {
    assertEquals(isFull(passkeys(count, characters)), full);
  });
}
