import { assert, assertEquals } from "@std/assert";
import { AskerLine } from "../../../domain/rate_limit/bucket.ts";
import { LineTurns } from "../../../domain/rate_limit/line_turns.ts";

/** Lines that wait in this order, by their names, which begin with their asker. */
function turnsOf(...names: string[]) {
  const turns = new LineTurns();
  const lines = names.map((name) => new AskerLine(name.slice(0, 1)));
  for (const line of lines) turns.add(line);
  const line = (name: string) => {
    const found = lines[names.indexOf(name)];
    assert(found);
    return found;
  };
  /** Names of the next ones, whose turns are over then. */
  const next = (count: number) =>
    Array.from({ length: count }, () => {
      const { first } = turns;
      turns.passFirst();
      return names.find((name) => line(name) === first) ?? null;
    });
  return { turns, line, next };
}

Deno.test("LineTurns gives askers turns, and of each its lines in their order", () => {
  const { turns, next } = turnsOf("a1", "a2", "a3", "b1", "c1", "c2");
  assertEquals(["a", "b", "c", "d"].map((one) => turns.sizeOf(one)), [
    ...[3, 1, 2],
    0,
  ]);
  assertEquals(next(7), ["a1", "b1", "c1", "a2", "c2", "a3", null]);
  assertEquals(["a", "b", "c"].map((one) => turns.sizeOf(one)), [0, 0, 0]);
});

Deno.test("LineTurns puts a first line before the others of its asker, whose turn is as before", () => {
  const { turns, line, next } = turnsOf("a1", "b1", "b2");
  next(2);
  turns.add(line("a1"));
  turns.addFirst(line("b1"));
  assertEquals(next(4), ["b1", "a1", "b2", null]);
});

Deno.test("LineTurns puts the first line of an asker who has none before everybody's", () => {
  const { turns, line, next } = turnsOf("a1", "b1", "c1");
  next(1);
  turns.addFirst(line("a1"));
  assertEquals(next(4), ["a1", "b1", "c1", null]);
});

Deno.test("LineTurns leaves out what is served, and whoever has nothing else", () => {
  const { turns, line, next } = turnsOf("a1", "a2", "b1", "c1", "c2");
  turns.leaveOut(new Set([line("a1"), line("b1"), line("c2")]));
  assertEquals(["a", "b", "c"].map((one) => turns.sizeOf(one)), [1, 0, 1]);
  turns.add(line("b1"));
  assertEquals(next(4), ["a2", "c1", "b1", null]);
});
