import type { AppEnv } from "../../routes/context.ts";
import type { BodySource } from "../../routes/http/body.ts";
import { BodyRooms } from "../../routes/http/body_rooms.ts";
import type { BodyWaits } from "../../routes/http/body_waits.ts";
import type { HostApp } from "../../routes/route_table.ts";
import { seen } from "./captured_logs.ts";

/** Bodies that are there at once, however slow the machine of a test is. */
export const AT_ONCE: BodyWaits = {
  begin: () => () => true,
  beginWhole: () => () => {},
  rooms: () => new BodyRooms().of(""),
  turn: () => Promise.resolve(true),
};

/** What a host is given with a request, for tests that need no listener. */
export function bindings(remoteAddress = "192.0.2.1"): AppEnv["Bindings"] {
  return {
    remoteAddress,
    trace: { requestId: "req_1", route: "", grantId: null },
    bodies: AT_ONCE,
    hold() {},
    holdCopy: () => () => {},
  };
}

/** What a body is read of, for tests that need no route. */
export function bodyOf(
  request: Request,
  bodies: BodyWaits = AT_ONCE,
): BodySource {
  return { req: { raw: request }, env: { bodies }, get: () => undefined };
}

/** Asks a host without a listener, at the address of the site. */
export function ask(
  app: HostApp,
  path: string,
  init?: RequestInit,
  env: AppEnv["Bindings"] = bindings(),
): Promise<Response> {
  return askHost(app, `https://spotlight.example${path}`, init, env);
}

/**
 * Asks a host without a listener. The secrets that pass are noted, so that a
 * log that tells one is found.
 */
export async function askHost(
  app: HostApp,
  url: string,
  init: RequestInit | undefined,
  env: AppEnv["Bindings"],
): Promise<Response> {
  const request = new Request(url, init);
  seen.noteRequest(request, init?.body);
  const answer = await app.fetch(request, env);
  await seen.noteResponse(answer);
  return answer;
}
