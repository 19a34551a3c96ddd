/**
 * HEAD, which routes know nothing of.
 *
 * @module
 */
import type { Hono } from "@hono/hono";
import type { AppEnv } from "./context.ts";

/** Asks a host, for HEAD as for the GET that it stands for. */
export function fetchFrom(
  app: Hono<AppEnv>,
  request: Request,
  env: AppEnv["Bindings"],
): Response | Promise<Response> {
  if (request.method !== "HEAD") return app.fetch(request, env);
  return headOf(app, request, env);
}

/** Answers without an end, or as long as the store: nobody counts their bytes. */
const STREAMS: ReadonlySet<string> = new Set([
  "text/event-stream",
  "application/x-ndjson",
]);

/**
 * HEAD is GET with the body taken away here, since a response without one would
 * say `Content-Length: 0`, which is not what GET says.
 */
async function headOf(
  app: Hono<AppEnv>,
  request: Request,
  env: AppEnv["Bindings"],
): Promise<Response> {
  const asGet = new Request(request.url, { headers: request.headers });
  env.trace.isHead = true;
  const answered = await app.fetch(asGet, env);
  const headers = new Headers(answered.headers);
  const isCounted = headers.has("content-length");
  if (isCounted || STREAMS.has(headers.get("content-type") ?? "")) {
    await answered.body?.cancel();
  } else if (answered.body !== null) {
    const { byteLength } = await answered.arrayBuffer();
    headers.set("content-length", String(byteLength));
  }
  return new Response(null, { status: answered.status, headers });
}
