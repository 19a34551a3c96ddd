import type { Config } from "../config/config.ts";
import { note, ToolFailure } from "./command.ts";
import { readDevFile } from "./dev_file.ts";

/** Longest a call may take until its answer begins, ms. */
const CALL_MS = 30_000;
/** Longest a stream may stand still, ms. */
const STALL_MS = 30_000;

/** Longest that who listens may take to say whether it is the service, ms. */
const HEALTH_MS = 10_000;

/** No service answers at its address. */
export class ServiceAbsent extends ToolFailure {
  /** Something else listens there, such as a proxy that has lost its service. */
  readonly isOther: boolean;

  constructor(message: string, isOther = false) {
    super(message);
    this.isOther = isOther;
  }
}

/** Says what answers instead of the service, where a tool goes on without it. */
export async function noteAbsence(
  { message, isOther }: ServiceAbsent,
): Promise<void> {
  if (isOther) await note(message);
}

/** The operator API of the running service. */
export interface OperatorClient {
  /** The service's address, without a slash at the end. */
  baseUrl: string;
  get(path: string, headers?: Record<string, string>): Promise<unknown>;
  post(path: string, body?: unknown): Promise<unknown>;
  /** The body of an answer, piece by piece. */
  stream(
    method: "GET" | "POST",
    path: string,
  ): Promise<ReadableStream<Uint8Array>>;
  /** @throws {ServiceAbsent} when it does not answer there */
  find(): Promise<void>;
}

/**
 * Speaks to the service that this configuration describes. The key is read or
 * derived as the service does it. Every call has a time limit.
 *
 * Its calls throw {@linkcode ServiceAbsent} when nothing of ours answers there,
 * be it a proxy that has lost its service, and {@linkcode ToolFailure} with the
 * problem's own words when the service refuses.
 */
export async function operatorClient(
  config: Config,
  healthMs = HEALTH_MS,
): Promise<OperatorClient> {
  const baseUrl = await addressOf(config);
  const send = async (
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ) => {
    await findService(baseUrl, healthMs);
    return await fetchWithin(`${baseUrl}/operator/v1/${path}`, {
      method,
      headers: {
        ...headers,
        authorization: `Bearer ${config.operatorKeys[0]}`,
        ...body === undefined ? {} : { "content-type": "application/json" },
      },
      ...body === undefined ? {} : { body: JSON.stringify(body) },
    });
  };
  return {
    baseUrl,
    get: async (path, headers) =>
      await (await send("GET", path, undefined, headers)).json(),
    post: async (path, body) => await (await send("POST", path, body)).json(),
    async stream(method, path) {
      const { body } = await send(method, path);
      return (body ?? ReadableStream.from([])).pipeThrough(notStalling());
    },
    find: () => findService(baseUrl, healthMs),
  };
}

/** A development service on port 0 says in its file where it turned out. */
async function addressOf({ settings, dataDir }: Config): Promise<string> {
  const { baseUrl } = settings;
  if (new URL(baseUrl).port !== "0" || dataDir === null) return baseUrl;
  const file = await readDevFile(dataDir);
  if (file === null) {
    throw new ServiceAbsent(`No service is running in ${dataDir}`);
  }
  return file.base_url;
}

async function fetchWithin(
  url: string,
  init: RequestInit,
): Promise<Response> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), CALL_MS);
  try {
    const response = await fetch(url, { ...init, signal: late.signal });
    if (response.ok) return response;
    throw new ToolFailure(await problemText(response));
  } catch (error) {
    if (error instanceof ToolFailure) throw error;
    if (late.signal.aborted) {
      throw new ToolFailure(`${url} has not answered in ${CALL_MS / 1_000} s`);
    }
    throw new ServiceAbsent(`No service answers at ${new URL(url).origin}`);
  } finally {
    clearTimeout(timer);
  }
}

async function problemText(response: Response): Promise<string> {
  const text = await response.text();
  try {
    const { detail, title } = JSON.parse(text);
    if (typeof (detail ?? title) === "string") return detail ?? title;
  } catch {
    // It was not a problem of ours; the status has to do.
  }
  return `${new URL(response.url).origin} answered ${response.status}`;
}

/** @throws {ServiceAbsent} unless the service itself answers at the address */
async function findService(baseUrl: string, healthMs: number): Promise<void> {
  const { origin } = new URL(baseUrl);
  try {
    const signal = AbortSignal.timeout(healthMs);
    const response = await fetch(`${baseUrl}/healthz`, { signal });
    const { ok, status } = response;
    if (isOurs(await response.text()) && ok) return;
    const what =
      `what listens there answers ${status}, with no service of ours`;
    throw new ServiceAbsent(`No service answers at ${origin}: ${what}`, true);
  } catch (error) {
    if (error instanceof ServiceAbsent) throw error;
    const isLate = error instanceof DOMException &&
      error.name === "TimeoutError";
    const why = isLate ? ": what listens there says nothing" : "";
    throw new ServiceAbsent(`No service answers at ${origin}${why}`, isLate);
  }
}

/** Whether a body is what `/healthz` of a service says, and nothing else does. */
function isOurs(body: string): boolean {
  try {
    const { status, version } = JSON.parse(body);
    return status === "ok" && typeof version === "string";
  } catch {
    return false;
  }
}

/** Ends in an error what has stood still for too long. */
function notStalling(): TransformStream<Uint8Array, Uint8Array> {
  let timer: ReturnType<typeof setTimeout>;
  const watch = (
    controller: TransformStreamDefaultController<Uint8Array>,
  ) => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      controller.error(new ToolFailure("The service has stopped sending"));
    }, STALL_MS);
  };
  return new TransformStream({
    start: watch,
    transform(chunk, controller) {
      watch(controller);
      controller.enqueue(chunk);
    },
    flush() {
      clearTimeout(timer);
    },
  });
}
