/**
 * Listeners and signals: the part of the service that only Deno can do.
 *
 * @module
 */
import { monotonicMs, startTimer } from "../adapters/time/system_time.ts";
import { type Config, ConfigError } from "../config/config.ts";
import { addressesOf, HOST_KINDS, type HostKind } from "../routes/hosts.ts";
import { endBody, isUnfinished } from "../routes/http/body.ts";
import { Deadlines } from "../domain/operations/shared_deadlines.ts";
import type { Sink } from "../routes/line_writer.ts";
import type { Log } from "../domain/ports.ts";
import { faultFields } from "../routes/fault.ts";
import { unavailableProblem } from "../routes/errors/public_problem.ts";
import { withHeaders } from "../routes/http/respond.ts";
import { clientNetwork } from "../routes/middleware/client_address.ts";
import type { Connection } from "../routes/middleware/host_dispatch.ts";
import { Listener, type ListenerOptions } from "./listener.ts";
import { RequestPlaces } from "./request_places.ts";

/** Answers a request of any listener. */
export type Handler = (
  request: Request,
  connection: Connection,
) => Response | Promise<Response>;

/** The open listeners. */
export interface Listeners {
  /** The port each host is listened for on. */
  ports: Readonly<Record<HostKind, number>>;
  /**
   * Takes no more requests and waits for those in flight, so long at most;
   * what is still open then is cut, at the latest by the end of the process.
   */
  close(graceMs: number): Promise<void>;
}

const LOOPBACK = "127.0.0.1";
const LOOPBACK_V6 = "::1";
const EVERYWHERE = "0.0.0.0";
/** How long who has an answer may take to read it while they send more, ms. */
const LINGER_MS = 1_000;
/** When to come back where there is no place for a request, s. */
const FULL_RETRY_S = 10;
/** Outside development, where no `PORT` is set. */
const DEFAULT_PORT = 8000;

/** Who answers what arrives. */
export interface Handlers {
  handle: Handler;
  /** Answers at once what arrives while those in flight come to their end. */
  turnAway: Handler;
}

/**
 * Who answers while a service starts and after. Only its surface knows how to,
 * so whoever asks before the parts are joined waits for that.
 */
export class Front implements Handlers {
  readonly #joined = Promise.withResolvers<Handlers>();
  #handlers: Handlers;

  /** Turns away by itself until it is told by whom. */
  constructor(turnAway: Handler) {
    const handle: Handler = async (...asked) =>
      (await this.#joined.promise).handle(...asked);
    this.#handlers = { handle, turnAway };
  }

  readonly handle: Handler = (...asked) => this.#handlers.handle(...asked);

  readonly turnAway: Handler = (...asked) => this.#handlers.turnAway(...asked);

  /** Has these answer from now on, those who wait included. */
  answerBy(handlers: Handlers): void {
    this.#handlers = handlers;
    this.#joined.resolve(handlers);
  }
}

/**
 * Opens the listeners: one on every interface outside development; within it,
 * on loopback only, one when `PORT` is set and else one for each of the three
 * addresses. Port 0 is any free one.
 *
 * @throws {ConfigError} when a port is taken
 */
export function openListeners(
  config: Config,
  handlers: Handlers,
  log: Log,
): Listeners {
  const cut = new AbortController();
  const listeners: Listener[] = [];
  const inFlight = new InFlight(handlers, config);
  const parts = { cut: cut.signal, handle: inFlight.handle, log, startTimer };
  const open = (hostname: string, port: number): number => {
    const listener = listenOn({ ...parts, hostname, port });
    listeners.push(listener);
    return listener.port;
  };
  return {
    ports: openPorts(config, open),
    async close(graceMs) {
      listeners.forEach((listener) => listener.keepClosed());
      const { promise: over, resolve } = Promise.withResolvers<"over">();
      const callOff = startTimer(() => resolve("over"), graceMs);
      const finished = await Promise.race([inFlight.drain(), over]);
      callOff();
      if (finished === "over") return cut.abort();
      inFlight.lingering.endAll();
      const { promise: lingered, resolve: goOn } = Promise.withResolvers();
      const callOffLinger = startTimer(() => goOn(null), LINGER_MS);
      // All are answered, but it waits for what requests still have to send.
      const shutdowns = listeners.map((listener) => listener.close());
      await Promise.race([Promise.all(shutdowns), lingered]);
      callOffLinger();
    },
  };
}

function listenOn(options: ListenerOptions): Listener {
  try {
    return new Listener(options);
  } catch (error) {
    if (!(error instanceof Deno.errors.AddrInUse)) throw error;
    throw new ConfigError(
      `Cannot start: port ${options.port} is taken, perhaps by a service ` +
        "that runs already",
    );
  }
}

/**
 * Counts the requests whose answers have not been sent, streams included.
 * `shutdown()` alone would not do: it takes the bodies not yet read away from the
 * requests in flight, so it may only be called once there are none, and until
 * then new requests are turned away.
 */
class InFlight {
  /** Answered, with a body that is not read any further. */
  readonly lingering = new Deadlines(LINGER_MS, {
    nowMs: monotonicMs,
    startTimer,
  });
  readonly #handlers: Handlers;
  readonly #config: Pick<Config, "settings" | "trustedProxyHops">;
  readonly #places = new RequestPlaces();
  #count = 0;
  #drained: (() => void) | null = null;

  constructor(
    handlers: Handlers,
    config: Pick<Config, "settings" | "trustedProxyHops">,
  ) {
    this.#handlers = handlers;
    this.#config = config;
  }

  readonly handle = async (
    request: Request,
    connection: Connection,
  ): Promise<Response> => {
    const { handle, turnAway } = this.#handlers;
    if (this.#drained !== null) {
      return goodbye(await turnAway(request, connection));
    }
    const leave = this.#places.take(() => this.#networkOf(request, connection));
    if (leave === null) return unavailableProblem(FULL_RETRY_S, this.#config);
    this.#count++;
    const left = () => {
      leave();
      this.#left();
    };
    connection.completed.then(left, left);
    const response = await handle(request, connection);
    if (isUnfinished(request)) this.#linger(request, connection);
    return response;
  };

  /**
   * A connection that is closed while more comes on it is reset, and an answer
   * that was not read yet may be lost with it (RFC 9112 §9.6).
   */
  #linger(request: Request, { completed }: Connection): void {
    const linger = () => this.lingering.begin(() => endBody(request));
    completed.then(linger, linger);
  }

  /** Turns new requests away and waits for those being answered. */
  drain(): Promise<void> {
    return new Promise((resolve) => {
      this.#drained = resolve;
      if (this.#count === 0) resolve();
    });
  }

  #networkOf({ headers }: Request, { remoteAddr }: Connection): string {
    return clientNetwork({
      remoteAddress: remoteAddr.hostname,
      forwardedFor: headers.get("x-forwarded-for"),
      trustedProxyHops: this.#config.trustedProxyHops,
    });
  }

  #left(): void {
    this.#count--;
    if (this.#count === 0) this.#drained?.();
  }
}

/** The next request on this connection would meet nobody. */
function goodbye(answer: Response): Response {
  return withHeaders(answer, { connection: "close" });
}

function openPorts(
  config: Config,
  open: (hostname: string, port: number) => number,
): Record<HostKind, number> {
  const isDevelopment = config.settings.environment === "development";
  if (config.port !== null || !isDevelopment) {
    const wanted = config.port ?? DEFAULT_PORT;
    const port = isDevelopment
      ? openLoopback(open, wanted)
      : open(EVERYWHERE, wanted);
    return { site: port, auth: port, docs_mcp: port };
  }
  const addresses = addressesOf(config.settings);
  const ports = HOST_KINDS.map((kind): [HostKind, number] => {
    const { port, protocol } = addresses[kind];
    const wanted = port === "" ? protocol === "https:" ? 443 : 80 : +port;
    return [kind, openLoopback(open, wanted)];
  });
  return Object.fromEntries(ports) as Record<HostKind, number>;
}

/** A localhost is either of the two; not every machine has the second. */
function openLoopback(
  open: (hostname: string, port: number) => number,
  wanted: number,
): number {
  const port = open(LOOPBACK, wanted);
  try {
    open(LOOPBACK_V6, port);
  } catch {
    // Without IPv6, or with the port taken there, IPv4 alone is enough.
  }
  return port;
}

/** The addresses with the ports that port 0 turned out to be. */
export function withPorts(
  config: Config,
  ports: Readonly<Record<HostKind, number>>,
): Config {
  const actual = (address: string, port: number) =>
    new URL(address).port === "0"
      ? address.replace(/:0(?=\/|$)/, `:${port}`)
      : address;
  const { settings } = config;
  return {
    ...config,
    settings: {
      ...settings,
      baseUrl: actual(settings.baseUrl, ports.site),
      authUrl: actual(settings.authUrl, ports.auth),
      docsMcpUrl: actual(settings.docsMcpUrl, ports.docs_mcp),
    },
  };
}

/**
 * Stops the process on SIGTERM and SIGINT: in order on the first, at once on
 * a later one. Exiting is explicit, since a signal listener keeps a process
 * alive.
 */
export function stopOnSignal(stop: () => Promise<void>): void {
  const onSignal = stopHandler(stop, Deno.exit, monotonicMs);
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    Deno.addSignalListener(signal, () => onSignal(signal));
  }
}

/**
 * A signal to the whole process group arrives twice, since `deno task` forwards
 * its own to the service. So soon after the first the same is taken as its echo.
 */
export const ECHO_MS = 1_000;

/** What {@linkcode stopOnSignal} does, with the process's end and clock given. */
export function stopHandler(
  stop: () => Promise<void>,
  exit: (code: number) => void,
  nowMs: () => number,
): (signal: string) => void {
  let first: { signal: string; atMs: number } | null = null;
  return function onSignal(signal) {
    if (first === null) {
      first = { signal, atMs: nowMs() };
      stop().then(() => exit(0), () => exit(1));
      return;
    }
    const isEcho = signal === first.signal && nowMs() - first.atMs < ECHO_MS;
    if (!isEcho) exit(1);
  };
}

/**
 * What nobody has caught is logged, and ends the process in order: what it holds
 * may be wrong, but the requests in flight are not to be lost to it.
 */
export function stopOnFault(
  { log, stop }: { log: Log; stop(): Promise<void> },
): void {
  const onFault = (event: Event, fault: unknown) => {
    event.preventDefault();
    log.error("fault", faultFields("", fault));
    const exit = () => Deno.exit(1);
    stop().then(exit, exit);
  };
  globalThis.addEventListener(
    "unhandledrejection",
    (event) => onFault(event, event.reason),
  );
  globalThis.addEventListener("error", (event) => onFault(event, event.error));
}

/** Where the log of a process goes: on Deno Deploy to what it collects. */
export function logSink({ store }: Config): Sink {
  return store.kind === "managed" ? consoleOutput : standardOutput;
}

/** A line at a time, as each is an entry of the platform's log. */
function consoleOutput(bytes: Uint8Array): Promise<void> {
  const lines = new TextDecoder().decode(bytes).split("\n");
  // deno-lint-ignore no-console -- the only output the platform promises to keep
  lines.filter((line) => line !== "").forEach((line) => console.log(line));
  return Promise.resolve();
}

async function standardOutput(bytes: Uint8Array): Promise<void> {
  for (let done = 0; done < bytes.length;) {
    done += await Deno.stdout.write(bytes.subarray(done));
  }
}
