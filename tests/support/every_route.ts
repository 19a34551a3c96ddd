/**
 * A whole service with somebody signed in, and every operation that it has, so
 * that a rule can be held against all of them, those of tomorrow included.
 *
 * @module
 */
import type { HostKind } from "../../routes/hosts.ts";
import { seen } from "./captured_logs.ts";
import { ManualClock, TEST_START_MS } from "./clock.ts";
import { settle, spotlight } from "./public_spotlights.ts";
import { type RunningService, runService } from "./running_service.ts";

/** An operator's address, so that the desk's pages open, too. */
const EMAIL = "operator@example.com";

/** The day that stands for every parameter called so. */
export const DAY = "2026-11-19";

/** One operation, with an address to ask it at. */
export interface Operation {
  host: HostKind;
  method: string;
  path: string;
  /** `POST /settings/sign-out`, as in the table of routes. */
  name: string;
  url: string;
}

/** A service, its operations, and the cookies of a person signed in. */
export interface EveryRoute extends AsyncDisposable {
  running: RunningService;
  clock: ManualClock;
  operations: readonly Operation[];
  cookie: string;
  /** Asks for an operation, each time from another address if none is named. */
  ask(operation: Operation, init?: RequestInit): Promise<Response>;
}

/** Starts a service with a settled day and signs somebody in, an operator. */
export async function openEveryRoute(email = EMAIL): Promise<EveryRoute> {
  const clock = new ManualClock(TEST_START_MS);
  const running = await runService({
    clock,
    env: { TRUSTED_PROXY_HOPS: "1", OPERATOR_EMAILS: EMAIL },
  });
  const { store } = running.service.core.services;
  await settle(store, spotlight(DAY));
  await running.service.core.records.refresh();
  const ask = askFromAnywhere();
  return {
    running,
    clock,
    operations: operationsOf(running),
    cookie: await signInAt(running, ask, email),
    ask: (operation, init) =>
      ask(operation.url, { method: operation.method, ...init }),
    [Symbol.asyncDispose]: () => running[Symbol.asyncDispose](),
  };
}

/** An answer with its body read. */
export interface Answered {
  status: number;
  headers: Headers;
  text: string;
}

/** Asks for an operation as a browser does. */
export async function answered(
  every: EveryRoute,
  operation: Operation,
  headers: Record<string, string>,
  method = operation.method,
): Promise<Answered> {
  const answer = await every.ask(operation, {
    method,
    headers: { accept: "text/html", ...headers },
  });
  const text = await answer.text();
  return { status: answer.status, headers: answer.headers, text };
}

/** Asks for an address. */
export type AskUrl = (url: string, init?: RequestInit) => Promise<Response>;

/** Asks through a proxy, each time from another address if none is named. */
export function askFromAnywhere(): AskUrl {
  let asked = 0;
  return (url, init = {}) => {
    const headers = new Headers(init.headers);
    asked += 1;
    if (!headers.has("x-forwarded-for")) {
      headers.set("x-forwarded-for", `192.0.${asked >> 8}.${asked & 255}`);
    }
    return seen.fetch(url, { redirect: "manual", ...init, headers });
  };
}

/** Every operation of a service; `parameter` stands for each that has no day. */
export function operationsOf(
  { service, config }: Pick<RunningService, "service" | "config">,
  parameter = "x_1",
): Operation[] {
  const { baseUrl, authUrl, docsMcpUrl } = config.settings;
  const origins: Record<HostKind, string> = {
    site: baseUrl,
    auth: authUrl,
    docs_mcp: new URL(docsMcpUrl).origin,
  };
  return (Object.keys(origins) as HostKind[]).flatMap((host) =>
    service.routes[host].map(({ method, path }) => ({
      host,
      method,
      path,
      name: `${method} ${path}`,
      url: origins[host] + addressOf(path, parameter),
    }))
  );
}

/** A path with something in the place of each parameter. */
function addressOf(path: string, parameter: string): string {
  return path.replace(":day", DAY).replace(":rehearsal", "rehearsal_1")
    .replaceAll(/:\w+/g, parameter)
    .replace("*", "x");
}

/** Signs in by mail and answers the cookies. */
export async function signInAt(
  { service, config }: Pick<RunningService, "service" | "config">,
  ask: AskUrl,
  email: string,
): Promise<string> {
  const { baseUrl } = config.settings;
  const cookies = new Map<string, string>();
  const send = async (path: string, form: Record<string, string>) => {
    const answer = await ask(baseUrl + path, {
      method: "POST",
      headers: { origin: baseUrl, cookie: cookieOf(cookies) },
      body: new URLSearchParams(form),
    });
    await answer.body?.cancel();
    for (const line of answer.headers.getSetCookie()) {
      const [name = "", value = ""] = line.split(";", 1)[0]?.split("=") ?? [];
      if (value === "") cookies.delete(name);
      else cookies.set(name, value);
    }
    if (answer.status !== 303) throw new Error(`${path}: ${answer.status}`);
  };
  await send("/sign-in", { email, next: "/account" });
  const { store } = service.core.services;
  const mails = await store.listMails({ limit: 100, reverse: true });
  const mail = mails.find(({ to, text }) => to === email && /#c=/.test(text));
  const code = /#c=(\d{8})/.exec(mail?.text ?? "")?.[1] ?? "";
  await send("/sign-in/verify", { code });
  return cookieOf(cookies);
}

function cookieOf(cookies: ReadonlyMap<string, string>): string {
  return [...cookies].map((pair) => pair.join("=")).join("; ");
}
