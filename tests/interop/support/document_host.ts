/** A client's own website, on this machine. */
export interface DocumentHost extends AsyncDisposable {
  /** The client id: the address of its metadata document. */
  clientId: string;
  /** Paths that were asked for, in order. */
  asked: readonly string[];
}

/** Publishes documents by path, completed by the client id. */
export function publishClient(
  documents: (origin: string) => Readonly<Record<string, unknown>>,
): DocumentHost {
  const asked: string[] = [];
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen() {} },
    ({ url }) => {
      const { origin, pathname } = new URL(url);
      asked.push(pathname);
      const document = documents(origin)[pathname];
      return document === undefined
        ? new Response(null, { status: 404 })
        : Response.json(document);
    },
  );
  return {
    clientId: `http://127.0.0.1:${server.addr.port}${METADATA_PATH}`,
    asked,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

/** Where the metadata document is. */
export const METADATA_PATH = "/client.json";
