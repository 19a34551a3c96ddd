import type { Settings } from "../../domain/ports.ts";

/** What a renderer is told about the request it answers. */
export interface AnswerContext {
  settings: Pick<Settings, "baseUrl" | "authUrl">;
  requestId?: string;
  /** Headers of every answer to the request, such as RateLimit; lower case. */
  headers?: Readonly<Record<string, string>> | undefined;
}

/** An answer that must not be kept: every error is one. */
export const NO_STORE: Readonly<Record<string, string>> = {
  "cache-control": "no-store",
};

/** A JSON error answer with `Cache-Control: no-store`. */
export function errorResponse(
  status: number,
  contentType: "application/json" | "application/problem+json",
  body: unknown,
  headers?: Readonly<Record<string, string>>,
): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: { "content-type": contentType, ...headers, ...NO_STORE },
  });
}
