import { Connection } from "./load/connection.ts";

/** How a server is started. */
export interface ServerOptions {
  command: string;
  args: readonly string[];
  env?: Record<string, string>;
  cwd?: string;
  port: number;
  /** Gets an answer, of any status, as soon as the server is ready. */
  readyPath: string;
}

const READY_WITHIN_MS = 20_000;
const STOPPED_WITHIN_MS = 10_000;
/** What the kernel counts CPU time in, on every Linux. */
const TICK_MS = 10;

/** A server of ours, in a process of its own. */
export class Server implements AsyncDisposable {
  readonly port: number;
  readonly #child: Deno.ChildProcess;

  private constructor(child: Deno.ChildProcess, port: number) {
    this.#child = child;
    this.port = port;
  }

  /** Starts a server and waits until it answers. */
  static async start(options: ServerOptions): Promise<Server> {
    const { command, args, env, cwd, port } = options;
    const child = new Deno.Command(command, {
      args: [...args],
      ...env && { env },
      ...cwd !== undefined && { cwd },
      stdin: "null",
      stdout: "null",
      stderr: "inherit",
    }).spawn();
    const server = new Server(child, port);
    try {
      await server.#ready(options.readyPath);
      return server;
    } catch (error) {
      await server[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** CPU time the process has used so far; null where that can't be read. */
  cpuMs(): number | null {
    try {
      const stat = Deno.readTextFileSync(`/proc/${this.#child.pid}/stat`);
      const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
    } catch {
      return null;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    end(this.#child, "SIGTERM");
    const timer = setTimeout(
      () => end(this.#child, "SIGKILL"),
      STOPPED_WITHIN_MS,
    );
    await this.#child.status;
    clearTimeout(timer);
  }

  async #ready(path: string): Promise<void> {
    const untilMs = performance.now() + READY_WITHIN_MS;
    const request = new TextEncoder().encode(
      `GET ${path} HTTP/1.1\r\nHost: localhost:${this.port}\r\n\r\n`,
    );
    let ended = false;
    this.#child.status.then(() => ended = true);
    for (;;) {
      try {
        using connection = await Connection.open(this.port);
        if ((await connection.ask(request)).status < 500) return;
      } catch {
        // It does not listen yet.
      }
      if (ended) throw new Error("Cannot measure: the server ended");
      if (performance.now() > untilMs) {
        throw new Error("Cannot measure: the server does not get ready");
      }
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

/** Below the ports that Linux gives to whoever connects or asks for any. */
const PORTS = { first: 20_000, count: 12_000 };

/** Ports that are tried until one is free. */
const PORT_TRIES = 100;

/** A port that is free now, and that nobody is given until the server has it. */
export function freePort(): number {
  for (let nth = 0; nth < PORT_TRIES; nth++) {
    const port = PORTS.first + Math.floor(Math.random() * PORTS.count);
    try {
      using listener = Deno.listen({ hostname: "127.0.0.1", port });
      return listener.addr.port;
    } catch (error) {
      if (!(error instanceof Deno.errors.AddrInUse)) throw error;
    }
  }
  throw new Error(`Cannot measure: ${PORT_TRIES} ports are taken`);
}

const running = new Set<Deno.ChildProcess>();
let interrupted = false;

/** Ends what {@linkcode outputOf} runs; it and every later call then throw. */
export function interrupt(): void {
  interrupted = true;
  for (const child of running) end(child, "SIGTERM");
}

/**
 * Runs a program to its end and returns what it printed.
 *
 * @throws when it fails, and once the benchmarks are interrupted
 */
export async function outputOf(
  command: string,
  args: readonly string[],
  cwd?: string,
): Promise<string> {
  if (interrupted) throw new Error("Cannot go on: interrupted");
  const child = new Deno.Command(command, {
    args: [...args],
    ...cwd !== undefined && { cwd },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  running.add(child);
  const { success, stdout, stderr } = await child.output();
  running.delete(child);
  const decoder = new TextDecoder();
  if (success && !interrupted) return decoder.decode(stdout);
  throw new Error(`Cannot run ${command}: ${decoder.decode(stderr).trim()}`);
}

function end(child: Deno.ChildProcess, signal: Deno.Signal): void {
  try {
    child.kill(signal);
  } catch {
    // It has ended by itself.
  }
}
