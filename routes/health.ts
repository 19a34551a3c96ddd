import { NO_STORE } from "./errors/answer_context.ts";
import { respondEmpty, respondJson } from "./http/respond.ts";

/** What has to be known although nothing is wrong. */
export interface HealthNote {
  note: string;
}

/**
 * Checks one thing that the service depends on: null when it is well, else a
 * sentence that says what is wrong. A check that throws has failed too.
 */
export type HealthCheck = () =>
  | Promise<string | HealthNote | null>
  | string
  | HealthNote
  | null;

/** Answers `/healthz` and `/readyz`, and null to every other path. */
export type Health = (
  method: string,
  path: string,
) => Response | Promise<Response> | null;

/**
 * The health of a process: `/healthz` says that it runs, and its version, `/readyz` that it can
 * do its work, naming each check. Both are answered whatever the Host.
 */
export function health(
  checks: Readonly<Record<string, HealthCheck>>,
  version: string,
): Health {
  // Anyone may ask, at no cost: the store is not to feel how often.
  let looking: Promise<Results> | null = null;
  const look = () =>
    looking ??= runAll(checks).finally(() => {
      looking = null;
    });
  return function answerHealth(method, path) {
    if (path !== "/healthz" && path !== "/readyz") return null;
    if (method !== "GET" && method !== "HEAD") {
      return respondEmpty(405, { allow: "GET, HEAD", ...NO_STORE });
    }
    return path === "/healthz"
      ? json(200, { status: "ok", version })
      : ready(look());
  };
}

type Result = { ok: boolean; detail?: string };
type Results = readonly (readonly [name: string, Result])[];

function runAll(
  checks: Readonly<Record<string, HealthCheck>>,
): Promise<Results> {
  return Promise.all(
    Object.entries(checks).map(async ([name, check]) =>
      [name, await run(check)] as const
    ),
  );
}

async function ready(looking: Promise<Results>): Promise<Response> {
  const results = await looking;
  const well = results.every(([, result]) => result.ok);
  return json(well ? 200 : 503, {
    status: well ? "ready" : "not_ready",
    checks: Object.fromEntries(results),
  });
}

async function run(check: HealthCheck): Promise<Result> {
  try {
    const detail = await check();
    if (detail === null) return { ok: true };
    return typeof detail === "string"
      ? { ok: false, detail }
      : { ok: true, detail: detail.note };
  } catch {
    return { ok: false, detail: "Cannot be checked: it does not answer" };
  }
}

function json(status: number, body: unknown): Response {
  return respondJson(body, { status, headers: NO_STORE });
}
