/**
 * The hand on a simulator, over HTTP.
 *
 * @module
 */
import type { Simulator } from "../../../simulators/stripe/mod.ts";

/** What the hand was answered. */
export interface Controlled<T> {
  status: number;
  body: T;
}

/** Gives an order; the path is below `/_simulator/`. */
export async function control<T = unknown>(
  sim: Simulator,
  method: string,
  path: string,
  body?: unknown,
): Promise<Controlled<T>> {
  const response = await fetch(`${sim.url}/_simulator/${path}`, {
    method,
    ...(body === undefined ? {} : {
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    }),
  });
  return { status: response.status, body: await response.json() };
}
