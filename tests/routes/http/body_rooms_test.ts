import { assertEquals } from "@std/assert";
import {
  AHEAD_BOUNDS,
  BodyRooms,
  KEPT_BOUNDS,
} from "../../../routes/http/body_rooms.ts";

const QUARTER = KEPT_BOUNDS.network / 4;

/** Keeps halves of bodies; answers which of them had to give way. */
function halves(
  rooms: BodyRooms,
  addressOf: (nth: number) => string,
  count: number,
): number[] {
  const gaveWay: number[] = [];
  for (let nth = 0; nth < count; nth++) {
    const room = rooms.of(addressOf(nth)).kept(() => gaveWay.push(nth));
    assertEquals(room.grow(QUARTER), true);
  }
  return gaveWay;
}

Deno.test("4 MiB are kept of the unfinished bodies of an IPv4 address, and the one waited for longest gives way to the next", () => {
  const rooms = new BodyRooms();
  assertEquals(halves(rooms, () => "192.0.2.1", 7), [0, 1, 2]);
  assertEquals(rooms.total, KEPT_BOUNDS.network);
  assertEquals(halves(rooms, () => "192.0.2.2", 4), [], "others have theirs");
});

Deno.test("however many networks send halves of bodies, one that comes whole is read, and a process keeps 64 MiB", () => {
  const rooms = new BodyRooms();
  const stranger = (nth: number) =>
    `10.${nth >> 16}.${nth >> 8 & 255}.${nth & 255}`;
  const held = KEPT_BOUNDS.process / QUARTER;
  const gaveWay = halves(rooms, stranger, 1_000);
  assertEquals(gaveWay, Array.from({ length: 1_000 - held }, (_, nth) => nth));
  let hasGivenWay = false;
  const room = rooms.of("192.0.2.1").kept(() => hasGivenWay = true);
  for (let piece = 0; piece < 128; piece++) {
    assertEquals(room.grow(2_048), true);
    // Strangers that come meanwhile take the places of others.
    if (piece % 4 === 0) halves(rooms, () => stranger(2_000 + piece), 1);
  }
  assertEquals(hasGivenWay, false);
  assertEquals(rooms.total <= KEPT_BOUNDS.process, true, `${rooms.total}`);
});

Deno.test("a body longer than what a network may keep gives way itself", () => {
  const rooms = new BodyRooms();
  let gaveWay = 0;
  const room = rooms.of("192.0.2.1").kept(() => gaveWay++);
  assertEquals(room.grow(KEPT_BOUNDS.network), true);
  assertEquals(room.grow(1), false);
  assertEquals(gaveWay, 1);
  assertEquals(rooms.total, 0);
});

Deno.test("what a body has had is given back once, however often it ends", () => {
  const rooms = new BodyRooms();
  const room = rooms.of("192.0.2.1").kept(() => {});
  room.grow(QUARTER);
  room.end();
  room.end();
  assertEquals(rooms.total, 0);
});

Deno.test("what the server reads ahead of bodies in chunks is refused to a network beyond 8 MiB, and nobody gives way", () => {
  const rooms = new BodyRooms();
  const half = AHEAD_BOUNDS.network / 2;
  const [first, second, third] = [1, 2, 3]
    .map(() => rooms.of("192.0.2.1").ahead());
  assertEquals(first?.grow(half), true);
  assertEquals(second?.grow(half), true);
  assertEquals(third?.grow(1), false);
  assertEquals(rooms.of("192.0.2.2").ahead().grow(half), true);
  first?.end();
  assertEquals(third?.grow(1), true);
});
