import { assert, assertEquals } from "@std/assert";
import { FREE_PLACES, RequestPlaces } from "../../app/request_places.ts";

/** Takes places until there is none; answers how to leave them. */
function fill(places: RequestPlaces, network: string): (() => void)[] {
  const left: (() => void)[] = [];
  for (;;) {
    const leave = places.take(() => network);
    if (leave === null) return left;
    left.push(leave);
  }
}

function unasked(): string {
  throw new Error("Nobody's network matters yet");
}

/** Places of which those that are nobody's are taken. */
function crowded(): { places: RequestPlaces; first: (() => void)[] } {
  const places = new RequestPlaces();
  const first = Array.from({ length: FREE_PLACES }, () => {
    const leave = places.take(unasked);
    assert(leave);
    return leave;
  });
  return { places, first };
}

Deno.test("a thousand requests are in flight before anybody's network is looked at", () => {
  const { places, first } = crowded();
  first.forEach((leave) => leave());
  for (let n = 0; n < FREE_PLACES; n++) assert(places.take(unasked));
});

Deno.test("beyond that a network has 320 requests in flight, and others are let in", () => {
  const { places } = crowded();
  const held = fill(places, "192.0.2.1");
  assertEquals(held.length, 320);
  assert(places.take(() => "192.0.2.2"));
  held[0]?.();
  assertEquals(fill(places, "192.0.2.1").length, 1);
});

Deno.test("however many networks have requests in flight, there are 9,192 at most, and the more the fewer each has", () => {
  const { places } = crowded();
  let total = FREE_PLACES;
  let fewest = Infinity;
  for (let n = 0; n < 10_000; n++) {
    const { length } = fill(places, `10.0.${n >> 8}.${n & 255}`);
    total += length;
    if (length > 0) fewest = length;
  }
  assertEquals(total, FREE_PLACES + 8_192);
  assertEquals(fewest, 1);
  assertEquals(places.take(() => "192.0.2.1"), null);
});
