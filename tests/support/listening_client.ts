import { createHash } from "node:crypto";
import { seen } from "./captured_logs.ts";

/** A client on this machine that waits for the answer to its request. */
export interface ListeningClient extends AsyncDisposable {
  clientId: string;
  redirectUri: string;
  /** The address that a person is sent to. */
  authorizeUrl(
    scope: string,
    changes?: Readonly<Record<string, string>>,
  ): string;
  /** The next answer that arrives at the redirect address. */
  answered: Promise<URLSearchParams>;
  /** Exchanges a code; answers the whole body. */
  exchange(code: string): Promise<Record<string, unknown>>;
  /** What the agent API answers to a token. */
  statusOfMe(accessToken: string): Promise<number>;
}

const VERIFIER = "v".repeat(43);
const CHALLENGE = createHash("sha256").update(VERIFIER).digest("base64url");

/** What a client may be otherwise. */
export interface ClientOptions {
  name?: string;
  hostname?: string;
  /** Where its callback passes the browser on to. */
  hop?: string;
}

/** Registers a client with the service and listens for its answer. */
export async function startClient(
  authUrl: string,
  options: ClientOptions = {},
): Promise<ListeningClient> {
  const { name = "Bid Agent", hostname = "127.0.0.1" } = options;
  const { promise, resolve } = Promise.withResolvers<URLSearchParams>();
  const closing = new AbortController();
  const server = Deno.serve(
    { hostname, port: 0, signal: closing.signal, onListen() {} },
    (request) => callback(request, options.hop, resolve),
  );
  const host = hostname.includes(":") ? `[${hostname}]` : hostname;
  const redirectUri = `http://${host}:${server.addr.port}/callback`;
  const clientId = await register(authUrl, name, redirectUri);
  return {
    clientId,
    redirectUri,
    answered: promise,
    authorizeUrl(scope, changes = {}) {
      const query = new URLSearchParams({
        response_type: "code",
        client_id: clientId,
        redirect_uri: redirectUri,
        scope,
        state: "state 1&<",
        code_challenge: CHALLENGE,
        code_challenge_method: "S256",
        ...changes,
      });
      return `${authUrl}/oauth/authorize?${query}`;
    },
    exchange: (code) => exchange(authUrl, clientId, redirectUri, code),
    async statusOfMe(accessToken) {
      const answer = await seen.fetch(`${authUrl}/v1/agent/me`, {
        headers: { authorization: `Bearer ${accessToken}` },
      });
      await answer.body?.cancel();
      return answer.status;
    },
    // A browser keeps its connection open: nothing waits for it.
    async [Symbol.asyncDispose]() {
      closing.abort();
      await server.finished;
    },
  };
}

function callback(
  request: Request,
  hop: string | undefined,
  answered: (query: URLSearchParams) => void,
): Response {
  const { pathname, searchParams } = new URL(request.url);
  if (pathname !== "/callback") return new Response(null, { status: 204 });
  answered(searchParams);
  if (hop !== undefined) {
    return new Response(null, { status: 302, headers: { location: hop } });
  }
  return new Response("<!doctype html><title>Connected</title>Connected", {
    headers: { "content-type": "text/html" },
  });
}

async function register(
  authUrl: string,
  name: string,
  redirectUri: string,
): Promise<string> {
  const answer = await seen.fetch(`${authUrl}/oauth/register`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ client_name: name, redirect_uris: [redirectUri] }),
  });
  return (await answer.json()).client_id;
}

async function exchange(
  authUrl: string,
  clientId: string,
  redirectUri: string,
  code: string,
): Promise<Record<string, unknown>> {
  const answer = await seen.fetch(`${authUrl}/oauth/token`, {
    method: "POST",
    body: new URLSearchParams({
      grant_type: "authorization_code",
      code,
      code_verifier: VERIFIER,
      client_id: clientId,
      redirect_uri: redirectUri,
    }),
  });
  return await answer.json();
}
