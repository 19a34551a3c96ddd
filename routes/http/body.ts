import { TemporaryFailure } from "../../domain/failure.ts";
import { type JudgedSource, passAgain } from "./authority.ts";
import type { AppEnv } from "../context.ts";

/** A body, or why there is none. */
export type Body = Uint8Array | BodyFault;

/**
 * `too_long` for more bytes than are taken, `cut_off` for a body that does not
 * arrive whole or not in time.
 */
export type BodyFault = "too_long" | "cut_off";

/** The part of a route's context that a body is read of. */
export interface BodySource extends JudgedSource {
  req: { raw: Request };
  env: Pick<AppEnv["Bindings"], "bodies">;
}

/** The service stops before the body has arrived: another process answers. */
class StoppedWaiting extends TemporaryFailure {
  override readonly name = "StoppedWaiting";
  override readonly isOrdinary = true;
}

/**
 * Reads a body. The one way to read one: an architecture test forbids others.
 * A body that is announced to be longer is not read at all, and after one that
 * was waited for it is asked again whether who sent it may. Decision 0187 says
 * why.
 *
 * @throws {StoppedWaiting} when the service stops meanwhile
 * @throws {TurnedAway} or as gates do, when who asks lost the right meanwhile
 */
export async function readBody(
  source: BodySource,
  max: number,
): Promise<Body> {
  let wasThere = false;
  const body = await new Promise<Body>((resolve, reject) => {
    const callOff = source.env.bodies.begin((why) => {
      if (why === "late") resolve("cut_off");
      else reject(new StoppedWaiting("The service stops"));
    });
    arriving(source.req.raw, max).then((body) => {
      wasThere = callOff();
      resolve(body);
    }, reject);
  });
  if (!wasThere) await passAgain(source);
  return body;
}

/**
 * Reads what is left of a body that an answer did not need, to throw it away.
 * The server waits for it when it stops, unless somebody is reading it: whoever
 * is refused without their body being read, and sends no more of it, would hold
 * up every stop. It takes one small buffer, however much is sent.
 */
export async function discardBody(request: Request): Promise<void> {
  if (request.bodyUsed || request.body === null) return;
  const { nextPiece } = piecesOf(request.body);
  try {
    while (await nextPiece() !== null) { /* thrown away */ }
  } catch {
    // The caller has hung up.
  }
}

async function arriving(request: Request, max: number): Promise<Body> {
  const length = announced(request);
  if (length > max) return "too_long";
  try {
    // The server reads no further than that, and a body taken whole costs a
    // fifth of the memory of a stream while it is waited for.
    if (length <= max) return await request.bytes();
    return await streamed(request.body, max);
  } catch {
    // The caller has hung up, or sent chunks that are none.
    return "cut_off";
  }
}

/** The length that was announced; `NaN` without one. */
function announced({ headers }: Request): number {
  if (headers.has("transfer-encoding")) return NaN;
  return Number(headers.get("content-length") ?? NaN);
}

async function streamed(
  body: ReadableStream<Uint8Array<ArrayBuffer>> | null,
  max: number,
): Promise<Body> {
  if (body === null) return new Uint8Array();
  const { nextPiece, cancel } = piecesOf(body);
  let kept = new Uint8Array(0);
  let length = 0;
  for (;;) {
    const piece = await nextPiece();
    if (piece === null) return kept.subarray(0, length);
    if (length + piece.byteLength > max) {
      // Nobody else can read the rest, which the connection waits for.
      cancel().catch(() => {});
      return "too_long";
    }
    kept = withRoom(kept, length + piece.byteLength);
    kept.set(piece, length);
    length += piece.byteLength;
  }
}

/** A body that is being read. */
interface Pieces {
  /** The next piece; null at the end. */
  nextPiece(): Promise<Uint8Array | null>;
  /** Reads no further. */
  cancel(): Promise<void>;
}

/** Bytes asked for at a time. */
const PIECE_BYTES = 2_048;

/**
 * Reads a stream into one small buffer, each piece to be used before the next
 * is asked for: the server's own buffers have 64 KiB, also for a body of which
 * two bytes have come. Bodies that no server has read have no such reader.
 */
function piecesOf(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
): Pieces {
  let buffer = new Uint8Array(PIECE_BYTES);
  const reader = byteReader(body);
  if (reader === null) {
    const others = body.getReader();
    return {
      nextPiece: async () => (await others.read()).value ?? null,
      cancel: () => others.cancel(),
    };
  }
  return {
    async nextPiece() {
      const { done, value } = await reader.read(buffer);
      if (done) return null;
      buffer = new Uint8Array(value.buffer);
      return value;
    },
    cancel: () => reader.cancel(),
  };
}

function byteReader(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
): ReadableStreamBYOBReader | null {
  try {
    return body.getReader({ mode: "byob" });
  } catch {
    return null;
  }
}

/** Twice as large when it is full, so that all copies together are linear. */
function withRoom(
  bytes: Uint8Array<ArrayBuffer>,
  wanted: number,
): Uint8Array<ArrayBuffer> {
  if (wanted <= bytes.byteLength) return bytes;
  const larger = new Uint8Array(Math.max(wanted, 2 * bytes.byteLength));
  larger.set(bytes);
  return larger;
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

/** The text of a body; null when it is no UTF-8. */
export function utf8Text(bytes: Uint8Array): string | null {
  try {
    return utf8.decode(bytes);
  } catch {
    return null;
  }
}
