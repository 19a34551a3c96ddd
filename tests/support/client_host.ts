import { connect } from "node:net";
import type { Fetcher } from "../../domain/fetching/fetcher.ts";
import { createFetcher } from "../../adapters/fetcher/create_fetcher.ts";
import type { Resolver } from "../../adapters/fetcher/lookups.ts";
import { MemoryLog } from "./captured_logs.ts";

/** Where the documents of clients are in these tests. */
export const CLIENT_ID = "https://agent.example/client.json";

/** A metadata document that is good at {@linkcode CLIENT_ID}. */
export const CLIENT_DOCUMENT = {
  client_id: CLIENT_ID,
  client_name: "Bid Agent",
  redirect_uris: ["https://agent.example/callback", "http://127.0.0.1/cb"],
};

/** A public address, as a resolver would answer. */
const PUBLIC = { address: "93.184.215.14", family: 4 };

/** What the host answers to a request for a path. */
export type Answer = (request: Request) => Response | Promise<Response>;

/** The hosts that clients' documents lie on: one server on this machine. */
export interface ClientHost extends AsyncDisposable {
  /** The real fetcher, which believes the server to be on the internet. */
  fetcher: Fetcher;
  /** Paths that were asked for, in order. */
  asked: string[];
  /** What it answers from now on. */
  answer: Answer;
  /** What names resolve to from now on. */
  resolve: Resolver;
}

/** A JSON answer as clients publish it. */
export function jsonDocument(
  body: unknown,
  headers: Record<string, string> = {},
): Response {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return new Response(text, {
    headers: { "content-type": "application/json", ...headers },
  });
}

/**
 * Starts the server. The guard judges names and addresses as it always does;
 * only the connection then goes to the server, without TLS, which other tests
 * are about.
 */
export function openClientHost(): ClientHost {
  const asked: string[] = [];
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen() {} },
    (incoming) => {
      asked.push(new URL(incoming.url).pathname);
      return host.answer(incoming);
    },
  );
  const { port } = server.addr;
  const host: ClientHost = {
    asked,
    answer: () => jsonDocument(CLIENT_DOCUMENT),
    resolve: () => Promise.resolve([PUBLIC]),
    fetcher: createFetcher({
      userAgent: "Spotlight tests",
      allowLoopback: false,
      log: new MemoryLog(),
      stopping: new AbortController().signal,
      caps: { concurrent: 100, perSecond: 1_000 },
      resolve: (name) => host.resolve(name),
      connect: (_, options) =>
        connect({ ...options, host: "127.0.0.1", port, lookup: undefined }),
      timing: {
        nowMs: () => performance.now(),
        later: hurried,
      },
    }),
    async [Symbol.asyncDispose]() {
      await server.shutdown();
    },
  };
  return host;
}

/** A no is held back for a second; these tests need not wait for it. */
function hurried(run: () => void, ms: number): () => void {
  const timer = setTimeout(run, ms <= 1_000 ? 0 : ms);
  return () => clearTimeout(timer);
}
