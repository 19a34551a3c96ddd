/**
 * Streams that tell that something which was read has changed: revision
 * 2026-07-28's `subscriptions/listen`. Each is served by a handler of its own, so
 * that nobody hears of what others are told.
 *
 * @module
 */
import { type AuthInfo, createMcpHandler } from "@modelcontextprotocol/server";

type Factory = Parameters<typeof createMcpHandler>[0];
type Bus = NonNullable<
  NonNullable<Parameters<typeof createMcpHandler>[1]>["bus"]
>;
type Listener = Parameters<Bus["subscribe"]>[0];

/** What of a server can be listened to. */
export interface Listening<Caller> {
  /** The addresses of what changes. */
  uris: readonly string[];
  /** Tells of each change, until it is over; `gone` is aborted when nobody listens. */
  follow(
    caller: Caller,
    gone: AbortSignal,
    changed: () => void,
  ): Promise<void>;
}

/** Answers a request to listen: a stream, which ends as it began, in order. */
export async function answerListening<Caller>(
  { uris, follow }: Listening<Caller>,
  factory: Factory,
  request: Request,
  forSdk: { parsedBody: unknown; authInfo?: AuthInfo },
  caller: Caller,
): Promise<Response> {
  const gone = new AbortController();
  const tellOf = async (listener: Listener) => {
    try {
      await follow(
        caller,
        gone.signal,
        () =>
          uris.forEach((uri) => listener({ kind: "resource_updated", uri })),
      );
    } catch {
      // Who may not listen any more hears why at the next request.
    }
    await handler.close();
  };
  const bus: Bus = {
    publish() {},
    subscribe(listener) {
      void tellOf(listener);
      return () => gone.abort();
    },
  };
  const handler = createMcpHandler(factory, { legacy: "reject", bus });
  return await handler.fetch(request, forSdk);
}
