import { assertEquals, assertRejects } from "@std/assert";
import { TemporaryFailure } from "../../../domain/failure.ts";
import { readBody } from "../../../routes/http/body.ts";
import { KEPT_BOUNDS } from "../../../routes/http/body_rooms.ts";
import { bodyWaits } from "../../../routes/http/body_waits.ts";
import { bodyOf } from "../../support/bindings.ts";
import { ManualTimer } from "../../support/timer.ts";

const CHUNKED = { "transfer-encoding": "chunked" };

/** A request whose body comes a piece each time it is asked for more. */
function inPieces(
  pieces: Iterable<Uint8Array<ArrayBuffer>>,
  headers: Record<string, string> = {},
) {
  const left = Iterator.from(pieces);
  let asked = 0;
  const body = new ReadableStream({
    type: "bytes",
    pull(controller) {
      asked++;
      const { done, value } = left.next();
      if (!done) return controller.enqueue(value);
      controller.close();
      controller.byobRequest?.respond(0);
    },
  });
  const init = { method: "POST", headers, body };
  return {
    request: new Request("http://localhost/", init),
    asked: () => asked,
  };
}

function times(count: number, bytes: number): Uint8Array<ArrayBuffer>[] {
  return Array.from({ length: count }, () => new Uint8Array(bytes));
}

for (const headers of [{}, CHUNKED, { "content-length": "16384" }]) {
  const kind = Object.entries(headers).flat().join(" ") || "no length";
  Deno.test(`a body of single bytes, with ${kind}, is read no further than 33 of them`, async () => {
    const { request, asked } = inPieces(times(1_000, 1), headers);
    assertEquals(await readBody(bodyOf(request), 262_144), "cut_off");
    assertEquals(asked(), 33);
  });

  Deno.test(`a body of 16 KiB in pieces of 512 bytes, with ${kind}, is read whole`, async () => {
    const { request } = inPieces(times(32, 512), headers);
    const body = await readBody(bodyOf(request), 16_384);
    assertEquals((body as Uint8Array).byteLength, 16_384);
  });

  Deno.test(`a body of 256 KiB in pieces of 4 KiB, with ${kind}, is read whole`, async () => {
    const { request } = inPieces(times(64, 4_096), headers);
    const body = await readBody(bodyOf(request), 262_144);
    assertEquals((body as Uint8Array).byteLength, 262_144);
  });
}

Deno.test("a body in 32 pieces of one byte is read whole", async () => {
  const { request } = inPieces(times(31, 1), CHUNKED);
  const body = await readBody(bodyOf(request), 262_144);
  assertEquals((body as Uint8Array).byteLength, 31);
});

/** Never ends after its pieces. */
function stopped(pieces: Uint8Array<ArrayBuffer>[]): Request {
  const left = Iterator.from(pieces);
  const body = new ReadableStream({
    type: "bytes",
    pull(controller) {
      const { done, value } = left.next();
      if (!done) controller.enqueue(value);
    },
  });
  return new Request("http://localhost/", { method: "POST", body });
}

/** Waits until all that has come of bodies was read. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) {
    await new Promise((resolve) => setTimeout(resolve, 0));
  }
}

Deno.test("nothing is kept of a body after its deadline, after a stop, or once it was read", async () => {
  for (const ending of ["late", "stopping", "whole"]) {
    const timer = new ManualTimer();
    const stopping = new AbortController();
    let nowMs = 0;
    const time = { nowMs: () => nowMs, startTimer: timer.start };
    const waits = bodyWaits({ time, stopping: stopping.signal });
    const { rooms } = waits;
    // The first makes place only if nothing is left of the one before.
    for (let round = 0; round < 3; round++) {
      const others = rooms().kept(() => {});
      const piece = times(8, 2_048);
      const request = ending === "whole"
        ? inPieces(piece).request
        : stopped(piece);
      const body = readBody(bodyOf(request, waits), 262_144);
      await settled();
      if (ending === "stopping") stopping.abort();
      nowMs += 30_000;
      timer.fire();
      await body.catch(() => {});
      let gaveWay = false;
      const all = rooms().kept(() => gaveWay = true);
      assertEquals(all.grow(KEPT_BOUNDS.network), true, ending);
      assertEquals(gaveWay, false);
      all.end();
      others.end();
    }
  }
});

Deno.test("a body that gives way to others is 503 with a time to wait, and nothing more of it is kept", async () => {
  const waits = bodyWaits();
  const body = readBody(bodyOf(stopped(times(8, 2_048)), waits), 262_144);
  const refused = assertRejects(() => body, TemporaryFailure);
  await settled();
  const other = waits.rooms().kept(() => {});
  assertEquals(other.grow(KEPT_BOUNDS.network), true);
  assertEquals((await refused).retryAfterS, 10);
  other.end();
});

Deno.test("a body in chunks is 503 when the server would read too much ahead of it", async () => {
  const waits = bodyWaits();
  const ahead = waits.rooms().ahead();
  while (ahead.grow(65_536)) { /* until there is no room */ }
  const { request, asked } = inPieces(times(1, 10), CHUNKED);
  await assertRejects(
    () => readBody(bodyOf(request, waits), 100),
    TemporaryFailure,
  );
  assertEquals(asked(), 0);
  const { request: known } = inPieces(times(1, 10), { "content-length": "10" });
  const body = await readBody(bodyOf(known, waits), 100);
  assertEquals((body as Uint8Array).byteLength, 10);
});
