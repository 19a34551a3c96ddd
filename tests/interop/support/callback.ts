/** Where a program on this machine waits for the answer to its request. */
export interface Callback extends AsyncDisposable {
  redirectUri: string;
  /** The address it was called at; takes it away. */
  take(): URL;
}

/** Listens on a free port of 127.0.0.1, as programs do (RFC 8252 §7.3). */
export function openCallback(): Callback {
  const calls: URL[] = [];
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen() {} },
    ({ url }) => {
      calls.push(new URL(url));
      return new Response("You can close this page");
    },
  );
  return {
    redirectUri: `http://127.0.0.1:${server.addr.port}/callback`,
    take() {
      const [call, ...others] = calls.splice(0);
      if (call !== undefined && others.length === 0) return call;
      throw new Error(
        `Called ${others.length + (call ? 1 : 0)} times, not once`,
      );
    },
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}
