import { assert, assertEquals } from "@std/assert";
import { SharedTexts } from "../../../routes/http/shared_texts.ts";

Deno.test("SharedTexts makes a text once for a state and a key", () => {
  const texts = new SharedTexts();
  const made: string[] = [];
  const state = {};
  const of = (at: object, key: string) =>
    texts.of(at, key, () => {
      made.push(key);
      return key;
    });
  assert(of(state, "a") === of(state, "a"));
  assertEquals(of(state, "b").text, "b");
  of(state, "a");
  assertEquals(made, ["a", "b"]);
  of({}, "a");
  assertEquals(made, ["a", "b", "a"]);
});

Deno.test("SharedTexts forgets what was asked for longest ago, and no more", () => {
  const texts = new SharedTexts(2);
  const state = {};
  let made = 0;
  const of = (key: string) =>
    texts.of(state, key, () => {
      made++;
      return key;
    });
  of("a");
  of("b");
  of("a");
  of("c");
  assertEquals(made, 3);
  of("a");
  assertEquals(made, 3);
  of("b");
  assertEquals(made, 4);
});

Deno.test("SharedTexts keeps nothing of what could not be made", () => {
  const texts = new SharedTexts();
  const state = {};
  const broken = () => {
    throw new Error("broken");
  };
  try {
    texts.of(state, "a", broken);
  } catch { /* The next one asks again. */ }
  assertEquals(texts.of(state, "a", () => "made").text, "made");
});
