import { Buffer } from "node:buffer";
import type { Socket } from "node:net";
import { Duplex } from "node:stream";

/** Why the rest of what a server says is not read. */
export type WatchFailure = "protocol" | "size" | "crumbs";

/** What may come of a server. */
export interface WatchOptions {
  /** Of its answer's body; null: it is not read. */
  maxBytes: number | null;
  /** The socket is closed by then. */
  onRefused: (reason: WatchFailure) => void;
}

/** The longest head of an answer, and as much more as frames a body. */
const HEAD_BYTES_MAX = 8_192;
/** Handed over in one turn of the loop. */
const PIECE_BYTES = 512;
/** Pieces that may be as small as they like, as they come from the socket. */
const SMALL_PIECES_MAX = 32;

/** How a last answer begins; interim ones have a status below 200. */
const BEGINNING = /^HTTP\/1\.[01] [2-9]/;
const BEGINNING_BYTES = 10;

/**
 * A socket that node:http never reads itself. Its parser goes through all that
 * has come, up to 64 KiB, in one step, which nothing ends: 3,600 interim
 * responses are 3,600 events, and 10,900 chunks of a byte as many. So it is
 * handed little at a time, of little in all, and interim responses not at all.
 */
export class WatchedSocket extends Duplex {
  readonly #socket: Socket;
  readonly #options: WatchOptions;
  /** Has come and was not handed over yet. */
  #waiting = Buffer.alloc(0);
  #leftBytes: number;
  #pieces = 0;
  #bytes = 0;
  #hasBegun = false;
  #hasEnded = false;
  #turn: ReturnType<typeof setImmediate> | null = null;

  constructor(socket: Socket, options: WatchOptions) {
    super();
    this.#socket = socket;
    this.#options = options;
    this.#leftBytes = HEAD_BYTES_MAX + 2 * (options.maxBytes ?? 0);
    socket.on("data", (piece: Buffer) => this.#take(piece));
    socket.on("end", () => {
      this.#hasEnded = true;
      this.#handOver();
    });
    socket.on("error", (error) => this.destroy(error));
    socket.on("close", () => this.#hasEnded || this.destroy());
  }

  /** Pieces come by themselves; how many is bounded. */
  override _read(): void {}

  override _write(
    bytes: Uint8Array,
    _encoding: BufferEncoding,
    done: (error?: Error | null) => void,
  ): void {
    this.#socket.write(bytes, done);
  }

  override _destroy(
    error: Error | null,
    done: (error?: Error | null) => void,
  ): void {
    if (this.#turn !== null) clearImmediate(this.#turn);
    this.#socket.destroy();
    done(error);
  }

  #take(piece: Buffer): void {
    if (this.destroyed) return;
    this.#pieces += 1;
    this.#bytes += piece.length;
    if (this.#pieces > SMALL_PIECES_MAX + this.#bytes / PIECE_BYTES) {
      return this.#refuse("crumbs");
    }
    this.#waiting = Buffer.concat([this.#waiting, piece]);
    // What nobody will read needs no place.
    if (this.#waiting.length > this.#leftBytes) this.#socket.pause();
    if (this.#hasBegun || this.#waiting.length >= BEGINNING_BYTES) {
      this.#handOver();
    }
  }

  /** Hands over a piece, and the next one in another turn. */
  #handOver(): void {
    if (this.#turn !== null || this.destroyed) return;
    const isWrong = !this.#hasBegun && !this.#hasEnded &&
      !BEGINNING.test(this.#waiting.toString("latin1", 0, BEGINNING_BYTES));
    if (isWrong) return this.#refuse("protocol");
    this.#hasBegun = true;
    const piece = this.#waiting.subarray(0, PIECE_BYTES);
    this.#waiting = this.#waiting.subarray(piece.length);
    this.#leftBytes -= piece.length;
    if (this.#leftBytes < 0) return this.#refuse("size");
    if (piece.length === 0) {
      if (this.#hasEnded) this.push(null);
      return;
    }
    this.push(piece);
    this.#turn = setImmediate(() => {
      this.#turn = null;
      this.#handOver();
    });
  }

  #refuse(reason: WatchFailure): void {
    this.destroy();
    this.#options.onRefused(reason);
  }
}
