import { assertEquals } from "@std/assert";
import { parseClientName } from "../../../../domain/oauth/clients/client_name.ts";

Deno.test("parseClientName() takes names as people write them", () => {
  const names = [
    "Ada's assistant",
    "Größe & Søn ™",
    "日本語のエージェント",
    "Bot ❤️ 1️⃣",
    "X",
    "x".repeat(100),
    "😀".repeat(100),
  ];
  for (const name of names) assertEquals(parseClientName(name), name);
  assertEquals(parseClientName("  Ada  "), "Ada");
});

Deno.test("parseClientName() refuses a name that hides or is nothing to see, as users and their agents read it", () => {
  const hiding = [
    "",
    "   ",
    "\u3164",
    "\u2800\u2800",
    "\u115f\u1160",
    "Claude\u{e0149}\u{e0147}\u{e014e}",
    "Claude\ufe0f",
    "Cl\u034faude",
    "Claude\u{e0069}",
    "Cl\u200baude",
    "Claude\u202eedualC",
    "Claude\n(verified)",
    "Claude\u001b[31m",
    "Claude" + "\u0316".repeat(30),
    "\ud800",
    "x".repeat(101),
  ];
  for (const name of hiding) {
    assertEquals(parseClientName(name), null, JSON.stringify(name));
  }
  for (const name of [null, undefined, 5, ["x"], { name: "x" }]) {
    assertEquals(parseClientName(name), null);
  }
});
