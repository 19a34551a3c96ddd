import { monotonicMs } from "../adapters/time/system_time.ts";
import type { Log, StartTimer } from "../domain/ports.ts";

/** Pauses before a listener is opened again, ms: the first, and the longest. */
const PAUSE_MS = 100;
const PAUSE_MAX_MS = 5_000;

/** What a listener is opened with. */
export interface ListenerOptions {
  hostname: string;
  /** Port 0 is any free one. */
  port: number;
  /** Cuts all of its connections. */
  cut: AbortSignal;
  handle: Deno.ServeHandler<Deno.NetAddr>;
  log: Log;
  startTimer: StartTimer;
}

/**
 * Listens until it is closed. Deno takes no more connections once one could not
 * be taken, as happens with no descriptor left, and ends the process unless
 * somebody hears of it. So it is opened again after a pause, and those who are
 * connected go on.
 */
export class Listener {
  readonly port: number;
  readonly #options: ListenerOptions;
  #server: Deno.HttpServer<Deno.NetAddr> | null;
  #openedAtMs = 0;
  #pauseMs = PAUSE_MS;
  #callOff = () => {};
  #isClosed = false;

  /** @throws {Deno.errors.AddrInUse} when the port is taken */
  constructor(options: ListenerOptions) {
    this.#options = options;
    const server = this.#open(options.port);
    this.#server = server;
    this.port = server.addr.port;
  }

  /** Takes no more connections and waits for what the open ones still send. */
  async close(): Promise<void> {
    this.keepClosed();
    await this.#server?.shutdown();
  }

  /** Is not opened again from now on. */
  keepClosed(): void {
    this.#isClosed = true;
    this.#callOff();
  }

  #open(port: number): Deno.HttpServer<Deno.NetAddr> {
    const { hostname, cut: signal, handle } = this.#options;
    const server = Deno.serve(
      { hostname, port, signal, onListen() {} },
      handle,
    );
    this.#openedAtMs = monotonicMs();
    server.finished.catch((error) => this.#lost(error));
    return server;
  }

  #lost(error: unknown): void {
    this.#server = null;
    if (this.#isClosed) return;
    const lastedMs = monotonicMs() - this.#openedAtMs;
    if (lastedMs > PAUSE_MAX_MS) this.#pauseMs = PAUSE_MS;
    const { log, startTimer } = this.#options;
    const { port } = this;
    log.error("listener.lost", { port, why: String(error) });
    this.#callOff = startTimer(() => this.#openAgain(), this.#pauseMs);
    this.#pauseMs = Math.min(PAUSE_MAX_MS, 2 * this.#pauseMs);
  }

  #openAgain(): void {
    try {
      this.#server = this.#open(this.port);
    } catch (error) {
      return this.#lost(error);
    }
    this.#options.log.info("listener.reopened", { port: this.port });
  }
}
