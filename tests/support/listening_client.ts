import { createHash } from "node:crypto";

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

/** Registers a client with the service and listens for its answer. */
export async function startClient(
  authUrl: string,
  options: { name?: string; hostname?: string; hop?: string } = {},
): Promise<ListeningClient> {
  const { name = "Bid Agent", hostname = "127.0.0.1", hop } = options;
  const { promise, resolve } = Promise.withResolvers<URLSearchParams>();
  const closing = new AbortController();
  const server = Deno.serve(
    { hostname, port: 0, signal: closing.signal, onListen() {} },
    (request) => {
      const { pathname, searchParams } = new URL(request.url);
      if (pathname !== "/callback") return new Response(null, { status: 204 });
      resolve(searchParams);
      if (hop !== undefined) {
        return new Response(null, { status: 302, headers: { location: hop } });
      }
      return new Response("<!doctype html><title>Connected</title>Connected", {
        headers: { "content-type": "text/html" },
      });
    },
  );
  const host = hostname.includes(":") ? `[${hostname}]` : hostname;
  const redirectUri = `http://${host}:${server.addr.port}/callback`;
  const registered = await fetch(`${authUrl}/oauth/register`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ client_name: name, redirect_uris: [redirectUri] }),
  });
  const { client_id: clientId } = await registered.json();
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
    async exchange(code) {
      const answer = await fetch(`${authUrl}/oauth/token`, {
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
    },
    async statusOfMe(accessToken) {
      const answer = await fetch(`${authUrl}/v1/agent/me`, {
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
