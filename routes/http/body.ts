import { TemporaryFailure } from "../../domain/failure.ts";
import { type JudgedSource, passAgain } from "./authority.ts";
import type { AppEnv } from "../context.ts";
import { type Pieces, piecesOf } from "./body_pieces.ts";
import { KeptBytes } from "./kept_bytes.ts";

/** A body, or why there is none. */
export type Body = Uint8Array | BodyFault;

/**
 * `too_long` for more bytes than are taken, `cut_off` for a body that does not
 * arrive whole, not in time, or in crumbs.
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

/** So much is kept of unfinished bodies that this one is waited for no longer. */
class TooManyBodies extends TemporaryFailure {
  override readonly name = "TooManyBodies";
  override readonly retryAfterS = 10;
  override readonly isOrdinary = true;
  override readonly detail =
    "too many requests wait for the rest of their body, in your network or in all";
}

/**
 * Reads a body. The one way to read one: an architecture test forbids others.
 * A body that is announced to be longer is not read at all, and after one that
 * was waited for it is asked again whether who sent it may. Decision 0187 says
 * why.
 *
 * @throws {StoppedWaiting} when the service stops meanwhile
 * @throws {TooManyBodies} when others need the memory that is kept for it
 * @throws {TemporaryFailure} when bodies of the same network took too long
 * @throws {TurnedAway} or as gates do, when who asks lost the right meanwhile
 */
export function readBody(source: BodySource, max: number): Promise<Body> {
  const { raw } = source.req;
  const before = readBodies.get(raw);
  if (before !== undefined) return before;
  const reading = readOnce(source, max);
  readBodies.set(raw, reading);
  return reading;
}

/** What was read, for a handler that begins again. */
const readBodies = new WeakMap<Request, Promise<Body>>();

async function readOnce(source: BodySource, max: number): Promise<Body> {
  const { bodies } = source.env;
  let wasThere = false;
  const body = await new Promise<Body>((resolve, reject) => {
    const kept = new KeptBytes(
      () => bodies.rooms(),
      () => reject(new TooManyBodies("Too many bodies are waited for")),
    );
    const callOff = bodies.begin((why) => {
      kept.drop();
      if (why === "late") resolve("cut_off");
      else reject(new StoppedWaiting("The service stops"));
    });
    arriving(source, max, kept).then((body) => {
      wasThere = callOff();
      resolve(body);
    }, reject);
  });
  return await inTurn(source, body, wasThere);
}

/** How many turns a body takes for which it has to wait for long. */
const TURNS_MAX = 2;

/**
 * Hands over a body once it may be read. Who asks is judged again where it was
 * waited for, and where it waited for its turn, which it takes anew then. What is
 * late with each is read without: so is all else in a process that is late.
 */
async function inTurn(
  source: BodySource,
  body: Body,
  wasThere: boolean,
): Promise<Body> {
  const { bodies } = source.env;
  if (!wasThere) await passAgain(source);
  if (typeof body === "string" || body.length === 0) return body;
  for (let turns = 0; turns < TURNS_MAX; turns++) {
    if (await bodies.turn(body.length)) return body;
    await passAgain(source);
  }
  return body;
}

/** A body whose reading has begun. */
class Unfinished {
  readonly #pieces: Pieces;
  readonly #kept: KeptBytes;
  #isAnswered = false;
  #isLeft = false;

  constructor(pieces: Pieces, kept: KeptBytes) {
    this.#pieces = pieces;
    this.#kept = kept;
  }

  /** Its answer was sent. */
  answered(): void {
    this.#isAnswered = true;
    this.#end();
  }

  /** No piece of it is waited for, and none will be. */
  left(): void {
    this.#isLeft = true;
    this.#end();
  }

  #end(): void {
    if (!this.#isAnswered || !this.#isLeft) return;
    this.#pieces.cancel().catch(() => {});
    this.#kept.end();
  }
}

const unfinished = new WeakMap<Request, Unfinished>();

/** Whether a body was begun to be read and has not come whole. */
export function isUnfinished(request: Request): boolean {
  return unfinished.has(request);
}

/**
 * Ends a request whose answer was sent and whose body has not come whole: the
 * server closes its connection, or stream, once nobody reads it. Before the
 * answer it would go on reading by itself, for as long as more comes. A body that
 * nobody began to read it throws away by itself, at no cost of this thread's.
 */
export function endBody(request: Request): void {
  unfinished.get(request)?.answered();
}

/** A body that is no longer may be taken whole. */
const WHOLE_MAX = 4_096;

async function arriving(
  { req: { raw: request }, env: { bodies } }: BodySource,
  max: number,
  kept: KeptBytes,
): Promise<Body> {
  const length = announced(request);
  if (length > max) return "too_long";
  const isShort = length <= Math.min(max, WHOLE_MAX);
  const endWhole = isShort ? bodies.beginWhole() : null;
  try {
    // The server reads no further than was announced.
    if (endWhole !== null) return await request.bytes();
    return await streamed(request, max, kept);
  } catch {
    // The caller has hung up, or sent chunks that are none.
    return "cut_off";
  } finally {
    endWhole?.();
  }
}

/** The length that was announced; `NaN` without one. */
function announced({ headers }: Request): number {
  if (headers.has("transfer-encoding")) return NaN;
  return Number(headers.get("content-length") ?? NaN);
}

async function streamed(
  request: Request,
  max: number,
  kept: KeptBytes,
): Promise<Body> {
  if (request.body === null) return new Uint8Array();
  const isChunked = request.headers.has("transfer-encoding");
  const pieces = piecesOf(request.body, isChunked);
  const reading = new Unfinished(pieces, kept);
  unfinished.set(request, reading);
  try {
    while (kept.mayBeAhead(pieces.aheadBytes())) {
      const piece = await pieces.next();
      if (piece === null) {
        unfinished.delete(request);
        const whole = kept.whole();
        kept.end();
        return whole;
      }
      if (kept.length + piece.byteLength > max) return "too_long";
      if (pieces.areCrumbs() || !kept.add(piece)) break;
    }
    return "cut_off";
  } finally {
    kept.drop();
    reading.left();
  }
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
