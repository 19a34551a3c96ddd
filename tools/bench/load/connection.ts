const HEAD_END = new TextEncoder().encode("\r\n\r\n");
const LAST_CHUNK = new TextEncoder().encode("\r\n0\r\n\r\n");
const decoder = new TextDecoder();

/** An answer, as far as a benchmark looks at it. */
export interface Answer {
  status: number;
  /** Where the body begins and ends in `bytes`, with the marks of its chunks. */
  bodyStart: number;
  end: number;
  /** Valid until the next request on the connection. */
  bytes: Uint8Array;
}

/**
 * An HTTP/1.1 connection that does as little as it can: one request at a time,
 * answers by their Content-Length or, where they have none, up to their last
 * chunk. So it costs about as much as the cheapest of servers, and leaves the
 * machine to them.
 */
export class Connection implements Disposable {
  readonly #socket: Deno.TcpConn;
  readonly #buffer = new Uint8Array(64 * 1024);
  #head = "";
  #headLength = 0;

  private constructor(socket: Deno.TcpConn) {
    this.#socket = socket;
    socket.setNoDelay(true);
  }

  /** Connects to a port of this machine. */
  static async open(port: number): Promise<Connection> {
    return new Connection(await Deno.connect({ hostname: "127.0.0.1", port }));
  }

  /** Sends a request and waits for the whole answer. */
  async ask(request: Uint8Array): Promise<Answer> {
    const sent = await this.#socket.write(request);
    if (sent !== request.length) throw new Error("Cannot send in one write");
    const buffer = this.#buffer;
    let filled = 0;
    let end = Infinity;
    while (filled < end) {
      const read = await this.#socket.read(buffer.subarray(filled));
      if (read === null) throw new Error("Cannot read: the server hung up");
      filled += read;
      if (end === Infinity) end = this.#endOf(filled);
      if (filled === buffer.length && filled < end) {
        throw new Error("Cannot read: the answer is too long");
      }
    }
    return {
      status: Number(this.#head.slice(9, 12)),
      bodyStart: this.#headLength,
      end,
      bytes: buffer,
    };
  }

  [Symbol.dispose](): void {
    this.#socket.close();
  }

  /** Where the answer ends; Infinity while its head is not complete. */
  #endOf(filled: number): number {
    const length = headLength(this.#buffer, filled);
    if (length < 0) return Infinity;
    this.#headLength = length;
    this.#head = decoder.decode(this.#buffer.subarray(0, length));
    const found = /\r\ncontent-length: *(\d+)/i.exec(this.#head)?.[1];
    if (found !== undefined) return length + Number(found);
    if (!/\r\ntransfer-encoding: *chunked/i.test(this.#head)) {
      throw new Error("Cannot read: no Content-Length and no chunks");
    }
    return this.#endsInLastChunk(filled) ? filled : Infinity;
  }

  #endsInLastChunk(filled: number): boolean {
    const start = filled - LAST_CHUNK.length;
    return LAST_CHUNK.every((byte, at) => this.#buffer[start + at] === byte);
  }
}

function headLength(buffer: Uint8Array, filled: number): number {
  for (let at = 0; at + 4 <= filled; at++) {
    if (
      buffer[at] === HEAD_END[0] && buffer[at + 1] === HEAD_END[1] &&
      buffer[at + 2] === HEAD_END[2] && buffer[at + 3] === HEAD_END[3]
    ) return at + 4;
  }
  return -1;
}
