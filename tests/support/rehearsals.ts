/**
 * Requests to rehearsals of the sandbox, as an agent sends them.
 *
 * @module
 */
import type { SiteApp } from "./site_app.ts";

/** What is asked for where a test says nothing else. */
export const PRACTICE_BID = {
  day: "2025-01-01",
  ad_id: "ad_practice",
  amount_cents: 2_500,
  currency: "EUR",
} as const;

/** Where a rehearsal of that name is. */
export function rehearsalPath(name: string): string {
  return `/api/v1/sandbox/rehearsals/${name}/v1/agent`;
}

/** One rehearsal of a site. */
export interface RehearsalCalls {
  /** Reads what stands below it. */
  get(path: string): Promise<Response>;
  /** Readiness of the usual bid, with what differs from it. */
  // deno-lint-ignore no-explicit-any -- tests compare what they expect of it
  me(changes?: Record<string, unknown>): Promise<any>;
  bid(changes?: Record<string, unknown>, key?: string): Promise<Response>;
  settle(key?: string): Promise<Response>;
}

/** The calls of one rehearsal. */
export function rehearsalCalls(
  site: Pick<SiteApp, "ask">,
  name: string,
): RehearsalCalls {
  const at = rehearsalPath(name);
  const post = (path: string, key: string, body?: string) =>
    site.ask(at + path, {
      method: "POST",
      headers: { "content-type": "application/json", "idempotency-key": key },
      ...body !== undefined && { body },
    });
  const get = (path: string) => site.ask(at + path);
  return {
    get,
    async me(changes = {}) {
      const { currency: _, ...asked } = { ...PRACTICE_BID, ...changes };
      const texts = Object.entries(asked)
        .map(([name, value]) => [name, String(value)]);
      const answer = await get(`/me?${new URLSearchParams(texts)}`);
      return await answer.json();
    },
    bid: (changes = {}, key = "key-1") =>
      post("/bids", key, JSON.stringify({ ...PRACTICE_BID, ...changes })),
    settle: (key = "settle") => post("/settle", key),
  };
}
