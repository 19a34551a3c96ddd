import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { evictOldest } from "../../domain/evict_oldest.ts";

Deno.test("evictOldest() leaves at most so many, all of them newer than what it took", () => {
  const max = fc.integer({ min: 1, max: 300 });
  const ids = fc.array(fc.nat(400), { maxLength: 900 });
  fc.assert(fc.property(max, ids, (most, added) => {
    const map = new Map<number, number>();
    added.forEach((id, at) => {
      const before = [...map.keys()];
      map.set(id, at);
      evictOldest(map, most);
      assertEquals(map.size <= most, true);
      const all = before.includes(id) ? before : [...before, id];
      const gone = all.length - map.size;
      assertEquals([...map.keys()], all.slice(gone));
      assertEquals(gone, all.length > most ? Math.ceil(most / 64) : 0);
    });
  }));
});
