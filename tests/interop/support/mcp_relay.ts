import {
  createServer,
  type IncomingHttpHeaders,
  request as ask,
} from "node:http";

/** What stands between a tool and a server of the service. */
export interface RelayOptions {
  /** The server's address. */
  url: string;
  /** The bearer token that the tool can't be given. */
  token?: string;
  /** Runs before each request, to let a bucket fill up again. */
  before?: () => void;
}

/** Where the tool asks instead. */
export interface McpRelay extends AsyncDisposable {
  url: string;
}

/**
 * Hands requests on as they come, whatever they claim their host to be, with a
 * token if one is given.
 */
export async function openMcpRelay(options: RelayOptions): Promise<McpRelay> {
  const { url, before = () => {} } = options;
  const target = new URL(url);
  let own = "";
  const server = createServer((request, response) => {
    before();
    const handedOn = ask({
      port: target.port,
      method: request.method,
      path: request.url,
      headers: headersOf(request.headers, own, options),
    }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    handedOn.on("error", () => response.destroy());
    response.on("close", () => handedOn.destroy());
    request.pipe(handedOn);
  });
  const listening = Promise.withResolvers<void>();
  server.listen(0, "127.0.0.1", () => listening.resolve());
  await listening.promise;
  const address = server.address();
  if (address === null || typeof address === "string") {
    throw new Error("Cannot relay: the port is not known");
  }
  own = `localhost:${address.port}`;
  return {
    url: `http://${own}${target.pathname}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function headersOf(
  given: IncomingHttpHeaders,
  own: string,
  { url, token }: RelayOptions,
): IncomingHttpHeaders {
  const { host } = new URL(url);
  const isOwn = given.host === own;
  const origin = given.origin === `http://${own}`
    ? `http://${host}`
    : given.origin;
  return {
    ...given,
    ...isOwn && { host },
    ...origin !== undefined && { origin },
    ...token !== undefined && { authorization: `Bearer ${token}` },
  };
}
