/**
 * A small internet on this machine: real TLS servers, and a connector that
 * brings what is addressed to a public address to the server that stands for
 * it. Whatever the fetcher's `lookup` answers is where it goes.
 *
 * @module
 */
import {
  createServer as createHttpServer,
  type RequestListener,
  type Server,
} from "node:http";
import { createServer as createHttpsServer } from "node:https";
import { type AddressInfo, isIPv6, type Socket } from "node:net";
import { connect as tlsConnect } from "node:tls";
import type { FetchPolicy } from "../../../domain/fetching/fetcher.ts";
import {
  createFetcher,
  type FetcherOptions,
  type FetchTiming,
} from "../../../adapters/fetcher/create_fetcher.ts";
import type { Resolver } from "../../../adapters/fetcher/lookups.ts";
import type { Connector } from "../../../adapters/fetcher/exchange.ts";
import { MemoryLog } from "../../support/captured_logs.ts";
import { TEST_TLS } from "../../support/test_tls.ts";

/** An address on the public internet, as the fetcher sees it. */
export const PUBLIC_ADDRESS = "93.184.216.34";

/** What documents are fetched under in these tests. */
export const DOCUMENT_POLICY: FetchPolicy = {
  maxBytes: 5_120,
  timeoutMs: 2_000,
  accept: "application/json",
};

/** A server on loopback that counts. */
export interface TestServer extends AsyncDisposable {
  port: number;
  readonly connections: number;
}

/** Starts a server on 127.0.0.1, with TLS for `client.example` or without. */
export async function serveHttp(
  listener: RequestListener,
  options: { tls: boolean } = { tls: true },
): Promise<TestServer> {
  const { key, cert } = TEST_TLS;
  const server: Server = options.tls
    ? createHttpsServer({ key, cert }, listener)
    : createHttpServer(listener);
  const sockets = new Set<Socket>();
  let connections = 0;
  server.on("connection", (socket: Socket) => {
    connections++;
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => sockets.delete(socket));
  });
  // Whoever refuses the certificate leaves an error behind.
  server.on("tlsClientError", () => {});
  await new Promise<void>((resolve) =>
    server.listen(0, "127.0.0.1", () => resolve())
  );
  return {
    port: (server.address() as AddressInfo).port,
    get connections() {
      return connections;
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A resolver that answers the same addresses for every host. */
export function resolvesTo(...addresses: readonly string[]): Resolver {
  const found = addresses.map((address) => ({
    address,
    family: isIPv6(address) ? 6 : 4,
  }));
  return () => Promise.resolve(found);
}

/** Ports by address: where the internet of a test leads. */
export type Network = Readonly<Record<string, TestServer>>;

/** A connector into a network, and the addresses it was asked for. */
export function connectorInto(
  network: Network,
): { connect: Connector; asked: string[] } {
  const asked: string[] = [];
  const connect: Connector = (_secure, options) => {
    const address = lookedUp(options);
    asked.push(address);
    const port = network[address]?.port ?? 1;
    return tlsConnect({
      ...options,
      port,
      ca: [TEST_TLS.ca],
      lookup: (_host, wanted, callback) => {
        const own = { address: "127.0.0.1", family: 4 };
        if (wanted.all) callback(null, [own]);
        else callback(null, own.address, own.family);
      },
    });
  };
  return { connect, asked };
}

/** Where a real socket would go. */
function lookedUp({ lookup, host }: Parameters<Connector>[1]): string {
  let found = "";
  lookup?.(host ?? "", {}, (_error, address) => {
    found = String(address);
  });
  return found;
}

/** Time that passes for limits, while what keeps a failure back is noted. */
export class ImpatientTiming implements FetchTiming {
  /** How long failures were kept back, ms. */
  readonly pauses: number[] = [];
  /** Moved by hand. */
  atMs = 0;
  readonly #limits: ReadonlySet<number>;

  constructor(...limits: readonly number[]) {
    this.#limits = new Set(limits);
  }

  nowMs(): number {
    return this.atMs;
  }

  later(run: () => void, ms: number): () => void {
    if (this.#limits.has(ms)) {
      const timer = setTimeout(run, ms);
      return () => clearTimeout(timer);
    }
    let isOff = false;
    queueMicrotask(() => {
      if (isOff) return;
      this.pauses.push(ms);
      run();
    });
    return () => isOff = true;
  }
}

/** A fetcher of documents and what it does. */
export interface FetchWorld {
  fetcher: ReturnType<typeof createFetcher>;
  timing: ImpatientTiming;
  log: MemoryLog;
  /** The addresses that connections were opened to. */
  asked: string[];
}

/** A fetcher to which `client.example` is the server. */
export function fetcherOf(
  network: Network,
  options: Partial<FetcherOptions> = {},
): FetchWorld {
  const timing = new ImpatientTiming(2_000, 100);
  const log = new MemoryLog();
  const { connect, asked } = connectorInto(network);
  const fetcher = createFetcher({
    userAgent: "Spotlight (+https://spotlight.example)",
    allowLoopback: false,
    log,
    stopping: new AbortController().signal,
    resolve: resolvesTo(PUBLIC_ADDRESS),
    connect,
    timing,
    ...options,
  });
  return { fetcher, timing, log, asked };
}
