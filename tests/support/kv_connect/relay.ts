import { EMPTY_FRAME, Frames } from "./frames.ts";

const LOOPBACK = "127.0.0.1";

/**
 * Hands bytes on between clients and the server behind it, so that their
 * connections can be cut.
 */
export class Relay {
  readonly #listener: Deno.TcpListener;
  readonly #behind: number;
  readonly #isQuick: () => boolean;
  /** Both ends of each connection, by the port it has towards the server. */
  readonly #open = new Map<number, readonly Deno.TcpConn[]>();
  #stopped = false;

  /** Listens; `behind` is the server's port on loopback. */
  constructor(
    at: Deno.TcpListenOptions,
    behind: number,
    isQuick: () => boolean,
  ) {
    this.#listener = Deno.listen(at);
    this.#behind = behind;
    this.#isQuick = isQuick;
    void this.#accept();
  }

  /** The port that clients connect to. */
  get port(): number {
    return this.#listener.addr.port;
  }

  /** How many connections are open. */
  get size(): number {
    return this.#open.size;
  }

  /** Cuts the connection that has this port towards the server. */
  cut(port: number): void {
    for (const end of this.#open.get(port) ?? []) close(end);
    this.#open.delete(port);
  }

  /** Cuts every connection. */
  cutAll(): void {
    for (const port of [...this.#open.keys()]) this.cut(port);
  }

  /** Takes no more connections and cuts those there are. */
  stop(): void {
    this.#stopped = true;
    this.#listener.close();
    this.cutAll();
  }

  async #accept(): Promise<void> {
    while (!this.#stopped) {
      const outer = await this.#listener.accept().catch(() => null);
      if (outer !== null) void this.#join(outer);
    }
  }

  async #join(outer: Deno.TcpConn): Promise<void> {
    const at = { hostname: LOOPBACK, port: this.#behind };
    const inner = await Deno.connect(at).catch(() => null);
    if (inner === null) return close(outer);
    const { port } = inner.localAddr;
    for (const end of [outer, inner]) end.setNoDelay(true);
    this.#open.set(port, [outer, inner]);
    const frames = new Frames();
    const acknowledge = async () => {
      if (this.#isQuick() && frames.areWhole) await outer.write(EMPTY_FRAME);
    };
    await Promise.race([
      copy(outer, inner, acknowledge),
      copy(inner, outer, (bytes) => frames.pass(bytes)),
    ]);
    this.cut(port);
  }
}

const PIECE_BYTES = 65_536;

/** Copies until an end is reached; `tell` hears of each piece before it goes. */
async function copy(
  from: Deno.TcpConn,
  to: Deno.TcpConn,
  tell: (bytes: Uint8Array) => void | Promise<void>,
): Promise<void> {
  const buffer = new Uint8Array(PIECE_BYTES);
  try {
    for (;;) {
      const count = await from.read(buffer);
      if (count === null) return;
      await tell(buffer.subarray(0, count));
      for (let at = 0; at < count;) {
        at += await to.write(buffer.subarray(at, count));
      }
    }
  } catch {
    // It was cut.
  }
}

function close(connection: Deno.TcpConn): void {
  try {
    connection.close();
  } catch {
    // It is closed already.
  }
}
